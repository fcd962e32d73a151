// Pages that the sequencing thread writes to are ready: it never waits for a page fault in the
// kernel, even if the system has written those pages back meanwhile.
#include <cstdint>
#include <filesystem>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "sessions/journal/small_journal.hpp"

namespace damrak::journal::ready_pages_test {
namespace {

/// Faults of this thread so far.
long faults() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

class ReadyPages : public ::testing::Test {
  protected:
    ReadyPages() {
        journal_.config.segment_bytes = std::uint64_t{1} << 20U;
        journal_.config.first_segment_bytes = journal_.config.segment_bytes;
        journal_.config.prefault_bytes = std::uint64_t{1} << 18U;
        journal_.start();
        preallocator_turn();
        static_cast<void>(faults_of(k_records));  // of code and stack
    }
    void preallocator_turn() const {
        static_cast<void>(journal_.journal->preallocator().do_work(journal_.now));
    }
    /// Writes pages back as the system does some time after a change.
    void write_back() const {
        for (const auto& entry : std::filesystem::directory_iterator{journal_.config.directory}) {
            if (!entry.is_regular_file()) continue;
            const int file = ::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC);
            ASSERT_EQ(::fsync(file), 0);
            ::close(file);
        }
    }
    long faults_of(std::uint64_t records) {
        const long before = faults();
        for (std::uint64_t i = 0; i < records; ++i)
            EXPECT_TRUE(
                journal_.writer().append(numbered_record(journal_.writer().next_sequence())));
        return faults() - before;
    }

    static constexpr std::uint64_t k_pages = 8;
    static constexpr std::uint64_t k_records = k_pages * k_page_bytes / k_record_bytes;
    /// The address sanitizer has a shadow byte for every eight bytes, and its pages are not
    /// prepared.
#ifdef __SANITIZE_ADDRESS__
    static constexpr long k_sanitizer_faults = k_pages / 8 + 1;
#else
    static constexpr long k_sanitizer_faults = 0;
#endif
    SmallJournal journal_;
};

TEST_F(ReadyPages, StayWritableWhenTheSystemHasWrittenThem) {
    write_back();
    if (faults_of(k_records) == 0) GTEST_SKIP() << "this file system does not track page writes";
    write_back();
    preallocator_turn();
    EXPECT_LE(faults_of(4 * k_records), 4 * k_sanitizer_faults)
        << "prepared pages that were written since";
}

TEST_F(ReadyPages, OfAnIdleExchangeAreWritableForItsFirstOrders) {
    preallocator_turn();
    write_back();
    preallocator_turn();  // nothing was appended since the last turn
    EXPECT_LE(faults_of(k_records), k_sanitizer_faults);
}

}  // namespace
}  // namespace damrak::journal::ready_pages_test
