// Statistics of a replay: spreads weighted by time, depth by the second.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/replay/detail/spread_statistics.hpp>
#include <damrak/replay/market_statistics.hpp>

#include "support/small_day.hpp"

namespace damrak::replay::statistics_test {
namespace {

using damrak::testing::SmallDay;

TEST(SpreadStatistics, ASpreadCountsForAsLongAsItStands) {
    SpreadStatistics spread;
    spread.update(0, 100);
    spread.update(60, 200);
    spread.update(90, std::nullopt);
    spread.update(1'000, 700);
    spread.update(1'010, std::nullopt);
    const auto summary = spread.summary();
    ASSERT_TRUE(summary);
    EXPECT_EQ(summary->time_ns, 100);
    EXPECT_DOUBLE_EQ(summary->mean, (60 * 100 + 30 * 200 + 10 * 700) / 100.0);
    EXPECT_DOUBLE_EQ(summary->median, 100);
    EXPECT_EQ(summary->least, 100);
    EXPECT_EQ(summary->most, 700);
}

TEST(SpreadStatistics, WhatStandsForNoTimeDoesNotCount) {
    SpreadStatistics spread;
    spread.update(5, 900);
    spread.update(5, 100);
    EXPECT_FALSE(spread.summary());
    spread.update(6, std::nullopt);
    EXPECT_EQ(spread.summary()->most, 100);
}

TEST(SpreadStatistics, TheMedianIsExactForCentsAndCloseBeyond) {
    for (const std::int64_t cents : {1, 2, 32, 64, 81}) {
        SpreadStatistics spread;
        spread.update(0, (cents - 1) * 100);
        spread.update(10, cents * 100);
        spread.update(100, (cents + 1) * 100);
        spread.update(110, std::nullopt);
        EXPECT_DOUBLE_EQ(spread.summary()->median, static_cast<double>(cents * 100));
    }
    SpreadStatistics spread;
    for (std::int64_t i = 0; i < 1'000; ++i) spread.update(i, 1'000'000 + i * 10);
    EXPECT_NEAR(spread.summary()->median, 1'005'000, 0.016 * 1'005'000);
}

TEST(SpreadStatistics, ARestartForgetsButTheSpreadStands) {
    SpreadStatistics spread;
    spread.update(0, 900);
    spread.update(50, 100);
    spread.restart(80);
    spread.update(100, std::nullopt);
    const auto summary = spread.summary();
    EXPECT_EQ(summary->time_ns, 20);
    EXPECT_EQ(summary->most, 100);
}

class MarketDay : public ::testing::Test {
  protected:
    const InstrumentStatistics& after(const SmallDay& day, StatisticsSettings settings = {}) {
        books_ = order_flow::BookBuilder<MarketStatistics>{
            {.orders = 64, .levels = 256, .ladder_nodes = 256}, MarketStatistics{settings}};
        day.replay(books_);
        books_.observer().finish();
        return books_.observer().instruments().front();
    }

    order_flow::BookBuilder<MarketStatistics> books_{
        {.orders = 64, .levels = 256, .ladder_nodes = 256}, MarketStatistics{{}}};
};

TEST_F(MarketDay, CountsMessagesOrdersTradesAndVolume) {
    const auto& s = after(SmallDay{}
                              .add(1, 1, Side::sell, 1002, 100)
                              .add(2, 2, Side::sell, 1003, 100)
                              .replace(3, 2, 3, 1004, 100)
                              .execute(4, 1, 40)
                              .execute_at(5, 1, 10, 1001)
                              .execute_at(6, 1, 10, 1001, false)
                              .hidden_trade(7, 1002, 25)
                              .cross(8, 1000, 5'000)
                              .cancel(9, 1, 5)
                              .remove(10, 3));
    EXPECT_EQ(s.messages(), 10U);
    EXPECT_EQ(s.orders(), 3U);
    EXPECT_EQ(s.traded.displayed.trades, 2U);  // what does not print is part of another trade
    EXPECT_EQ(s.traded.displayed.volume, 50U);
    EXPECT_EQ(s.traded.hidden.volume, 25U);
    EXPECT_EQ(s.traded.crosses.volume, 5'000U);
    EXPECT_EQ(s.traded.volume(), 75U);
    EXPECT_EQ(s.first_trade->value, 100'200);
    EXPECT_EQ(s.low_trade.value, 100'000);
    EXPECT_EQ(s.last_trade.value, 100'000);
}

TEST_F(MarketDay, SpreadsCountFromTheOpeningToTheClose) {
    const auto& s = after(SmallDay{}
                              .add(1, 1, Side::buy, 1000, 100)
                              .add(2, 2, Side::sell, 1090, 100)
                              .event(10, 'Q')
                              .add(20, 3, Side::sell, 1010, 100)
                              .event(40, 'M')
                              .remove(50, 3));
    const auto spread = s.spread.summary();
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->time_ns, 30'000);
    EXPECT_DOUBLE_EQ(spread->mean, (10 * 9'000 + 20 * 1'000) / 30.0);
}

TEST_F(MarketDay, AHaltAndCrossedPricesAreNoSpread) {
    const auto& s = after(SmallDay{}
                              .add(0, 1, Side::buy, 1000, 100)
                              .add(0, 2, Side::sell, 1001, 100)
                              .state(10, 'H')
                              .add(15, 3, Side::buy, 1005, 100)
                              .state(20, 'T')
                              .remove(30, 3)
                              .remove(40, 1));
    const auto spread = s.spread.summary();
    ASSERT_TRUE(spread);
    EXPECT_EQ(spread->time_ns, 20'000);
    EXPECT_EQ(spread->most, 100);
    const auto coverage = s.coverage();
    ASSERT_TRUE(coverage);
    EXPECT_DOUBLE_EQ(coverage->two_sided, 20 / 30.0) << "of the time without the halt";
    EXPECT_DOUBLE_EQ(coverage->crossed, 10 / 30.0);
}

TEST_F(MarketDay, TheOpeningForgetsWhatStoodBefore) {
    const auto& s = after(SmallDay{}
                              .add(0, 1, Side::buy, 1005, 100)
                              .add(0, 2, Side::sell, 1001, 100)
                              .remove(9, 1)
                              .event(10, 'Q')
                              .add(15, 3, Side::buy, 1000, 100)
                              .event(20, 'M')
                              .remove(30, 3));
    const auto coverage = s.coverage();
    ASSERT_TRUE(coverage);
    EXPECT_DOUBLE_EQ(coverage->two_sided, 0.5);
    EXPECT_DOUBLE_EQ(coverage->crossed, 0);
}

TEST_F(MarketDay, DepthIsSampledOnceASecondOverTheLevelsAskedFor) {
    const auto& s = after(SmallDay{}
                              .add(0, 1, Side::buy, 1000, 100)
                              .add(1, 2, Side::buy, 999, 50)
                              .add(2, 3, Side::buy, 998, 25)
                              .add(1'000'000, 4, Side::sell, 1001, 7)
                              .add(1'000'001, 5, Side::sell, 1001, 7),
                          {.depth_levels = 2});
    EXPECT_EQ(s.depth.count, 2U);
    EXPECT_EQ(s.depth.bid_sum, 100 + 150);
    EXPECT_EQ(s.depth.ask_sum, 0 + 7);
}

TEST_F(MarketDay, ASeriesIsKeptOnlyForAPlot) {
    SmallDay day;
    day.add(0, 1, Side::sell, 1000, 100).execute(1, 1, 10).execute(2, 1, 10);
    EXPECT_EQ(after(day).series, nullptr);
    EXPECT_NE(after(day, {.series = true}).series, nullptr);
}

TEST_F(MarketDay, KnowsTheMostOrdersThatRested) {
    after(SmallDay{}
              .add(0, 1, Side::sell, 1000, 100)
              .add(1, 2, Side::sell, 1000, 100)
              .remove(2, 1)
              .add(3, 3, Side::sell, 1000, 100));
    EXPECT_EQ(books_.observer().most_orders(), 2U);
    EXPECT_EQ(books_.observer().first_ns(), SmallDay::time_ns(0));
    EXPECT_EQ(books_.observer().last_ns(), SmallDay::time_ns(3));
}

}  // namespace
}  // namespace damrak::replay::statistics_test
