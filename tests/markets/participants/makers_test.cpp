// Market makers: the formulas of their papers, their quotes in a market, and what they do when the
// market is empty, halted or far away.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/cont_stoikov_talreja.hpp>
#include <damrak/participants/detail/fixed_maker.hpp>
#include <damrak/participants/detail/noise_trader.hpp>
#include <damrak/participants/detail/optimal_makers.hpp>
#include <damrak/participants/models/market_making.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::makers_test {
namespace {

using namespace participants;

TEST(MarketMaking, AvellanedaAndStoikovsQuotes) {
    const models::MakingModel model;
    const auto at_start = models::avellaneda_stoikov_quotes(model, 0, 1);
    EXPECT_NEAR(100 - at_start.bid, 99.1546, 5e-5);
    EXPECT_NEAR(100 + at_start.ask, 100.8454, 5e-5);
    const auto later = models::avellaneda_stoikov_quotes(model, 3, .5);
    EXPECT_NEAR(100 - later.bid, 98.6546, 5e-5);
    EXPECT_NEAR(100 + later.ask, 100.1454, 5e-5);
}

TEST(MarketMaking, GlftsQuotes) {
    const models::MakingModel model;
    constexpr double k_c = .645385;
    constexpr double k_b = .051717;
    for (const double q : {-4., 0., 3.}) {
        const auto at = models::glft_quotes(model, q);
        EXPECT_NEAR(at.bid, k_c + (2 * q + 1) * k_b / 2, 5e-6);
        EXPECT_NEAR(at.bid + at.ask, 1.342488, 5e-6);
    }
}

// Avellaneda and Stoikov (2008), recomputed with 20,000 runs.
TEST(MarketMaking, ProfitAndInventoryAreThoseOfThePaper) {
    struct Row {
        double gamma, profit, profit_sd, inventory_sd;
    };
    for (const Row& row :
         {Row{.1, 64.9, 6.60, 2.93}, {.01, 68.4, 9.0, 5.22}, {.5, 48.5, 5.9, 1.97}}) {
        market_kernel::Draws draws{99};
        constexpr int k_runs = 20'000;
        double sum = 0;
        double squares = 0;
        double inventory_squares = 0;
        for (int i = 0; i < k_runs; ++i) {
            const auto run = models::simulate_making({.risk_aversion = row.gamma}, 1, 200, draws);
            sum += run.profit;
            squares += run.profit * run.profit;
            inventory_squares += run.inventory * run.inventory;
        }
        const double mean = sum / k_runs;
        EXPECT_NEAR(mean, row.profit, 4 * row.profit_sd / std::sqrt(k_runs)) << row.gamma;
        EXPECT_NEAR(std::sqrt(squares / k_runs - mean * mean) / row.profit_sd, 1, .03);
        EXPECT_NEAR(std::sqrt(inventory_squares / k_runs) / row.inventory_sd, 1, .03);
    }
}

/// Counts rejects: a post-only order that could trade is one.
class Rejects final : public market_kernel::MarketWatcher {
  public:
    void on_event(const Event& event, const CommandStamp& /*stamp*/) override {
        if (event.kind == EventKind::rejected) ++rejects;
    }
    int rejects = 0;
};

// With ticks of .01, the numbers of the paper in ticks.
AvellanedaStoikov::Parameters paper_in_ticks() {
    AvellanedaStoikov::Parameters is;
    is.anchor = "fundamental";
    is.risk_aversion = .1 / 100;
    is.volatility_ticks = 200;
    is.decay_per_tick = 1.5 / 100;
    is.horizon_ns = market_kernel::k_second_ns;
    return is;
}

TEST(AvellanedaStoikov, QuotesOnTicksAroundItsPrice) {
    SmallMarket small;
    small.add<AvellanedaStoikov>(paper_in_ticks());
    const auto& latest = small.run(0.05).latest(k_first);
    EXPECT_EQ(latest.bid, Price{(10'000 - 85) * k_tick});
    EXPECT_EQ(latest.ask, Price{(10'000 + 85) * k_tick});
    EXPECT_EQ(latest.bid_quantity, Quantity{100});
}

/// Buys or sells by market order at a time.
class Taker final : public market_kernel::Participant {
  public:
    Taker(Side side, std::int64_t quantity, double at_s)
        : side_(side), quantity_(quantity), at_s_(at_s) {}
    void on_start(market_kernel::MarketAccess& access) override {
        access.wake_at({access.now().value + static_cast<std::int64_t>(at_s_ * 1e9)});
    }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t /*key*/) override {
        access.enter({.instrument = k_first,
                      .side = side_,
                      .type = OrderType::market,
                      .time_in_force = TimeInForce::ioc,
                      .quantity = {quantity_}});
    }

  private:
    Side side_;
    std::int64_t quantity_;
    double at_s_;
};

TEST(FixedMaker, InventoryShiftsBothQuotes) {
    FixedMaker::Parameters is;
    is.anchor = "fundamental";
    is.half_spread_ticks = 5;
    is.skew_ticks = 2;
    SmallMarket small;
    small.add<FixedMaker>(is);
    small.add(std::make_unique<Taker>(Side::sell, 100, 0.5));
    auto& market = small.run(0.4);
    EXPECT_EQ(market.latest(k_first).bid, Price{9'995 * k_tick});
    EXPECT_EQ(market.latest(k_first).ask, Price{10'005 * k_tick});
    small.run(0.6);
    EXPECT_EQ(market.position({1}, k_first), Quantity{100});
    EXPECT_EQ(market.latest(k_first).bid, Price{9'993 * k_tick});
    EXPECT_EQ(market.latest(k_first).ask, Price{10'003 * k_tick});
}

TEST(FixedMaker, ALevelBeyondTheMostPositionIsNotQuoted) {
    FixedMaker::Parameters is;
    is.levels = 3;
    is.most_position = 300;
    is.anchor = "fundamental";
    is.skew_ticks = 0;
    for (const Side side : {Side::buy, Side::sell}) {
        SmallMarket small;
        small.add<FixedMaker>(is);
        small.add(std::make_unique<Taker>(opposite(side), 300, 0.5));
        auto& market = small.run(0.6);
        EXPECT_EQ(market.position({1}, k_first), Quantity{side == Side::buy ? 300 : -300});
        EXPECT_EQ(market.latest(k_first).has_bid(), side == Side::sell);
        EXPECT_EQ(market.latest(k_first).has_ask(), side == Side::buy);
    }
}

TEST(FixedMaker, TheObligationBoundsTheSpread) {
    FixedMaker::Parameters is;
    is.half_spread_ticks = 50.4;
    is.most_spread_ticks = 20;
    SmallMarket small;
    small.setup.fundamentals[0].start = 1'000'033;
    small.add<FixedMaker>(is);
    const auto& latest = small.run(1).latest(k_first);
    ASSERT_TRUE(latest.has_both());
    EXPECT_LE(latest.ask.value - latest.bid.value, 20 * k_tick);
    EXPECT_GE(latest.ask.value - latest.bid.value, 18 * k_tick);
    is.least_quantity = 200;
    EXPECT_NE(FixedMaker::check(is), "");
}

TEST(FixedMaker, AloneItDoesNotChaseItsOwnQuotes) {
    FixedMaker::Parameters is;
    is.skew_ticks = 3;
    SmallMarket small;
    small.add<FixedMaker>(is);
    small.add(std::make_unique<Taker>(Side::sell, 100, 0.5));
    const auto& latest = small.run(60).latest(k_first);
    // Around the last trade at 9,998, and lower for the inventory.
    EXPECT_EQ(latest.bid, Price{9'993 * k_tick});
    EXPECT_EQ(latest.ask, Price{9'997 * k_tick});
}

TEST(FixedMaker, AHaltIsWaitedOutWithoutAStorm) {
    FixedMaker::Parameters is;
    is.anchor = "fundamental";
    SmallMarket small;
    small.setup.fundamentals[0].volatility = 0.001;
    small.add<FixedMaker>(is);
    Rejects seen;
    auto& market = small.run(1, {&seen});
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = k_first;
    halt.trading_state = TradingState::halted;
    market.submit(halt);
    small.run(11);
    EXPECT_GT(seen.rejects, 0);
    EXPECT_LE(seen.rejects, 2 * 101);    // a request a side and interval
    market.set_disconnected({1}, true);  // its orders are gone, so it enters new ones
    market.set_disconnected({1}, false);
    seen.rejects = 0;
    small.run(21);
    EXPECT_GT(seen.rejects, 2 * 90);
    EXPECT_LE(seen.rejects, 2 * 101);
    halt.trading_state = TradingState::trading;
    market.submit(halt);
    small.run(22);
    EXPECT_TRUE(market.latest(k_first).has_both());
}

// Value moves several ticks between two looks, both ways, so that each quote often wants the place
// of the other. Quotes are post-only, so that meeting an own order is a reject.
TEST(Makers, NeverMeetTheirOwnOrdersAtAnyLatency) {
    for (const std::int64_t latency_ns : {0L, 3'000'000L, 250'000'000L}) {
        FixedMaker::Parameters is;
        is.anchor = "fundamental";
        is.levels = 3;
        is.half_spread_ticks = 1;
        SmallMarket small;
        small.setup.fundamentals[0].volatility = 0.003;
        market_kernel::Connection connection;
        connection.orders.base_ns = latency_ns;
        connection.reports.base_ns = latency_ns;
        connection.data.base_ns = latency_ns;
        small.add<FixedMaker>(is, connection);
        Rejects seen;
        auto& market = small.run(120, {&seen});
        EXPECT_TRUE(small.ran);
        EXPECT_EQ(seen.rejects, 0) << latency_ns;
        EXPECT_EQ(market.counts().trades, 0U);
        EXPECT_GT(market.counts().messages, 500U);
        small.run(121);
        EXPECT_NO_FATAL_FAILURE(market.engine().check_invariants());
    }
}

TEST(Makers, EarnTheSpreadFromNoise) {
    for (const auto* const name : {"fixed-maker", "glft", "avellaneda-stoikov"}) {
        SmallMarket small{4};
        const auto* const kind = find_kind(name);
        ASSERT_NE(kind, nullptr) << name;
        ParameterValues values;
        values["anchor"].text = "fundamental";
        small.add(kind->make(values, {{k_first}}));
        NoiseTrader::Parameters noise;
        noise.orders_per_s = 20;
        noise.market_share = 1;
        small.add<NoiseTrader>(noise);
        auto& market = small.run(2'000);
        EXPECT_TRUE(small.ran);
        const double worth = static_cast<double>(market.account({1}).cash) +
                             1e6 * static_cast<double>(market.position({1}, k_first).value);
        EXPECT_GT(market.account({1}).trades, 5'000U) << name;
        EXPECT_GT(worth / static_cast<double>(market.account({1}).volume), k_tick) << name;
        EXPECT_LE(std::abs(market.position({1}, k_first).value), 1'000) << name;
    }
}

}  // namespace
}  // namespace damrak::participants_tests::makers_test
