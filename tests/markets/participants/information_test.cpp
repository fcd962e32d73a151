// Markets with private information and private values, against their closed forms.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/fixed_maker.hpp>
#include <damrak/participants/detail/glosten_milgrom.hpp>
#include <damrak/participants/detail/kyle_trader.hpp>
#include <damrak/participants/detail/neutral_flow.hpp>
#include <damrak/participants/detail/zic_trader.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::information_test {
namespace {

using namespace participants;

TEST(GlostenMilgrom, QuotesAreExact) {
    models::GlostenMilgrom belief{.5, .3};
    EXPECT_DOUBLE_EQ(belief.bid(), .35);
    EXPECT_DOUBLE_EQ(belief.ask(), .65);
    belief.probability = belief.ask();
    EXPECT_NEAR(belief.bid(), .5, 1e-12);
    EXPECT_NEAR(belief.ask(), .77523, 5e-6);
    belief.probability = belief.ask();
    EXPECT_NEAR(belief.bid(), .65, 1e-12);
    EXPECT_NEAR(belief.ask(), .86496, 5e-6);
}

/// The quotes of the book after each trade, by the number of buys less that of sells.
class QuotesByImbalance final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        if (change.kind == views::PublicChange::Kind::trade)
            imbalance += change.side == Side::buy ? 1 : -1;
        if (change.has_both()) last = change;
    }
    int imbalance = 0;
    views::PublicChange last{};
};

GlostenMilgromMaker::Parameters ten_thousand_ticks() {
    GlostenMilgromMaker::Parameters is;
    is.low = 1'000'000;
    is.high = 2'000'000;
    return is;
}

// The belief depends on buys less sells alone: odds of (1.3 / .7)^n.
TEST(GlostenMilgrom, TheMakerQuotesItsExpectationAfterEachTrade) {
    SmallMarket small{6};
    small.add<GlostenMilgromMaker>(ten_thousand_ticks());
    small.add<GlostenMilgromTraders>({});
    QuotesByImbalance seen;
    int checked = 0;
    for (int second = 0; second < 60; ++second) {
        small.run(second + 0.5, {&seen});
        const auto price = [](int imbalance) {
            const double odds = std::pow(1.3 / .7, imbalance);
            return 1e6 + 1e6 * odds / (1 + odds);
        };
        const double bid = price(seen.imbalance - 1);
        const double ask = price(seen.imbalance + 1);
        EXPECT_LE(static_cast<double>(seen.last.bid.value), bid + 1e-3);
        EXPECT_GT(static_cast<double>(seen.last.bid.value), bid - k_tick - 1e-3);
        EXPECT_GE(static_cast<double>(seen.last.ask.value), ask - 1e-3);
        EXPECT_LT(static_cast<double>(seen.last.ask.value), ask + k_tick + 1e-3);
        ++checked;
    }
    EXPECT_EQ(checked, 60);
    EXPECT_GT(small.market->counts().trades, 30U);
}

// The maker earns nothing but the rounding, whichever the value is, and learns it.
TEST(GlostenMilgrom, TheMakerEarnsNothing) {
    constexpr int k_sessions = 600;
    double sum = 0;
    double squares = 0;
    int high = 0;
    int right = 0;
    for (std::uint64_t seed = 1; seed <= k_sessions; ++seed) {
        SmallMarket small{seed};
        small.add<GlostenMilgromMaker>(ten_thousand_ticks());
        auto& traders = small.add<GlostenMilgromTraders>({});
        auto& market = small.run(40);
        const double value = traders.is_high(0) ? 2e6 : 1e6;
        const double profit = (static_cast<double>(market.account({1}).cash) +
                               value * static_cast<double>(market.position({1}, k_first).value)) /
                              1e6 / 100;
        sum += profit;
        squares += profit * profit;
        high += traders.is_high(0) ? 1 : 0;
        right += (market.latest(k_first).mid() > 1.5e6) == traders.is_high(0) ? 1 : 0;
    }
    const double mean = sum / k_sessions;
    const double error = std::sqrt((squares / k_sessions - mean * mean) / k_sessions);
    EXPECT_LT(error, 0.1);
    EXPECT_NEAR(mean, 0, 4 * error);
    EXPECT_NEAR(high, k_sessions / 2.0, 4 * std::sqrt(k_sessions) / 2);
    EXPECT_GT(right, 0.94 * k_sessions);
}

