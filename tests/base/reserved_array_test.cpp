// Reserved arrays: zeroed, aligned, owned once, and not there until touched.

#include <damrak/base/reserved_array.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

namespace damrak {
namespace {

static_assert(!std::is_copy_constructible_v<ReservedArray<int>>);
static_assert(std::is_nothrow_move_constructible_v<ReservedArray<int>>);

TEST(ReservedArray, StartsWithEveryByteZero) {
    const ReservedArray<std::uint64_t> array(100'000);
    EXPECT_TRUE(std::all_of(array.data(), array.data() + array.size(),
                            [](std::uint64_t word) { return word == 0; }));
}

TEST(ReservedArray, BeginsOnAPage) {
    const ReservedArray<char> array(1);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(array.data()) % 4096, 0U);
}

TEST(ReservedArray, KnowsItsSizeInElementsAndBytes) {
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

// Reserving address space costs no memory: a pool may be far larger than what a day uses of it.
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
}  // namespace damrak
