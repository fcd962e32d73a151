// Prefaulted memory causes no page faults when it is used.
#include <damrak/base/touched_memory.hpp>

#include <cstddef>
#include <optional>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <damrak/base/reserved_array.hpp>

namespace damrak::touched_memory_test {
namespace {

constexpr std::size_t k_page_bytes = 4'096;
constexpr std::size_t k_touched_bytes = std::size_t{2} << 20;

long faults() {
    rusage usage{};
    ::getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt;
}

/// Page faults of this thread while it writes to each page of the first bytes.
long faults_of_first_use(ReservedArray<char>& array, std::size_t bytes) {
    const long before = faults();
    for (std::size_t at = 0; at < bytes; at += k_page_bytes) array[at] = 1;
    return faults() - before;
}

TEST(TouchedMemory, CausesNoFaultOnFirstUse) {
    static_cast<void>(faults());
    std::optional<TouchedMemory> touching{std::in_place};
    ReservedArray<char> large{4 * k_touched_bytes};
    ReservedArray<char> small{64 * k_page_bytes};
    touching.reset();
    EXPECT_EQ(faults_of_first_use(large, k_touched_bytes), 0);
    EXPECT_EQ(faults_of_first_use(small, small.size()), 0);
    ReservedArray<char> untouched{4 * k_touched_bytes};
    EXPECT_GT(faults_of_first_use(untouched, k_touched_bytes), 0);
    EXPECT_EQ(large[k_page_bytes + 1], 0);
}

}  // namespace
}  // namespace damrak::touched_memory_test
