// Impact, signs, order flow and messages of small days, worked out by hand.
#include <damrak/measures/detail/trading.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>

#include "day_by_hand.hpp"

namespace damrak::measures_tests::trading_test {
namespace {

using measures::OrderMessage;
using measures::Top;

/// Each minute buys or sells 100 to 300 shares, and moves the mid by 2 units a share.
DayByHand day_of_impact(bool has_wrong_signs) {
    DayByHand day{{.vpin_bucket = 200}};
    std::int64_t mid = 1'000'000;
    day.quote(0, mid - 100, mid + 100);
    for (int minute = 1; minute <= 6; ++minute) {
        const std::int64_t shares = std::int64_t{100} * (minute % 3 + 1);
        const bool is_buy = minute % 2 == 0;
        const Side side = is_buy != has_wrong_signs ? Side::buy : Side::sell;
        day.trade(60 * minute + 30, side, is_buy ? mid + 100 : mid - 100, shares);
        mid += (is_buy ? 2 : -2) * shares;
        day.quote(60 * minute + 30, mid - 100, mid + 100);
    }
    return day;
}

TEST(PriceEffects, KyleFindsTheSlope) {
    const auto results = day_of_impact(false).finish(600);
    EXPECT_NEAR(value_of(results, "kyle_lambda"), 2, 1e-9);
    // The first minute has no price at its begin; minutes without trades count with zero.
    EXPECT_EQ(count_of(results, "kyle_lambda"), 9U);
}

TEST(PriceEffects, AWrongTradeSignTurnsKyleAround) {
    EXPECT_NEAR(value_of(day_of_impact(true).finish(600), "kyle_lambda"), -2, 1e-9);
}

TEST(PriceEffects, AmihudOfOneMinute) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    day.trade(70, Side::buy, 10'100, 50);
    day.quote(70, 10'000, 10'200);
    // |r| = 100 / 10,000, for 50 * 10,100 traded.
    EXPECT_NEAR(value_of(day.finish(130), "amihud"), .01 / (50 * 10'100), 1e-15);
}

TEST(PriceEffects, AmihudHasNoMinuteThatBeginsBelowZero) {
    DayByHand day;
    day.quote(0, -300, -100);
    day.trade(70, Side::buy, 100, 50);
    day.quote(70, 100, 300);
    EXPECT_EQ(day.finish(119).find("amihud"), nullptr);
}

TEST(PriceEffects, VpinOfBucketsThatTradesFillTogether) {
    DayByHand day{{.vpin_bucket = 200}};
    day.quote(0, 9'900, 10'100);
    day.trade(1, Side::buy, 10'100, 150);
    day.trade(2, Side::sell, 9'900, 150);  // bucket 1: 150 - 50; bucket 2: 0 - 100 so far
    day.trade(3, Side::sell, 9'900, 100);  // bucket 2: 200 sold
    day.trade(4, Side::buy, 10'100, 199);  // not full
    const auto results = day.finish(5);
    EXPECT_NEAR(value_of(results, "vpin"), (100. / 200 + 1) / 2, 1e-12);
    EXPECT_EQ(count_of(results, "vpin"), 2U);
}

TEST(PriceEffects, EtaOfUpUpDownDownUp) {
    DayByHand day;
    day.quote(0, 9'900, 10'500);
    int at = 0;
    for (const int price : {10'000, 10'100, 10'100, 10'200, 10'100, 10'000, 10'100})
        day.trade(++at, Side::buy, price);
    const auto results = day.finish(10);
    // Two changes continue, two do not; a price that stays is no change.
    EXPECT_NEAR(value_of(results, "uncertainty_zones_eta"), .5, 1e-12);
    EXPECT_EQ(count_of(results, "uncertainty_zones_eta"), 4U);
}

TEST(PriceEffects, EtaIsAbsentWithoutAnAlternation) {
    DayByHand day;
    day.quote(0, 9'900, 10'500);
    for (int at = 1; at < 4; ++at) day.trade(at, Side::buy, 10'000 + 100 * at);
    EXPECT_EQ(day.finish(10).find("uncertainty_zones_eta"), nullptr);
}

TEST(PriceEffects, OrderFlowOfOneStep) {
    const Top before{.bid = {99}, .ask = {101}, .bid_quantity = {10}, .ask_quantity = {20}};
    Top more_bid = before;
    more_bid.bid_quantity = {15};
    EXPECT_EQ(measures::order_flow_of(before, more_bid), 5);
    Top better_bid = before;
    better_bid.bid = {100};
    better_bid.bid_quantity = {7};
    EXPECT_EQ(measures::order_flow_of(before, better_bid), 7);
    Top worse_bid = before;
    worse_bid.bid = {98};
    EXPECT_EQ(measures::order_flow_of(before, worse_bid), -10);
    Top less_ask = before;
    less_ask.ask_quantity = {12};
    EXPECT_EQ(measures::order_flow_of(before, less_ask), 8);
    Top worse_ask = before;
    worse_ask.ask = {102};
    EXPECT_EQ(measures::order_flow_of(before, worse_ask), 20);
    Top better_ask = before;
    better_ask.ask = {100};
    better_ask.ask_quantity = {4};
    EXPECT_EQ(measures::order_flow_of(before, better_ask), -4);
}

TEST(PriceEffects, OrderFlowExplainsAMidThatFollowsIt) {
    market_kernel::Draws draws{market_kernel::key_of(5, "measures", 0, "ofi")};
    DayByHand day;
    std::int64_t mid = 1'000'000;
    day.quote(0, mid - 100, mid + 100);
    for (int i = 1; i <= 300; ++i) {
        // A better bid (and a worse ask) brings 100 shares each, or the other way round.
        mid += draws.chance(.5) ? 100 : -100;
        day.quote(i, mid - 100, mid + 100);
    }
    const auto results = day.finish(301);
    EXPECT_NEAR(value_of(results, "ofi_r_squared"), 1, 1e-9);
    EXPECT_NEAR(value_of(results, "ofi_slope"), .5, 1e-9);
}

TEST(PriceEffects, SignsMergedByTimeStamp) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    // Merged: + - + - +, and unmerged + + + - - + - + + in time.
    for (const double at : {1., 1., 1.}) day.trade(at, Side::buy, 10'100);
    for (const double at : {2., 2.}) day.trade(at, Side::sell, 9'900);
    day.trade(3, Side::buy, 10'100);
    day.trade(4, Side::sell, 9'900);
    for (const double at : {5., 5.}) day.trade(at, Side::buy, 10'100);
    const auto results = day.finish(6);
    EXPECT_NEAR(value_of(results, "merged_sign_autocorrelation_1"), -1, 1e-12);
    EXPECT_EQ(count_of(results, "merged_sign_autocorrelation_1"), 4U);
    EXPECT_EQ(count_of(results, "sign_autocorrelation_1"), 8U);
    // Pairs ++ ++ +- -- -+ +- -+ ++: means 1/4 and 1/4, covariance 0 - 1/16, variance 15/16.
    EXPECT_NEAR(value_of(results, "sign_autocorrelation_1"), -1. / 15, 1e-12);
}

// First a small purchase, then a large sale of the same time: a sale.
TEST(PriceEffects, MergedTradesHaveTheSignOfTheLargerVolume) {
    DayByHand day;
    day.quote(0, 9'900, 10'100);
    for (const int second : {1, 2, 3, 4, 5}) {
        const Side large = second % 2 == 0 ? Side::buy : Side::sell;
        day.trade(second, Side::buy, 10'100, large == Side::buy ? 300 : 100);
        day.trade(second, Side::sell, 9'900, large == Side::sell ? 300 : 100);
    }
    const auto results = day.finish(6);
    EXPECT_NEAR(value_of(results, "merged_sign_autocorrelation_1"), -1, 1e-12);
}

TEST(PriceEffects, ReturnsOfTheMidByTheSecond) {
    DayByHand day;
    for (int i = 0; i < 20; ++i) {
        const std::int64_t up = i % 2 == 0 ? 0 : 200;
        day.quote(i + .5, 9'900 + up, 10'100 + up);
    }
    const auto results = day.finish(20);
    EXPECT_NEAR(value_of(results, "return_autocorrelation_1s"), -1, 1e-9);
    EXPECT_EQ(results.find("return_size_autocorrelation_1s"), nullptr) << "they are all the same";
    EXPECT_NEAR(value_of(results, "volatility"), 200, 1e-9);
    EXPECT_NEAR(value_of(results, "volatility_currency"), .02, 1e-12);
    // Up from 10,000 and down from 10,200: ten and nine times.
    EXPECT_NEAR(value_of(results, "volatility_bp"),
                std::sqrt((10 * 200. * 200 + 9 * std::pow(1e6 * 2 / 10'200, 2)) / 19), 1e-9);
    EXPECT_NEAR(value_of(results, "realised_variance_1s"), 40'000, 1e-6);
    EXPECT_NEAR(value_of(results, "realised_variance_2s"), 0, 1e-6);
    // 19 changes, whose mean is a 19th of one: 4 / 19^2 / (2 (1 - 2/19)) over (19 - 1/19) / 18.
    EXPECT_NEAR(value_of(results, "variance_ratio_2s"), 1. / 170, 1e-9);
    EXPECT_EQ(results.find("variance_ratio_z_2s"), nullptr) << "19 are fewer than ten times two";
    EXPECT_EQ(results.find("realised_variance_60s"), nullptr);
    EXPECT_EQ(results.find("excess_kurtosis_2s"), nullptr) << "they are all zero";
}

TEST(PriceEffects, ReturnsDoNotSpanAnEmptySide) {
    DayByHand day;
    day.quote(.5, 9'900, 10'100);
    day.quote(2.5, 9'900, 0);
    day.quote(3.5, 19'900, 20'100);
    const auto results = day.finish(5);
    EXPECT_EQ(value_of(results, "volatility"), 0) << "the price jumped while there was no mid";
    EXPECT_EQ(count_of(results, "volatility"), 2U);
}

TEST(PriceEffects, RatiosOfMessages) {
    DayByHand day;
    using Kind = OrderMessage::Kind;
    const auto tell = [&](double at_s, Kind kind, std::int64_t quantity) {
        day.measures.on_message(
            {.kind = kind, .time = DayByHand::time(at_s), .quantity = {quantity}});
    };
    tell(0, Kind::added, 100);
    tell(1, Kind::added, 50);
    tell(2, Kind::added, 100);
    tell(3, Kind::added, 7);
    tell(6, Kind::reduced, 1);
    tell(6, Kind::removed, 99);
    tell(7, Kind::executed, 50);
    tell(8, Kind::executed_hidden, 50);
    const auto results = day.finish(9);
    EXPECT_EQ(value_of(results, "cancels_to_adds"), .5);
    EXPECT_EQ(value_of(results, "orders_to_trades"), 3);
    EXPECT_EQ(value_of(results, "round_lot_adds"), .5);
    EXPECT_EQ(value_of(results, "hidden_executions"), .5);
    // Waits 1 1 1 3 0 1 1: mean 8/7, variance 14/7 - 64/49.
    EXPECT_NEAR(value_of(results, "interarrival_cv"), std::sqrt(2 - 64. / 49) / (8. / 7), 1e-9);
}

TEST(PriceEffects, WithoutMessagesTheirRatiosAreAbsent) {
    const auto results = day_of_impact(false).finish(600);
    for (const char* const name :
         {"cancels_to_adds", "orders_to_trades", "round_lot_adds", "hidden_executions"})
        EXPECT_EQ(results.find(name), nullptr) << name;
}

}  // namespace
}  // namespace damrak::measures_tests::trading_test
