// Traders: what they expect, which way they trade, and that all kinds survive rough markets.
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/average_traders.hpp>
#include <damrak/participants/detail/fcn_trader.hpp>
#include <damrak/participants/detail/fixed_maker.hpp>
#include <damrak/participants/detail/informed_trader.hpp>
#include <damrak/participants/detail/noise_trader.hpp>
#include <damrak/participants/detail/value_trader.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::traders_test {
namespace {

using namespace participants;

// The variance that the filter claims is that of its errors, and is the fixed point of Riccati's
// equation for a Brownian value: v = (sqrt(q^2 + 4 q r) - q) / 2 after an observation.
TEST(ValueFilter, KnowsItsOwnError) {
    const models::ValueDynamics is{.mean = 0, .reversion = 0, .volatility = 2, .observation_sd = 5};
    models::ValueEstimate estimate{};
    market_kernel::Draws draws{8};
    double value = 0;
    double squares = 0;
    constexpr int k_steps = 100'000;
    for (int i = 0; i < k_steps; ++i) {
        value += 2 * draws.normal();
        estimate = models::observed(is, models::later(is, estimate, 1), value + 5 * draws.normal());
        squares += (estimate.mean - value) * (estimate.mean - value);
    }
    const double expected = (std::sqrt(16. + 4 * 4 * 25) - 4) / 2;
    EXPECT_NEAR(estimate.variance, expected, 1e-9);
    EXPECT_NEAR(squares / k_steps / expected, 1, 0.03);
}

TEST(ValueFilter, ForgetsAtTheRateOfTheReversion) {
    const models::ValueDynamics is{
        .mean = 10, .reversion = .5, .volatility = 2, .observation_sd = 0};
    const auto soon = models::later(is, {20, 0}, 1);
    EXPECT_NEAR(soon.mean, 10 + 10 * std::exp(-.5), 1e-12);
    EXPECT_NEAR(soon.variance, 4 * (1 - std::exp(-1.)), 1e-12);
    const auto late = models::later(is, {20, 7}, 100);
    EXPECT_NEAR(late.mean, 10, 1e-12);
    EXPECT_NEAR(late.variance, 4, 1e-12);
    EXPECT_EQ(models::observed(is, late, 12).mean, 12);
}

TEST(Fcn, TheExpectedReturnIsTheWeightedMean) {
    EXPECT_DOUBLE_EQ(models::fcn_return({1, 0, 0}, .02, 200, .5, .5), .0001);
    EXPECT_DOUBLE_EQ(models::fcn_return({0, 2, 0}, .02, 200, .5, .7), .5);
    EXPECT_DOUBLE_EQ(models::fcn_return({1, 2, 1}, .02, 200, .5, .7), (.0001 + 1 + .7) / 4);
}

/// Quotes two sides at given prices, from given times on.
class Board final : public market_kernel::Participant {
  public:
    struct Step {
        double at_s;
        std::int64_t bid_ticks, ask_ticks;
    };
    explicit Board(std::vector<Step> steps) : steps_(std::move(steps)) {}
    void on_start(market_kernel::MarketAccess& access) override {
        for (std::size_t i = 0; i < steps_.size(); ++i)
            access.wake_at({access.now().value + static_cast<std::int64_t>(steps_[i].at_s * 1e9)},
                           i);
    }
    void on_timer(market_kernel::MarketAccess& access, std::uint64_t key) override {
        for (const auto handle : open_) access.cancel(handle);
        open_.clear();
        for (const Side side : {Side::buy, Side::sell}) {
            const auto ticks = side == Side::buy ? steps_[key].bid_ticks : steps_[key].ask_ticks;
            open_.push_back(access.enter({.instrument = k_first,
                                          .side = side,
                                          .price = {ticks * k_tick},
                                          .quantity = {100'000}}));
        }
    }

  private:
    std::vector<Step> steps_;
    std::vector<market_kernel::OrderHandle> open_;
};

std::vector<Board::Step> rising_board() {
    std::vector<Board::Step> steps;
    for (int i = 0; i < 100; ++i) steps.push_back({i + 0.5, 9'990 + i, 9'992 + i});
    return steps;
}

template <class T>
std::int64_t position_on_rising_board(double seconds) {
    SmallMarket small;
    small.add(std::make_unique<Board>(rising_board()));
    small.add<T>({});
    return small.run(seconds).position({2}, k_first).value;
}

TEST(AverageTraders, TradeWithTheTrendOrAgainstIt) {
    EXPECT_EQ(position_on_rising_board<MomentumTrader>(45), 0);  // the slow average is too young
    EXPECT_EQ(position_on_rising_board<MomentumTrader>(55.8), 500);
    EXPECT_EQ(position_on_rising_board<MomentumTrader>(90), 1'000);
    EXPECT_EQ(position_on_rising_board<MeanReversionTrader>(90), -1'000);
    AverageParameters wrong;
    wrong.fast_ns = wrong.slow_ns;
    EXPECT_NE(MomentumTrader::check(wrong), "");
}

std::int64_t informed_position(const InformedTrader::Parameters& is, double value) {
    SmallMarket small;
    small.setup.fundamentals[0].start = value;
    small.add(std::make_unique<Board>(std::vector<Board::Step>{{0, 9'990, 10'010}}));
    small.add<InformedTrader>(is);
    return small.run(5.5).position({2}, k_first).value;
}

TEST(Informed, TradesWhileTheSignalPaysForSpreadAndFee) {
    InformedTrader::Parameters is;
    EXPECT_EQ(informed_position(is, 1'001'200), 500);  // 12 ticks, half spread 10
    EXPECT_EQ(informed_position(is, 1'000'900), 0);    // 9 ticks
    EXPECT_EQ(informed_position(is, 998'800), -500);
    is.fee_ticks = 2.5;
    EXPECT_EQ(informed_position(is, 1'001'200), 0);
    is.fee_ticks = 0;
    is.half_life_ns = 4 * market_kernel::k_second_ns;  // 20 ticks count 10 after four seconds
    EXPECT_EQ(informed_position(is, 1'002'000), 300);
    is.most_position = 250;
    EXPECT_EQ(informed_position(is, 1'002'000), 250);
}

// A maker that quotes around the last trade knows nothing of the value; one that does, earns.
template <class T>
double profit_against_a_slow_maker(const typename T::Parameters& is) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
        SmallMarket small{seed};
        small.setup.fundamentals[0].volatility = 0.0003;
        FixedMaker::Parameters maker;
        maker.half_spread_ticks = 3;
        maker.skew_ticks = 1;
        maker.most_position = 100'000;
        small.add<FixedMaker>(maker);
        small.add<NoiseTrader>({});
        small.add<T>(is);
        auto& market = small.run(3'000);
        const double value = market.fundamentals().value(k_first, market.now());
        sum += static_cast<double>(market.account({3}).cash) +
               value * static_cast<double>(market.position({3}, k_first).value);
        EXPECT_GT(market.account({3}).trades, 20U);
    }
    return sum;
}

TEST(Traders, WhoKnowsTheValueEarns) {
    EXPECT_GT(profit_against_a_slow_maker<InformedTrader>({}), 0);
    ValueTrader::Parameters value;
    value.looks_per_s = 1;
    value.volatility_ticks = 3;
    EXPECT_GT(profit_against_a_slow_maker<ValueTrader>(value), 0);
}

// A market of fcn traders alone follows the value, which no maker quotes.
TEST(Fcn, AGroupKeepsThePriceNearTheValue) {
    SmallMarket small{2};
    small.setup.fundamentals[0].volatility = 0.0001;
    for (int i = 0; i < 50; ++i) small.add<FcnTrader>({});
    auto& market = small.run(3'600);
    EXPECT_GT(market.counts().trades, 3'000U);
    const double value = market.fundamentals().value(k_first, market.now());
    EXPECT_NE(value, 1e6);
    EXPECT_NEAR(static_cast<double>(market.latest(k_first).last_price.value) / value, 1, 0.005);
}

// Every kind, alone and among others: with an empty book, in a halt, without data, cut off, and
// with latencies from none to a second.
TEST(AllKinds, SurviveRoughMarkets) {
    for (const Kind& kind : kinds()) {
        EXPECT_EQ(kind.check({}), "") << kind.name;
        for (const std::int64_t latency_ns : {0L, 5'000'000L, 1'000'000'000L}) {
            for (const bool is_alone : {true, false}) {
                SmallMarket small{9};
                small.setup.fundamentals[0].volatility = 0.001;
                market_kernel::Connection connection;
                connection.orders.base_ns = latency_ns;
                connection.reports.base_ns = latency_ns;
                connection.data.base_ns = latency_ns;
                small.add(kind.make({}, {{k_first}}), connection);
                if (!is_alone) {
                    NoiseTrader::Parameters noise;
                    noise.orders_per_s = 20;
                    noise.market_share = 0.5;
                    small.add<NoiseTrader>(noise);
                }
                auto& market = small.run(60);
                Command state{};
                state.kind = CommandKind::set_trading_state;
                state.instrument = k_first;
                state.trading_state = TradingState::halted;
                market.submit(state);
                small.run(70);
                state.trading_state = TradingState::trading;
                market.submit(state);
                small.run(80);
                market.set_data_outage({1}, true);
                small.run(90);
                market.set_data_outage({1}, false);
                market.set_disconnected({1}, true);
                small.run(100);
                market.set_disconnected({1}, false);
                small.run(160);
                EXPECT_TRUE(small.ran)
                    << kind.name << ' ' << (market.faults().empty() ? "" : market.faults()[0].what);
                EXPECT_NO_FATAL_FAILURE(market.engine().check_invariants());
            }
        }
    }
}

}  // namespace
}  // namespace damrak::participants_tests::traders_test
