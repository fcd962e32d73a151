// A journal with segments small enough to rotate in a test. The content of a record follows from
// its number, so that a test can detect records that were never written.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/journal/journal.hpp>

#include "support/scratch_folder.hpp"

namespace damrak::journal {

/// Content of the n-th record of a test.
[[nodiscard]] inline Record numbered_record(std::uint64_t n) {
    Record record{};
    record.head.session = n % 7;
    record.head.inbound_sequence = n * 3;
    record.head.tag_length = static_cast<std::uint8_t>(n % 25);
    for (std::size_t i = 0; i < record.head.tag_length; ++i)
        record.head.tag[i] = static_cast<std::byte>('A' + (n + i) % 26);
    record.command.kind = CommandKind::new_order;
    record.command.instrument = InstrumentId{1};
    record.command.participant = ParticipantId{static_cast<std::uint32_t>(1 + n % 5)};
    record.command.client_order_id = ClientOrderId{n};
    record.command.timestamp = Timestamp{static_cast<std::int64_t>(1'000 * n)};
    record.command.price = Price{static_cast<std::int64_t>(100 * (1 + n % 50))};
    record.command.quantity = Quantity{10};
    return record;
}

/// How many records a segment of this many pages holds.
[[nodiscard]] constexpr std::uint64_t records_in(std::uint64_t pages) {
    return (pages - 1) * k_page_bytes / k_record_bytes;
}

inline constexpr JournalIdentity k_test_identity{
    .instance = {0x1111, 0x2222},
    .engine = {.maximum_instruments = 4, .maximum_participants = 8, .maximum_orders = 1'000}};

class SmallJournal {
  public:
    static constexpr std::uint64_t k_pages = 3;
    static constexpr std::uint64_t k_records = records_in(k_pages);  ///< in a segment: 42

    explicit SmallJournal(Durability durability = Durability::async,
                          FileSystem& files = real_files())
        : files_(&files) {
        config.directory = folder / "journal";
        config.segment_bytes = k_pages * k_page_bytes;
        config.prefault_bytes = k_page_bytes;
        config.durability = durability;
    }

    /// Reads all records and continues; returns the error, if any.
    [[nodiscard]] std::string try_start(const RecoveryOptions& options = {}) {
        close();
        read.clear();
        auto recovered =
            recover(*files_, config.directory, options, [&](std::span<const Record> records) {
                read.insert(read.end(), records.begin(), records.end());
            });
        if (!recovered) return recovered.error();
        recovery = std::move(*recovered);
        auto opened = Journal::open(*files_, config, recovery, k_test_identity, Timestamp{now});
        recovery.lock.reset();
        if (!opened) return opened.error();
        journal = std::move(*opened);
        return {};
    }
    void start() { ASSERT_EQ(try_start(), ""); }

    /// Appends up to `count` records with the helpers in between; returns the number appended.
    std::uint64_t append(std::uint64_t count) {
        for (std::uint64_t i = 0; i < count; ++i) {
            if (!writer().append(numbered_record(writer().next_sequence()))) {
                work();
                if (!writer().append(numbered_record(writer().next_sequence()))) return i;
            }
        }
        return count;
    }

    /// Runs one turn of each helper, later than the previous one.
    void work() {
        now += config.sync_interval_ns;
        journal->preallocator().do_work(now);
        journal->syncer().do_work(now);
    }
    void close() {
        if (!journal) return;
        journal->preallocator().on_close();
        journal->syncer().on_close();
        journal.reset();
    }
    /// Ends without a shutdown, as under kill -9.
    void kill() { journal.reset(); }

    [[nodiscard]] JournalWriter& writer() const { return journal->writer(); }
    [[nodiscard]] std::filesystem::path segment(std::uint64_t first_sequence) const {
        return config.directory / segment_name(first_sequence);
    }
    /// Where record n is: the file of its segment and the offset in it.
    [[nodiscard]] static std::uint64_t first_in_segment_of(std::uint64_t n) {
        return (n - 1) / k_records * k_records + 1;
    }
    [[nodiscard]] static std::uint64_t offset_of_record(std::uint64_t n) {
        return k_header_bytes + (n - 1) % k_records * k_record_bytes;
    }

    /// Checks that records 1 to n were read as they were written.
    void expect_read(std::uint64_t n) const {
        ASSERT_EQ(read.size(), n);
        for (std::uint64_t i = 0; i < n; ++i) expect_record(read[i], i + 1);
    }
    static void expect_record(const Record& record, std::uint64_t n) {
        const Record expected = numbered_record(n);
        EXPECT_EQ(record.head.sequence, n);
        EXPECT_EQ(record.head.session, expected.head.session) << n;
        EXPECT_EQ(record.head.inbound_sequence, expected.head.inbound_sequence) << n;
        EXPECT_EQ(record.head.tag, expected.head.tag) << n;
        EXPECT_EQ(record.head.tag_length, expected.head.tag_length) << n;
        // Every byte counts here, whichever member of the union it belongs to.
        const auto bytes_of = [](const Command& command) {
            return std::bit_cast<std::array<std::byte, sizeof(Command)>>(command);
        };
        EXPECT_EQ(bytes_of(record.command), bytes_of(expected.command)) << n;
    }

    damrak::testing::ScratchFolder folder;
    JournalConfig config;
    std::unique_ptr<Journal> journal;
    Recovery recovery;
    std::vector<Record> read;
    std::int64_t now = 1;

  private:
    FileSystem* files_;
};

/// Changes bytes of a file: calls `f(std::byte* content)` for the whole of it.
template <class F>
void edit(const std::filesystem::path& path, F&& f) {
    const auto file = real_files().open_mapped(path, FileSystem::Access::write);
    ASSERT_TRUE(file.has_value()) << file.error();
    f((*file)->data());
}

}  // namespace damrak::journal
