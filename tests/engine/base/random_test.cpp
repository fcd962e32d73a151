// Random streams: the published sequence; draws within bounds and evenly spread.

#include <damrak/base/random.hpp>

#include <array>
#include <cstdint>
#include <set>

#include <gtest/gtest.h>

namespace damrak::random_test {
namespace {

// First outputs of the SplitMix64 reference implementation for the seed 1234567.
TEST(RandomStream, GivesTheReferenceSequence) {
    RandomStream random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317ULL);
    EXPECT_EQ(random.next(), 3203168211198807973ULL);
    EXPECT_EQ(random.next(), 9817491932198370423ULL);
    EXPECT_EQ(random.next(), 4593380528125082431ULL);
    EXPECT_EQ(random.next(), 16408922859458223821ULL);
}

TEST(RandomStream, DrawsEveryValueBelowTheBoundAboutEquallyOften) {
    RandomStream random(1);
    std::array<int, 10> counts{};
    for (int i = 0; i < 100'000; ++i) ++counts.at(random.below(10));
    for (const int count : counts) EXPECT_NEAR(count, 10'000, 500);
}

TEST(RandomStream, DrawsOnlyZeroBelowOne) {
    RandomStream random(2);
    for (int i = 0; i < 100; ++i) EXPECT_EQ(random.below(1), 0U);
}

TEST(RandomStream, TossesAFairCoin) {
    RandomStream random(3);
    int heads = 0;
    for (int i = 0; i < 100'000; ++i) heads += random.coin() ? 1 : 0;
    EXPECT_NEAR(heads, 50'000, 1'000);
}

TEST(MixBits, KeepsDistinctNumbersDistinct) {
    std::set<std::uint64_t> seen;
    for (std::uint64_t n = 0; n < 10'000; ++n) EXPECT_TRUE(seen.insert(mix_bits(n)).second);
}

}  // namespace
}  // namespace damrak::random_test
