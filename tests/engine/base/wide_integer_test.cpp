// 128-bit arithmetic, and the mixing of words under hashes.

#include <damrak/base/wide_integer.hpp>

#include <bit>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>

namespace damrak::wide_integer_test {
namespace {

constexpr std::uint64_t k_odd = 0x9E3779B97F4A7C15U;

TEST(WideInteger, HoldsTheWholeProductOfTwoWords) {
    constexpr std::uint64_t k_largest = std::numeric_limits<std::uint64_t>::max();
    const Uint128 product = static_cast<Uint128>(k_largest) * k_largest;
    EXPECT_EQ(static_cast<std::uint64_t>(product >> 64U), k_largest - 1);
    EXPECT_EQ(static_cast<std::uint64_t>(product), 1U);
}

TEST(WideInteger, HoldsTheProductOfTwoNegativeWords) {
    constexpr std::int64_t k_least = std::numeric_limits<std::int64_t>::min();
    EXPECT_TRUE(static_cast<Int128>(k_least) * k_least == static_cast<Int128>(1) << 126U);
}

TEST(Mix, FoldsTheHighHalfOverTheLowOne) {
    EXPECT_EQ(mix(3, 5), 15U);
    EXPECT_EQ(mix(std::uint64_t{1} << 63U, 6), 3U);
    EXPECT_EQ(mix((std::uint64_t{1} << 63U) | 1U, 6), 3U ^ 6U);
}

TEST(Mix, FlipsAboutHalfOfTheBitsForOneBitOfInput) {
    int changed = 0;
    for (unsigned bit = 0; bit < 64; ++bit)
        changed +=
            std::popcount(mix(12'345, k_odd) ^ mix(12'345 ^ (std::uint64_t{1} << bit), k_odd));
    EXPECT_GT(changed, 64 * 20);
    EXPECT_LT(changed, 64 * 44);
}

}  // namespace
}  // namespace damrak::wide_integer_test