TEST(Kyle, OneAuctionHasTheClosedForm) {
    const auto one = models::kyle_auctions(1, 4, 9);
    EXPECT_NEAR(one[0].lambda, .5 * 2 / 3, 1e-12);
    EXPECT_NEAR(one[0].beta, 1.5, 1e-12);
    EXPECT_NEAR(one[0].variance, 2, 1e-12);
}

TEST(Kyle, AuctionsInSequenceAreThoseOfThePaper) {
    const auto two = models::kyle_auctions(2, 1, 1);
    EXPECT_NEAR(two[0].lambda, .6529, 5e-5);
    EXPECT_NEAR(two[1].lambda, .5882, 5e-5);
    EXPECT_NEAR(two[0].variance, .6920, 5e-5);
    EXPECT_NEAR(two[1].variance, .3460, 5e-5);
    const auto four = models::kyle_auctions(4, 1, 1);
    const std::array<double, 4> lambdas{.7648, .7568, .7372, .6642};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(four[i].lambda, lambdas[i], 5e-5) << i;
    EXPECT_NEAR(four[3].variance, .2206, 5e-5);
    const auto ten = models::kyle_auctions(10, 1, 1);
    EXPECT_NEAR(ten[0].lambda, .8653, 5e-5);
    EXPECT_NEAR(ten[9].variance, .1099, 5e-5);
    EXPECT_NEAR(models::kyle_auctions(2'000, 1, 1)[0].lambda, 1, .01);
}

// The regression of the value on the order flow of the last auction gives its lambda.
TEST(Kyle, LambdaIsTheRegressionOfValueOnFlow) {
    const auto auctions = models::kyle_auctions(4, 1, 1);
    market_kernel::Draws draws{21};
    double flow_value = 0;
    double flow_flow = 0;
    constexpr int k_runs = 100'000;
    for (int i = 0; i < k_runs; ++i) {
        const double value = draws.normal();
        double price = 0;
        double flow = 0;
        double before = 0;
        for (const auto& auction : auctions) {
            before = price;
            flow = auction.beta * (value - price) + draws.normal() / 2;
            price += auction.lambda * flow;
        }
        flow_value += flow * (value - before);
        flow_flow += flow * flow;
    }
    const double lambda = flow_value / flow_flow;
    const double error = std::sqrt(auctions[3].variance / flow_flow);
    EXPECT_NEAR(lambda, auctions[3].lambda, 4 * error);
    EXPECT_LT(error, 0.005);
}

TEST(Kyle, TheInsiderOrdersItsSlicesWithinTheValue) {
    KyleTrader::Parameters is;
    is.value_sd_ticks = 10;
    is.noise_sd = 1'000;
    is.slices = 2;
    is.horizon_ns = 2 * market_kernel::k_second_ns;
    FixedMaker::Parameters maker;
    maker.anchor = "last";
    maker.half_spread_ticks = 5;
    maker.skew_ticks = 0;
    maker.quantity = 10'000;
    maker.most_position = 1'000'000;
    SmallMarket small;
    small.setup.fundamentals[0].start = 1'000'000;
    small.add<FixedMaker>(maker);
    small.add<KyleTrader>(is);
    auto& market = small.run(0.5);
    market.fundamentals().plan({k_first, {market.now().value + 1}, std::log(1.002)});  // 20 ticks
    small.run(1.05);
    // beta of the first of two auctions, in shares a tick, times 20 ticks
    const double beta = models::kyle_auctions(2, 100, 1e6)[0].beta;
    EXPECT_NEAR(static_cast<double>(market.position({2}, k_first).value), beta * 20, 1 + beta * .1);
    EXPECT_EQ(market.latest(k_first).last_price, Price{10'005 * k_tick});
}

/// The first quote after a trade finds an empty book.
class ClearedBooks final : public market_kernel::MarketWatcher {
  public:
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        last_ = change;
        if (change.kind == views::PublicChange::Kind::trade) has_traded_ = true;
    }
    void on_sent(ParticipantId /*participant*/, const Command& command,
                 Timestamp /*time*/) override {
        if (command.kind == CommandKind::cancel_order || !has_traded_) return;
        has_traded_ = false;
        ++quotes;
        if (last_.has_bid() || last_.has_ask()) ++uncleared;
    }
    int quotes = 0, uncleared = 0;

  private:
    bool has_traded_ = false;
    views::PublicChange last_{};
};

struct Session {
    double efficiency = 0;
    std::uint64_t trades = 0;
};

// 6 buyers and 6 sellers of `units` units each, worth 150 to 50 and costing 50 to 150.
Session zic_session(std::uint64_t seed, std::int64_t units, std::uint32_t members) {
    SmallMarket small{seed};
    std::vector<const ZicTrader*> traders;
    for (const bool buys : {true, false}) {
        ZicTrader::Parameters is;
        is.side = buys ? "buy" : "sell";
        if (!buys) std::swap(is.first, is.last);
        is.units = units;
        EXPECT_EQ(ZicTrader::check(is), "");
        for (std::uint32_t member = 0; member < members; ++member) {
            traders.push_back(&small.add<ZicTrader>(is));
            small.setup.seats.back().group = is.side;
            small.setup.seats.back().member = member;
            small.setup.seats.back().members = members;
        }
    }
    ClearedBooks cleared;
    auto& market = small.run(3'000, {&cleared});
    EXPECT_GT(cleared.quotes, 5);
    EXPECT_EQ(cleared.uncleared, 0);
    double gained = 0;
    double possible = 0;
    const std::int64_t all = units * members;
    for (std::int64_t i = 0; i < all; ++i)
        possible += std::max(0., 1e6 - 2e6 * static_cast<double>(i) / static_cast<double>(all - 1));
    for (std::uint32_t i = 0; i < traders.size(); ++i) {
        const std::int64_t position = market.position({i + 1}, k_first).value;
        for (std::size_t unit = 0; unit < static_cast<std::size_t>(std::abs(position)); ++unit)
            gained += (position > 0 ? 1 : -1) * traders[i]->units().at(unit);
    }
    return {gained / possible, market.counts().trades};
}

// Gode and Sunder (1993), recomputed for these schedules: .988 (sd .0125 a session) with four units
// a trader, .961 with one unit each for 24.
TEST(Zic, MarketsAreAsEfficientAsInThePaper) {
    const auto mean_of = [](std::int64_t units, std::uint32_t members) {
        double sum = 0;
        for (std::uint64_t seed = 1; seed <= 60; ++seed)
            sum += zic_session(seed, units, members).efficiency;
        return sum / 60;
    };
    EXPECT_NEAR(mean_of(4, 6), .988, 4 * .0125 / std::sqrt(60));
    EXPECT_NEAR(mean_of(1, 24), .961, .015);
}

/// Counts messages by their kinds.
class Messages final : public market_kernel::MarketWatcher {
  public:
    void on_sent(ParticipantId /*participant*/, const Command& command,
                 Timestamp /*time*/) override {
        ++all;
        if (command.kind == CommandKind::cancel_order) ++cancels;
        if (command.kind == CommandKind::replace_order) ++replaces;
        if (command.kind == CommandKind::new_order && command.time_in_force == TimeInForce::ioc)
            ++iocs;
    }
    void on_change(InstrumentId /*instrument*/, const views::PublicChange& change) override {
        depth.apply(change);
    }
    [[nodiscard]] double open() const {
        double orders = 0;
        for (const Side side : {Side::buy, Side::sell})
            for (const auto& [price, level] : depth.levels(side)) orders += level.orders;
        return orders;
    }
    double all = 0, cancels = 0, replaces = 0, iocs = 0;
    views::VisibleDepth depth;
};

TEST(NeutralFlow, HasTheMixOfTheBenchmarkStream) {
    SmallMarket small{2};
    small.add<NeutralFlow>({});
    Messages sent;
    auto& market = small.run(1'000, {&sent});
    EXPECT_NEAR(sent.all, 1e5, 2e3);
    EXPECT_NEAR(sent.cancels / sent.all, .42, .02);
    EXPECT_NEAR(sent.replaces / sent.all, .10, .005);
    EXPECT_NEAR(sent.iocs / sent.all, .02, .003);
    EXPECT_NEAR(sent.open(), 500, 150);
    EXPECT_TRUE(market.latest(k_first).has_both());
    EXPECT_LE(market.latest(k_first).ask.value - market.latest(k_first).bid.value, 10 * k_tick);
}

}  // namespace
}  // namespace damrak::participants_tests::information_test
