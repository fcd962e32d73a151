// LULD limit state, pause and reopening: the rules of docs/rule-book/limit-up-limit-down.md told as
// what happens to one stock.

#include <damrak/auction/luld_state.hpp>

#include <cstdint>
#include <optional>

#include <gtest/gtest.h>

namespace damrak::auction::luld_state_test {
namespace {

constexpr Timestamp k_ten = minutes(10 * 60);
constexpr Timestamp k_close = minutes(16 * 60);
constexpr Price cents(std::int64_t count) { return Price{count * 100}; }
constexpr PriceRange k_bands{cents(9'500), cents(10'500)};

constexpr BestQuotes quotes(std::int64_t bid, std::int64_t offer) {
    return {cents(bid), cents(offer)};
}
constexpr BestQuotes k_inside = quotes(9'990, 10'010);
constexpr BestQuotes k_offer_at_lower = quotes(9'400, 9'500);
constexpr BestQuotes k_bid_at_upper = quotes(10'500, 10'600);

LuldState state() { return {{}, k_close}; }

TEST(LimitState, BeginsWithAnOfferAtTheLowerBand) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_inside, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::normal);
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::limit);
    EXPECT_EQ(stock.limit_side(), Side::sell);
    EXPECT_EQ(stock.due(), k_ten + seconds(15));
    EXPECT_TRUE(stock.bands_stay());
}

TEST(LimitState, BeginsWithABidAtTheUpperBand) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_bid_at_upper, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::limit);
    EXPECT_EQ(stock.limit_side(), Side::buy);
}

TEST(LimitState, BeginsWithOneSideAloneAndWithLockedQuotesButNotWithCrossedOnes) {
    LuldState stock = state();
    stock.on_quotes(k_ten, {std::nullopt, cents(9'500)}, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::limit);
    stock = state();
    stock.on_quotes(k_ten, quotes(9'500, 9'500), k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::limit);
    stock = state();
    stock.on_quotes(k_ten, quotes(9'600, 9'500), k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::normal);
}

TEST(LimitState, EndsWhenTheQuotesAreExecutedOrCancelledInTime) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    stock.on_quotes(k_ten + seconds(15) - Timestamp{1}, k_inside, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::normal);
    EXPECT_EQ(stock.due(), std::nullopt);
    EXPECT_EQ(stock.limit_side(), std::nullopt);
    EXPECT_FALSE(stock.bands_stay());
}

TEST(LimitState, RunsOnWhileQuotesAtTheBandFollowOneAnother) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    stock.on_quotes(k_ten + seconds(10), quotes(9'450, 9'500), k_bands);
    EXPECT_EQ(stock.due(), k_ten + seconds(15));
}

TEST(LimitState, OfTheOtherSideHasATimeOfItsOwn) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    stock.on_quotes(k_ten + seconds(10), k_bid_at_upper, k_bands);
    EXPECT_EQ(stock.due(), k_ten + seconds(25));
    EXPECT_EQ(stock.limit_side(), Side::buy);
}

TEST(LimitState, OfFifteenSecondsBecomesAPauseOfFiveMinutes) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    stock.on_time(k_ten + seconds(15) - Timestamp{1});
    EXPECT_EQ(stock.phase(), LuldPhase::limit);
    stock.on_time(k_ten + seconds(15));
    EXPECT_EQ(stock.phase(), LuldPhase::paused);
    EXPECT_EQ(stock.due(), k_ten + seconds(15) + minutes(5));
    EXPECT_EQ(stock.limit_side(), Side::sell);
}

TEST(LimitState, IsOverForQuotesThatComeAtItsEnd) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    stock.on_quotes(k_ten + seconds(15), k_inside, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::paused);
}

TEST(Pause, IgnoresQuotesAndEndsWithTheReopening) {
    LuldState stock = state();
    stock.pause(k_ten);
    stock.on_quotes(k_ten + seconds(1), k_inside, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::paused);
    EXPECT_TRUE(stock.bands_stay());
    stock.on_time(k_ten + minutes(5));
    EXPECT_EQ(stock.phase(), LuldPhase::reopening);
    EXPECT_EQ(stock.due(), std::nullopt);
    stock.resume();
    EXPECT_EQ(stock.phase(), LuldPhase::normal);
}

TEST(Pause, IsExtendedWhileTheReopeningFindsNoPrice) {
    LuldState stock = state();
    stock.pause(k_ten);
    stock.on_time(k_ten + minutes(5));
    stock.extend(k_ten + minutes(5));
    EXPECT_EQ(stock.phase(), LuldPhase::paused);
    EXPECT_EQ(stock.due(), k_ten + minutes(10));
}

