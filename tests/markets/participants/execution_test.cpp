// Execution: the trajectories of the definitions and papers, in deep, thin and late markets.
#include <damrak/participants/execution.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/iceberg_slicer.hpp>
#include <damrak/participants/detail/noise_trader.hpp>
#include <damrak/participants/detail/scripted_trader.hpp>
#include <damrak/participants/models/almgren_chriss.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::execution_test {
namespace {

using namespace participants;

// Almgren and Chriss (2001): a million shares in five days.
TEST(AlmgrenChrissModel, HoldingsAndCostsAreThoseOfThePaper) {
    const models::ExecutionModel model;
    const double urgency = models::execution_urgency(model, 1);
    EXPECT_NEAR(urgency, .6071, 5e-5);
    std::vector<double> holdings;
    for (int day = 0; day <= 5; ++day)
        holdings.push_back(1e6 * models::held_share(urgency, 5, day));
    const double expected[] = {1e6, 541'956, 289'854, 147'897, 62'142, 0};
    for (std::size_t day = 0; day <= 5; ++day) EXPECT_NEAR(holdings[day], expected[day], .5) << day;
    const auto cost = models::execution_cost(model, holdings, 1);
    EXPECT_NEAR(cost.mean, 911'227, .5);
    EXPECT_NEAR(cost.deviation, 603'431, .5);
}

TEST(AlmgrenChrissModel, WithoutRiskAversionItIsAStraightLine) {
    models::ExecutionModel model;
    model.risk_aversion = 0;
    const double urgency = models::execution_urgency(model, 1);
    const std::vector<double> even{1e6, 8e5, 6e5, 4e5, 2e5, 0};
    for (std::size_t day = 0; day <= 5; ++day)
        EXPECT_NEAR(1e6 * models::held_share(urgency, 5, static_cast<double>(day)), even[day], .5);
    const auto cost = models::execution_cost(model, even, 1);
    EXPECT_NEAR(cost.mean, 662'500, .5);
    EXPECT_NEAR(cost.deviation, 1'040'673, .5);
    EXPECT_NEAR(models::held_share(1'000, 5, 1), 0, 1e-12) << "no overflow";
}

/// What the first participant traded and displayed.
struct Seen {
    struct Fill {
        std::int64_t at_ms, price, quantity;
        bool takes;
    };
    [[nodiscard]] std::int64_t between(std::int64_t from_ms, std::int64_t to_ms) const {
        std::int64_t sum = 0;
        for (const Fill& fill : fills)
            if (fill.at_ms >= from_ms && fill.at_ms < to_ms) sum += fill.quantity;
        return sum;
    }
    std::vector<Fill> fills;
    std::int64_t total = 0;
    std::int64_t others = 0;  ///< traded without it
    std::int64_t most_displayed = 0;
    int messages = 0;
};
class FillWatch final : public market_kernel::MarketWatcher {
  public:
    void on_event(const Event& event, const CommandStamp& stamp) override {
        const std::int64_t ms =
            (stamp.timestamp - market_kernel::MarketSetup{}.begin).value / 1'000'000;
        const bool takes = has_flag(event, EventFlags::k_aggressor);
        if (event.participant.value != 1) {
            if (event.kind == EventKind::executed && takes) seen.others += event.quantity.value;
            return;
        }
        seen.most_displayed = std::max(seen.most_displayed, event.displayed.value);
        ++seen.messages;
        if (event.kind != EventKind::executed) return;
        seen.fills.push_back({ms, event.price.value, event.quantity.value, takes});
        seen.total += event.quantity.value;
    }
    Seen seen;
};

/// A participant at its place, then the other side of its trades.
template <class T>
Seen executed(const typename T::Parameters& is, std::vector<std::string> others,
              double seconds = 200, const market_kernel::Connection& connection = {}) {
    SmallMarket small;
    small.add<T>(is, connection);
    ScriptedTrader::Parameters script;
    script.orders = std::move(others);
    EXPECT_EQ(ScriptedTrader::check(script), "");
    small.add<ScriptedTrader>(script);
    FillWatch watch;
    small.run(seconds, {&watch});
    EXPECT_TRUE(small.ran);
    return watch.seen;
}
const std::vector<std::string> k_deep{"0s buy 200000 limit 99.9", "0s sell 200000 limit 100.1"};

template <class P>
P ten_slots() {
    P is;
    is.quantity = 1'000;
    is.start_ns = 10 * market_kernel::k_second_ns;
    is.end_ns = 110 * market_kernel::k_second_ns;
    is.interval_ns = 10 * market_kernel::k_second_ns;
    return is;
}

TEST(Twap, TradesTheSameInEachSlot) {
    const auto watch = executed<Twap>(ten_slots<Twap::Parameters>(), k_deep);
    ASSERT_EQ(watch.fills.size(), 10U);
    for (std::size_t i = 0; i < watch.fills.size(); ++i) {
        EXPECT_EQ(watch.fills[i].quantity, 100);
        EXPECT_EQ(watch.fills[i].at_ms, 10'000 + 10'000 * static_cast<std::int64_t>(i));
        EXPECT_EQ(watch.fills[i].price, 999'000);
    }
}

TEST(Twap, ASlotThatFoundNoCounterpartIsMadeUpFor) {
    auto is = ten_slots<Twap::Parameters>();
    const auto late =
        executed<Twap>(is, {"45s buy 10000 limit 99.9", "0s sell 200000 limit 100.1"});
    EXPECT_EQ(late.between(0, 50'000), 0);
    EXPECT_EQ(late.between(50'000, 51'000), 500);
    EXPECT_EQ(late.total, 1'000);
    is.limit_price = 999'500;
    const auto limited = executed<Twap>(is, {"0s buy 250 limit 99.95", "0s buy 9000 limit 99.94"});
    EXPECT_EQ(limited.total, 250) << "nothing below the limit";
    const auto never = executed<Twap>(is, {});
    EXPECT_EQ(never.total, 0);
    EXPECT_LE(never.messages, 40) << "no storm in an empty book";
}

TEST(Vwap, FollowsItsCurve) {
    auto is = ten_slots<Vwap::Parameters>();
    is.side = "buy";
    is.profile = {3, 1, 1, 0, 5};
    const auto watch = executed<Vwap>(is, k_deep);
    const std::int64_t parts[] = {300, 100, 100, 0, 500};
    for (int i = 0; i < 5; ++i)
        EXPECT_EQ(watch.between(10'000 + 20'000 * i, 30'000 + 20'000 * i), parts[i]) << i;
    is.profile = {0, 0};
    EXPECT_NE(Vwap::check(is), "");
    is.profile = {};
    EXPECT_EQ(executed<Vwap>(is, k_deep).between(10'000, 60'000), 500) << "uniform";
}

TEST(AlmgrenChriss, TradesAlongTheTrajectory) {
    auto is = ten_slots<AlmgrenChriss::Parameters>();
    is.quantity = 100'000;
    is.interval_ns = 20 * market_kernel::k_second_ns;
    is.permanent_impact = 2.5e-7;
    is.temporary_impact = 2.5e-6 * 20;  // a slot is a day of the paper
    is.volatility = .95 / std::sqrt(20);
    is.risk_aversion = 1e-6;
    const auto watch = executed<AlmgrenChriss>(is, k_deep);
    const std::int64_t held[] = {100'000, 54'196, 28'985, 14'790, 6'214, 0};
    std::int64_t left = 100'000;
    for (int i = 0; i < 5; ++i) {
        left -= watch.between(10'000 + 20'000 * i, 30'000 + 20'000 * i);
        EXPECT_NEAR(static_cast<double>(left), static_cast<double>(held[i + 1]), 1) << i;
    }
    is.permanent_impact = 1;
    EXPECT_NE(AlmgrenChriss::check(is), "");
}

TEST(Pov, TradesItsShareOfTheVolumeOfOthers) {
    Pov::Parameters is;
    is.quantity = 1'000'000;
    is.participation = .25;
    is.end_ns = 1'000 * market_kernel::k_second_ns;
    SmallMarket small;
    small.add<Pov>(is);
    NoiseTrader::Parameters noise;
    noise.orders_per_s = 20;
    small.add<NoiseTrader>(noise);
    ScriptedTrader::Parameters depth;
    depth.orders = k_deep;
    small.add<ScriptedTrader>(depth);
    FillWatch watch;
    small.run(1'000, {&watch});
    EXPECT_GT(watch.seen.others, 50'000);
    EXPECT_NEAR(static_cast<double>(watch.seen.total) / static_cast<double>(watch.seen.others), .25,
                .01);
    is.quantity = 500;
    const auto capped = executed<Pov>(is, {"0s buy 9000 limit 99.9", "1s sell 4000 market"});
    EXPECT_EQ(capped.total, 0) << "others did not trade";
}

// Passive children, slower than a slot: what is late and what is new is on the way at a time.
TEST(Execution, PassiveChildrenRestFirstAndNeverExceedTheParent) {
    for (const std::int64_t latency_ns : {0L, 50'000'000L, 3'000'000'000L, 12'000'000'000L}) {
        auto is = ten_slots<Twap::Parameters>();
        is.children = "passive";
        SmallMarket small{3};
        market_kernel::Connection connection;
        connection.orders.base_ns = latency_ns;
        connection.reports.base_ns = latency_ns;
        small.add<Twap>(is, connection);
        NoiseTrader::Parameters noise;
        noise.orders_per_s = 3;
        noise.quantity = 10;
        noise.market_share = 0.5;
        small.add<NoiseTrader>(noise);
        ScriptedTrader::Parameters depth;
        depth.orders = {"0s buy 200000 limit 99.5"};
        small.add<ScriptedTrader>(depth);
        FillWatch watch;
        small.run(400, {&watch});
        EXPECT_LE(watch.seen.total, 1'000) << latency_ns;
        std::int64_t passive = 0;
        for (const auto& fill : watch.seen.fills) passive += fill.takes ? 0 : fill.quantity;
        EXPECT_GT(passive, 50) << latency_ns;
        if (latency_ns < 1'000'000'000) {
            EXPECT_EQ(watch.seen.total, 1'000) << latency_ns;
            EXPECT_LT(passive, 1'000) << latency_ns;
        }
    }
}

TEST(IcebergSlicer, ShowsASliceAtATime) {
    IcebergSlicer::Parameters is;
    is.quantity = 1'050;
    is.slice = 100;
    is.end_ns = 100 * market_kernel::k_second_ns;
    std::vector<std::string> takers{"0s buy 10 limit 99", "0s sell 10 limit 100.5"};
    for (int i = 2; i < 40; ++i) takers.push_back(std::to_string(i) + "s buy 60 limit 110 ioc");
    const auto watch = executed<IcebergSlicer>(is, takers);
    EXPECT_EQ(watch.total, 1'050);
    EXPECT_EQ(watch.most_displayed, 100);
    for (const auto& fill : watch.fills) EXPECT_FALSE(fill.takes);
}

TEST(IcebergSlicer, KeepsItsLimitAndItsEnd) {
    IcebergSlicer::Parameters is;
    is.quantity = 1'000;
    is.end_ns = 20 * market_kernel::k_second_ns;
    is.limit_price = 1'002'000;
    const auto watch =
        executed<IcebergSlicer>(is, {"0s sell 10 limit 100.1", "5s buy 500 limit 100.15 ioc",
                                     "10s buy 150 limit 100.3 ioc", "25s buy 500 limit 100.3 ioc"});
    EXPECT_EQ(watch.total, 100) << "the next slice comes after the taker";
    for (const auto& fill : watch.fills) EXPECT_EQ(fill.price, 1'002'000);
}

}  // namespace
}  // namespace damrak::participants_tests::execution_test
