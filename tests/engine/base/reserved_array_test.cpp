// Reserved arrays: zeroed, aligned, owned once, and without physical memory until touched.

#include <damrak/base/reserved_array.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::reserved_array_test {
namespace {

static_assert(!std::is_copy_constructible_v<ReservedArray<int>>);
static_assert(std::is_nothrow_move_constructible_v<ReservedArray<int>>);

TEST(ReservedArray, StartsWithEveryByteZero) {
    const ReservedArray<std::uint64_t> array(100'000);
    EXPECT_TRUE(std::all_of(array.data(), array.data() + array.size(),
                            [](std::uint64_t word) { return word == 0; }));
}

TEST(ReservedArray, BeginsOnACacheLine) {
    for (std::size_t size = 1; size < 200; size += 13) {
        const ReservedArray<char> array(size);
        EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 64, 0U);
    }
}

TEST(ReservedArray, OfAnySizeOverlapsNoOther) {
    constexpr std::size_t k_huge_page = std::size_t{2} << 20U;
    const std::size_t sizes[] = {1,           64,          k_huge_page / 2, k_huge_page - 65,
                                 k_huge_page, k_huge_page, k_huge_page + 1, 3 * k_huge_page + 7};
    std::vector<ReservedArray<unsigned char>> arrays;
    for (const std::size_t size : sizes) {
        auto& array = arrays.emplace_back(size);
        EXPECT_TRUE(std::all_of(array.data(), array.data() + size, [](int b) { return b == 0; }));
        std::fill(array.data(), array.data() + size, static_cast<unsigned char>(arrays.size()));
    }
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        EXPECT_EQ(arrays[i][0], i + 1);
        EXPECT_EQ(arrays[i][arrays[i].size() - 1], i + 1);
    }
}

std::int64_t mapped_pages() {
    std::ifstream statm("/proc/self/statm");
    std::int64_t pages = 0;
    statm >> pages;
    return pages;
}

TEST(ReservedArray, GivesItsMemoryBack) {
    const std::int64_t before = mapped_pages();
    for (int i = 0; i < 1'000; ++i) {
        const ReservedArray<char> small(1'000);
        const ReservedArray<char> half(1'000'000);
        const ReservedArray<char> large(5'000'000);
    }
    EXPECT_LT(mapped_pages() - before, 10'000) << "of 4 KiB";
}

TEST(ReservedArray, ReportsItsSizeInElementsAndBytes) {
    const ReservedArray<std::uint32_t> array(10);
    EXPECT_EQ(array.size(), 10U);
    EXPECT_EQ(array.bytes(), 40U);
}

TEST(ReservedArray, MayBeEmpty) {
    const ReservedArray<int> by_default;
    const ReservedArray<int> by_size(0);
    EXPECT_EQ(by_default.data(), nullptr);
    EXPECT_EQ(by_size.data(), nullptr);
    EXPECT_EQ(by_size.bytes(), 0U);
}

TEST(ReservedArray, MovesWithItsContents) {
    ReservedArray<int> first(3);
    first[2] = 42;
    ReservedArray<int> second(std::move(first));
    EXPECT_EQ(second[2], 42);
    ReservedArray<int> third(1);
    third = std::move(second);
    EXPECT_EQ(third.size(), 3U);
    EXPECT_EQ(std::as_const(third)[2], 42);
}

// Reserving address space costs no memory, so a pool may be far larger than what a day uses of it.
TEST(ReservedArray, ReservesMoreThanTheMachineHasAndUsesWhatIsTouched) {
    ReservedArray<std::uint64_t> array(std::size_t{1} << 35U);
    array[0] = 1;
    array[array.size() - 1] = 2;
    EXPECT_EQ(array[0] + array[array.size() - 1], 3U);
}

TEST(ReservedArray, ThrowsAtSetUpWhenThereIsNoAddressSpace) {
    EXPECT_THROW(ReservedArray<char>(std::numeric_limits<std::size_t>::max() / 2), std::bad_alloc);
}

}  // namespace
}  // namespace damrak::reserved_array_test