TEST(Pause, ThatReachesTheLastTenMinutesIsEndedByTheClosingAuction) {
    LuldState stock = state();
    stock.pause(k_close - minutes(15));
    EXPECT_EQ(stock.phase(), LuldPhase::until_close);
    EXPECT_EQ(stock.due(), std::nullopt);
    stock.on_quotes(k_close - minutes(1), k_inside, k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::until_close);
    EXPECT_TRUE(stock.bands_stay());
    stock = state();
    stock.pause(k_close - minutes(15) - Timestamp{1});
    EXPECT_EQ(stock.phase(), LuldPhase::paused);
}

TEST(Pause, GoesThroughAllThatIsDueAtOnce) {
    LuldState stock = state();
    stock.on_quotes(k_ten, k_offer_at_lower, k_bands);
    stock.on_time(k_ten + minutes(30));
    EXPECT_EQ(stock.phase(), LuldPhase::reopening);
}

TEST(StraddleState, IsABestPriceOutsideTheBandsWithoutALimitState) {
    LuldState stock = state();
    stock.on_quotes(k_ten, quotes(9'400, 10'010), k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::straddle);
    EXPECT_FALSE(stock.bands_stay());
    stock.on_quotes(k_ten, quotes(9'990, 10'501), k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::straddle);
    EXPECT_EQ(stock.due(), std::nullopt);
    stock.on_quotes(k_ten, quotes(9'500, 10'499), k_bands);
    EXPECT_EQ(stock.phase(), LuldPhase::normal);
}

TEST(ReopeningCollar, BeginsFivePerCentBelowTheLowerBandAfterAFall) {
    const ReopeningCollar collar({}, Side::sell, k_bands);
    EXPECT_EQ(collar.range(), (PriceRange{cents(9'025), cents(10'500)}));
}

TEST(ReopeningCollar, BeginsFivePerCentAboveTheUpperBandAfterARise) {
    const ReopeningCollar collar({}, Side::buy, k_bands);
    EXPECT_EQ(collar.range(), (PriceRange{cents(9'500), cents(11'025)}));
}

TEST(ReopeningCollar, IsFifteenCentsWideUpToThreeDollars) {
    const PriceRange bands{cents(240), cents(301)};
    EXPECT_EQ(ReopeningCollar({}, Side::sell, bands).range(), (PriceRange{cents(225), cents(301)}));
    EXPECT_EQ(ReopeningCollar({}, Side::buy, bands).range(), (PriceRange{cents(240), cents(316)}));
    const PriceRange at_three{cents(240), cents(300)};
    EXPECT_EQ(ReopeningCollar({}, Side::buy, at_three).range().high, cents(315));
}

TEST(ReopeningCollar, GoesOnAfterARestartFromItsReferenceAndRange) {
    ReopeningCollar before({}, Side::sell, k_bands);
    EXPECT_EQ(before.reference(), k_bands.low);
    ReopeningCollar after({}, before.reference(), before.range());
    before.extend(Side::sell);
    after.extend(Side::sell);
    EXPECT_EQ(after.range(), before.range());
}

TEST(ReopeningCollar, TakesTheFixedStepUpToItsPrice) {
    const ReopeningCollar::Terms terms{.low_price = cents(9'500), .low_amount = cents(10)};
    EXPECT_EQ(ReopeningCollar(terms, Side::sell, k_bands).range().low, cents(9'490));
}

TEST(ReopeningCollar, WidensByTheSameStepWhereTheSurplusIs) {
    ReopeningCollar collar({}, Side::sell, k_bands);
    collar.extend(Side::sell);
    EXPECT_EQ(collar.range(), (PriceRange{cents(8'550), cents(10'500)}));
    collar.extend(Side::buy);
    EXPECT_EQ(collar.range(), (PriceRange{cents(8'550), cents(10'975)}));
    collar.extend(std::nullopt);
    EXPECT_EQ(collar.range(), (PriceRange{cents(8'075), cents(11'450)}));
}

TEST(ReopeningCollar, AfterAStraddleStateBeginsAtTheBands) {
    ReopeningCollar collar({}, std::nullopt, k_bands);
    EXPECT_EQ(collar.range(), k_bands);
    collar.extend(Side::buy);
    EXPECT_EQ(collar.range(), (PriceRange{cents(9'500), cents(11'000)}));
}

TEST(ReopeningCollar, DoesNotGoBelowZero) {
    ReopeningCollar collar({}, Side::sell, {cents(10), cents(40)});
    EXPECT_EQ(collar.range().low, Price{0});
}

TEST(ReopeningCollar, HasAStepInWholeCents) {
    // 5 % of 9.31 is 0.4655.
    const ReopeningCollar collar({}, Side::sell, {cents(931), cents(1'029)});
    EXPECT_EQ(collar.range().low, cents(931 - 47));
}

}  // namespace
}  // namespace damrak::auction::luld_state_test
