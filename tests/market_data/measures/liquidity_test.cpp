// Spreads, impact, depth and resiliency of small days, worked out by hand.
#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>

#include "day_by_hand.hpp"

namespace damrak::measures_tests::liquidity_test {
namespace {

TEST(Liquidity, QuotedSpreadIsWeightedByTime) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);  // 2 ticks, 200 bp for 3 s
    day.quote(3, 9'900, 10'500);  // 6 ticks for 1 s
    const auto results = day.finish(4);
    EXPECT_NEAR(value_of(results, "quoted_spread_ticks"), (3 * 2. + 6) / 4, 1e-9);
    EXPECT_NEAR(value_of(results, "quoted_spread_bp"), (3 * 200. + 1e4 * 600 / 10'200) / 4, 1e-9);
}

TEST(Liquidity, HasNoBasisPointsOfAPriceAtOrBelowZero) {
    DayByHand day;
    day.quote(0, -300, -100);
    day.trade(1, Side::buy, -100);
    day.quote(2, -100, 100);
    day.trade(3, Side::buy, 100);
    const auto results = day.finish(4);
    EXPECT_EQ(value_of(results, "quoted_spread_ticks"), 2);
    EXPECT_EQ(value_of(results, "effective_spread"), 2);
    EXPECT_EQ(results.find("quoted_spread_bp"), nullptr);
    EXPECT_EQ(results.find("effective_spread_bp"), nullptr);
}

TEST(Liquidity, NoSpreadWhileASideIsEmpty) {
    DayByHand day;
    day.quote(0, 9'900, 0);
    day.trade(1, Side::buy, 10'000);
    day.quote(2, 9'900, 10'100);
    day.quote(4, 0, 10'100);
    const auto results = day.finish(100);
    EXPECT_NEAR(value_of(results, "quoted_spread_ticks"), 2, 1e-9);
    EXPECT_EQ(count_of(results, "quoted_spread_ticks"), 1U);
    EXPECT_EQ(results.find("effective_spread"), nullptr) << "there was no mid before the trade";
    EXPECT_EQ(value_of(results, "trades"), 1);
}

TEST(Liquidity, EffectiveSpreadSplitsIntoRealisedAndImpact) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    day.quote(10, 9'900, 10'300);      // of the same time stamp: not before the trade
    day.trade(10, Side::buy, 10'100);  // pays 1 tick over the mid: effective 2
    day.quote(10.5, 10'000, 10'200);   // mid 10,100 after 1 s
    day.quote(15, 9'800, 10'000);      // mid 9,900 after 10 s
    const auto results = day.finish(30);
    EXPECT_EQ(value_of(results, "effective_spread"), 2);
    EXPECT_EQ(value_of(results, "effective_spread_bp"), 200);
    EXPECT_EQ(value_of(results, "realised_spread_1s"), 0);
    EXPECT_EQ(value_of(results, "price_impact_1s"), 2);
    EXPECT_EQ(value_of(results, "realised_spread_10s"), 4);
    EXPECT_EQ(value_of(results, "price_impact_10s"), -2);
    EXPECT_EQ(results.find("realised_spread_60s"), nullptr) << "the day ended before";
}

TEST(Liquidity, SpreadsAreInTicksInCurrencyAndInBasisPoints) {
    DayByHand day{{.tick = 50}};
    day.quote(0, 9'900, 10'100);
    day.trade(10, Side::buy, 10'100);
    day.quote(10.5, 10'000, 10'150);
    const auto results = day.finish(20.5);
    EXPECT_EQ(value_of(results, "tick_size"), .005);
    EXPECT_NEAR(value_of(results, "quoted_spread_currency"), (.02 * 10.5 + .015 * 10) / 20.5,
                1e-12);
    EXPECT_EQ(value_of(results, "effective_spread"), 4);
    EXPECT_EQ(value_of(results, "effective_spread_currency"), .02);
    EXPECT_EQ(value_of(results, "effective_spread_bp"), 200);
    // The mid goes from 10,000 to 10,075.
    EXPECT_EQ(value_of(results, "realised_spread_1s"), 1);
    EXPECT_EQ(value_of(results, "realised_spread_1s_currency"), .005);
    EXPECT_NEAR(value_of(results, "realised_spread_1s_bp"), 50, 1e-9);
    EXPECT_EQ(value_of(results, "price_impact_1s"), 3);
    EXPECT_NEAR(value_of(results, "price_impact_1s_currency"), .015, 1e-12);
    EXPECT_NEAR(value_of(results, "price_impact_1s_bp"), 150, 1e-9);
    EXPECT_EQ(value_of(results, "microprice_distance_currency"), 0);
    EXPECT_EQ(value_of(results, "microprice_distance_bp"), 0);
}

TEST(Liquidity, AWrongTradeSignShows) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    day.trade(10, Side::sell, 10'100);  // at the ask, said to be a sale
    EXPECT_EQ(value_of(day.finish(30), "effective_spread"), -2);
}

TEST(Liquidity, EffectiveIsRealisedPlusImpactToTheUnit) {
    market_kernel::Draws draws{market_kernel::key_of(4, "measures", 0, "identity")};
    DayByHand day;
    double at_s = 0;
    for (int i = 0; i < 5'000; ++i) {
        at_s += draws.exponential(5);
        const auto mid = static_cast<std::int64_t>(1'000'000 + draws.below(1'000));
        const auto half = static_cast<std::int64_t>(1 + draws.below(300));
        if (draws.chance(.5))
            day.quote(at_s, mid - half, mid + half + 1);
        else
            day.trade(at_s, draws.chance(.6) ? Side::buy : Side::sell, mid);
    }
    static_cast<void>(day.finish(at_s + 1'000));
    for (std::size_t i = 0; i < measures::k_horizons_s.size(); ++i) {
        const auto& parts = day.measures.liquidity().parts(i);
        EXPECT_GT(parts.trades, 2'000U);
        EXPECT_NE(parts.realised, 0);
        EXPECT_EQ(parts.effective, parts.realised + parts.impact) << i;
    }
}

TEST(Liquidity, DepthImbalanceAndMicroprice) {
    DayByHand day;
    day.quote(0, 9'900, 10'300, 300, 100);
    views::PublicChange second = day.last;  // another bid behind the best
    second.kind = views::PublicChange::Kind::level;
    second.side = Side::buy;
    second.price = {9'800};
    second.quantity = {500};
    ASSERT_TRUE(day.measures.on_change(second));
    const auto results = day.finish(2);
    EXPECT_EQ(value_of(results, "depth_1"), 200);
    EXPECT_EQ(value_of(results, "depth_5"), 450);
    EXPECT_EQ(value_of(results, "depth_10"), 450);
    EXPECT_EQ(value_of(results, "imbalance"), .5);
    EXPECT_EQ(value_of(results, "imbalance_size"), .5);
    // (300 * 10,300 + 100 * 9,900) / 400 = 10,200: one tick above the mid 10,100.
    EXPECT_NEAR(value_of(results, "microprice_distance"), 1, 1e-9);
}

TEST(Liquidity, ResiliencyCountsStepsUntilTheSpreadIsBack) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    day.trade(1, Side::buy, 10'100);  // takes the ask away: spread 2 -> 6
    day.quote(1, 9'900, 10'500);
    day.quote(1.5, 9'900, 10'400);    // a quarter of it
    day.quote(2, 9'900, 10'300);      // half of it back after 1 s
    day.quote(3, 9'900, 10'100);      // all of it with the third step
    day.trade(4, Side::sell, 9'900);  // spread 2 -> 4
    day.quote(4, 9'700, 10'100);
    day.quote(7, 9'900, 10'100);  // back at once, after 3 s
    const auto results = day.finish(8);
    EXPECT_EQ(value_of(results, "resiliency_1"), .5);
    EXPECT_EQ(value_of(results, "resiliency_10"), 1);
    EXPECT_EQ(value_of(results, "resiliency_100"), 1);
    EXPECT_EQ(count_of(results, "resiliency_100"), 2U);
    EXPECT_NEAR(value_of(results, "resiliency_half_life"), 2, 1e-9);
}

TEST(Liquidity, ASpreadThatNeverReturnsIsNotBack) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    day.trade(1, Side::buy, 10'100);
    day.quote(1, 9'900, 0);  // nothing is left
    for (int i = 0; i < 150; ++i) day.quote(2 + i, 9'900, 10'300 + i);
    const auto results = day.finish(200);
    EXPECT_EQ(value_of(results, "resiliency_100"), 0);
    EXPECT_EQ(results.find("resiliency_half_life"), nullptr);
}

TEST(Liquidity, HaltedTimeDoesNotCount) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    day.last.trading_state = TradingState::halted;
    day.quote(1, 9'900, 10'500);
    const auto results = day.finish(100);
    EXPECT_NEAR(value_of(results, "quoted_spread_ticks"), 2, 1e-9);
}

TEST(Liquidity, CrossedAndEarlierChangesAreRefused) {
    DayByHand day;
    ASSERT_TRUE(day.quote(1, 9'900, 10'100));
    views::PublicChange crossed = day.last;
    crossed.bid = {10'200};
    EXPECT_FALSE(day.measures.on_change(crossed));
    crossed.bid = crossed.ask;
    EXPECT_FALSE(day.measures.on_change(crossed)) << "locked";
    views::PublicChange earlier = day.last;
    earlier.time = DayByHand::time(.5);
    EXPECT_FALSE(day.measures.on_change(earlier));
    const auto results = day.finish(2);
    EXPECT_EQ(value_of(results, "refused_changes"), 3);
    EXPECT_NEAR(value_of(results, "quoted_spread_ticks"), 2, 1e-9);
}

TEST(Liquidity, AnEmptyDayHasNoMeasures) {
    DayByHand day;
    EXPECT_TRUE(day.finish(10).values().empty());
}

}  // namespace
}  // namespace damrak::measures_tests::liquidity_test
