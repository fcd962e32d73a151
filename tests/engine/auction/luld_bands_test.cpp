// LULD price bands: the worked examples of docs/rule-book/limit-up-limit-down.md.

#include <damrak/auction/luld_bands.hpp>

#include <cstdint>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damrak::auction::luld_bands_test {
namespace {

constexpr Price cents(std::int64_t count) { return Price{count * 100}; }

constexpr LuldSecurity tier_one(std::int64_t close_cents) {
    return {LuldTier::one, cents(close_cents)};
}
constexpr LuldSecurity tier_two(std::int64_t close_cents, std::int64_t leverage = 1) {
    return {LuldTier::two, cents(close_cents), leverage * 100};
}

PriceRange bands(const LuldSecurity& security, std::int64_t reference_cents, bool doubled = false) {
    return luld_bands({}, security, cents(reference_cents), doubled);
}
constexpr PriceRange range(std::int64_t low, std::int64_t high) {
    return {cents(low), cents(high)};
}

TEST(LuldBands, AreFivePerCentInTierOneAndTenInTierTwo) {
    EXPECT_EQ(bands(tier_one(5'000), 4'837), range(4'595, 5'079));
    EXPECT_EQ(bands(tier_two(5'000), 4'837), range(4'353, 5'321));
}

TEST(LuldBands, AreTwentyPerCentUpToThreeDollars) {
    EXPECT_EQ(bands(tier_two(250), 243), range(194, 292));
    EXPECT_EQ(bands(tier_one(300), 1'000), range(800, 1'200));
    EXPECT_EQ(bands(tier_one(301), 1'000), range(950, 1'050));
    EXPECT_EQ(bands(tier_one(75), 1'000), range(800, 1'200));
}

TEST(LuldBands, AreTheLesserOfFifteenCentsAnd75PerCentBelowThreeQuarters) {
    EXPECT_EQ(bands(tier_one(60), 58), range(43, 73));
    EXPECT_EQ(bands(tier_two(15), 16), range(4, 28));
    EXPECT_EQ(bands(tier_one(74), 1'000), range(985, 1'015));
}

TEST(LuldBands, OfLeveragedProductsOfTierTwoAreMultiplied) {
    EXPECT_EQ(bands(tier_two(2'000, 3), 1'805), range(1'264, 2'347));
    LuldSecurity leveraged_one = tier_one(2'000);
    leveraged_one.leverage_hundredths = 300;
    EXPECT_EQ(bands(leveraged_one, 2'000), range(1'900, 2'100));
    EXPECT_EQ(bands(tier_two(60, 2), 58), range(28, 88));
}

TEST(LuldBands, AreDoubledBeforeTheClose) {
    EXPECT_EQ(bands(tier_one(5'000), 4'837, true), range(4'353, 5'321));
    EXPECT_EQ(bands(tier_two(250), 243, true), range(146, 340));
}

TEST(LuldBands, DoNotGoBelowZero) { EXPECT_EQ(bands(tier_two(15), 16, true), range(0, 40)); }

TEST(LuldBands, AreRoundedToTheNearestCentHalfUp) {
    // 10.10 ∓ 5 % is 9.595 and 10.605.
    EXPECT_EQ(bands(tier_one(1'000), 1'010), range(960, 1'061));
}

TEST(LuldBands, DoNotLeaveTheReferenceOutsideWhenRounded) {
    EXPECT_EQ(luld_bands({}, tier_one(0), Price{4}, false), range(0, 1)) << "of 0.0004";
    // 5 % of 0.0142 and of 0.0158 is less than a hundredth of a cent.
    EXPECT_EQ(luld_bands({}, tier_one(500), Price{142}, false), range(1, 2));
    EXPECT_EQ(luld_bands({}, tier_one(500), Price{158}, false), range(1, 2));
}

TEST(LuldDoubling, BeginsTwentyFiveMinutesBeforeTheClose) {
    const Timestamp close = minutes(16 * 60);
    const Timestamp late = minutes(15 * 60 + 35);
    const Timestamp before = late - Timestamp{1};
    EXPECT_TRUE(is_doubled({}, tier_one(5'000), late, close));
    EXPECT_FALSE(is_doubled({}, tier_one(5'000), before, close));
    EXPECT_FALSE(is_doubled({}, tier_two(301), late, close));
    EXPECT_TRUE(is_doubled({}, tier_two(300), late, close));
}

TEST(LuldBands, CapBidsAtTheUpperBandAndOffersAtTheLower) {
    const PriceRange bands = range(95, 105);
    EXPECT_EQ(capped(Side::buy, cents(106), bands), cents(105));
    EXPECT_EQ(capped(Side::buy, cents(90), bands), cents(90));
    EXPECT_EQ(capped(Side::sell, cents(94), bands), cents(95));
    EXPECT_EQ(capped(Side::sell, cents(110), bands), cents(110));
}

TEST(LuldBands, LetQuotesOutsideBeShownOnly) {
    const PriceRange bands = range(95, 105);
    EXPECT_TRUE(is_executable(Side::buy, cents(95), bands));
    EXPECT_FALSE(is_executable(Side::buy, cents(94), bands));
    EXPECT_TRUE(is_executable(Side::sell, cents(105), bands));
    EXPECT_FALSE(is_executable(Side::sell, cents(106), bands));
}

RC_GTEST_PROP(LuldBandsProperty, ContainTheReferenceAndAreWithinHalfACentOfTheExactAmount, ()) {
    const std::int64_t reference = *rc::gen::inRange<std::int64_t>(1, 50'000'000);
    const std::int64_t close = *rc::gen::inRange<std::int64_t>(30'001, 50'000'000);
    const PriceRange found = luld_bands({}, {LuldTier::one, Price{close}}, Price{reference}, false);
    RC_ASSERT(found.low.value % 100 == 0 && found.high.value % 100 == 0);
    RC_ASSERT(found.low.value <= reference && reference <= found.high.value);
    // In twentieths of a unit: 5 % is one twentieth. Below ten cents rounding is more than that.
    const std::int64_t most = reference < 1'000 ? 100 * 20 : 50 * 20;
    RC_ASSERT(std::abs(found.low.value * 20 - reference * 19) <= most);
    RC_ASSERT(std::abs(found.high.value * 20 - reference * 21) <= most);
}

}  // namespace
}  // namespace damrak::auction::luld_bands_test
