// Arbitrageurs, on books by hand: what they take, when it pays, and that their legs match.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/participants/detail/arbitrageurs.hpp>
#include <damrak/participants/detail/scripted_trader.hpp>

#include "small_market.hpp"

namespace damrak::participants_tests::arbitrage_test {
namespace {

using namespace participants;

constexpr InstrumentId k_second{2};
constexpr InstrumentId k_third{3};
constexpr ParticipantId k_self{1};

/// An arbitrageur in all instruments, and a script in each.
template <class T>
market_kernel::Market& arbitrage(SmallMarket& small, const typename T::Parameters& is,
                                 const std::vector<std::vector<std::string>>& scripts,
                                 std::int64_t latency_ns = 0, double seconds = 30) {
    Assignment all;
    for (std::uint32_t i = 1; i <= scripts.size(); ++i) {
        InstrumentDefinition definition = small.setup.instruments[0];
        definition.id = {i};
        definition.symbol = Symbol::of(std::string(3, static_cast<char>('A' + i - 1)));
        if (i > 1) {
            small.setup.instruments.push_back(definition);
            small.setup.fundamentals.push_back({.start = 1'000'000});
        }
        all.instruments.push_back(definition.id);
    }
    EXPECT_EQ(T::fits(is, all), "");
    market_kernel::Connection connection;
    connection.orders.base_ns = latency_ns;
    small.add(std::make_unique<T>(is, all), connection);
    for (std::size_t i = 0; i < scripts.size(); ++i) {
        ScriptedTrader::Parameters script;
        script.orders = scripts[i];
        EXPECT_EQ(ScriptedTrader::check(script), "");
        small.add(std::make_unique<ScriptedTrader>(script, Assignment{{all.instruments[i]}}));
    }
    auto& market = small.run(seconds);
    EXPECT_TRUE(small.ran);
    return market;
}

/// A bid and an ask from a time on, as long as asked for.
std::vector<std::string> quotes(const std::string& at, const std::string& bid,
                                const std::string& ask, const std::string& life = "1h") {
    return {at + " buy 500 limit " + bid + " for " + life,
            at + " sell 500 limit " + ask + " for " + life};
}
std::vector<std::string> joined(std::vector<std::string> a, const std::vector<std::string>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

// The leader rises by `ticks` after five seconds, the follower 100 ms later.
std::int64_t taken_after(int ticks, std::int64_t latency_ns) {
    const auto at = [&](int off) {
        return "100." + std::string(ticks + off < 10 ? "0" : "") + std::to_string(ticks + off);
    };
    LatencyArbitrageur::Parameters is;
    is.quantity = 500;
    SmallMarket small;
    auto& market = arbitrage<LatencyArbitrageur>(
        small, is,
        {joined(quotes("0s", "99.98", "100.02", "5s"), quotes("5s", at(-2), at(2))),
         joined(quotes("0s", "99.98", "100.02", "5100ms"), quotes("5100ms", at(-2), at(2)))},
        latency_ns);
    EXPECT_EQ(market.position(k_self, k_first), Quantity{0}) << "the leader is only read";
    if (market.position(k_self, k_second).value > 0) {
        EXPECT_EQ(market.account(k_self).cash,
                  -1'000'200 * market.position(k_self, k_second).value);
    }
    return market.position(k_self, k_second).value;
}

// Pays if the jump is above half of the spread (2 ticks) and the edge (1 tick), in time.
TEST(LatencyArbitrageur, TakesAStaleQuoteIfTheJumpIsLargeAndItIsFast) {
    EXPECT_EQ(taken_after(2, 0), 0);
    EXPECT_EQ(taken_after(3, 0), 0);
    EXPECT_EQ(taken_after(4, 0), 500);
    EXPECT_EQ(taken_after(10, 50'000'000), 500);
    EXPECT_EQ(taken_after(10, 150'000'000), 0) << "the follower was faster";
}

TEST(PairArbitrageur, SellsTheDearOneAndClosesWhenTheyMeet) {
    PairArbitrageur::Parameters is;
    is.memory_ns = 86'400 * market_kernel::k_second_ns;
    is.most_position = 200;
    const std::vector<std::vector<std::string>> books{
        joined(
            joined(quotes("0s", "99.99", "100.01", "5s"), quotes("5s", "100.09", "100.11", "5s")),
            quotes("10s", "99.99", "100.01")),
        quotes("0s", "99.99", "100.01")};
    SmallMarket small;
    auto& market = arbitrage<PairArbitrageur>(small, is, books, 0, 9);
    EXPECT_EQ(market.position(k_self, k_first), Quantity{-200});
    EXPECT_EQ(market.position(k_self, k_second), Quantity{200});
    small.run(20);
    EXPECT_EQ(market.position(k_self, k_first), Quantity{0});
    EXPECT_EQ(market.position(k_self, k_second), Quantity{0});
    EXPECT_EQ(market.account(k_self).cash, 200 * (1'000'900 - 1'000'100 + 999'900 - 1'000'100));
    is.entry_ticks = 11;
    SmallMarket calm;
    EXPECT_EQ(arbitrage<PairArbitrageur>(calm, is, books).account(k_self).trades, 0U);
    is.exit_ticks = 12;
    EXPECT_NE(PairArbitrageur::check(is), "");
}

// The basket is worth 0.5 x 100 + 0.25 x 100 = 75.
TEST(EtfArbitrageur, TradesTheEtfAgainstItsBasket) {
    EtfArbitrageur::Parameters is;
    is.weights = {0.5, 0.25};
    is.most_position = 100;
    const auto still = quotes("0s", "99.98", "100.02");  // it costs 75.015, and brings 74.985
    SmallMarket dear;
    auto& sold =
        arbitrage<EtfArbitrageur>(dear, is, {quotes("1s", "75.04", "75.06"), still, still});
    EXPECT_EQ(sold.position(k_self, k_first), Quantity{-100});
    EXPECT_EQ(sold.position(k_self, k_second), Quantity{50});
    EXPECT_EQ(sold.position(k_self, k_third), Quantity{25});
    EXPECT_EQ(sold.account(k_self).cash, 100 * 750'400 - 75 * 1'000'200);
    SmallMarket cheap;
    auto& bought =
        arbitrage<EtfArbitrageur>(cheap, is, {quotes("1s", "74.95", "74.97"), still, still});
    EXPECT_EQ(bought.position(k_self, k_first), Quantity{100});
    EXPECT_EQ(bought.position(k_self, k_second), Quantity{-50});
    SmallMarket fair;
    auto& idle =
        arbitrage<EtfArbitrageur>(fair, is, {quotes("1s", "75.02", "75.04"), still, still});
    EXPECT_EQ(idle.account(k_self).trades, 0U) << "within the edge";
}

// One leg is gone when the orders arrive; it is made good when its price is back.
TEST(EtfArbitrageur, ALegThatWasMissedIsMadeGood) {
    EtfArbitrageur::Parameters is;
    is.weights = {1};
    is.most_position = 100;
    SmallMarket small;
    auto& market = arbitrage<EtfArbitrageur>(
        small, is,
        {quotes("1s", "100.20", "100.22"),
         joined(quotes("0s", "99.98", "100.02", "1010ms"), quotes("6s", "99.99", "100.03"))},
        50'000'000, 5);
    EXPECT_EQ(market.position(k_self, k_first), Quantity{-100});
    EXPECT_EQ(market.position(k_self, k_second), Quantity{0});
    small.run(8);
    EXPECT_EQ(market.position(k_self, k_second), Quantity{100});
}

TEST(Arbitrageurs, NeedTheirInstruments) {
    const Assignment one{{k_first}};
    const Assignment two{{k_first, k_second}};
    const Assignment three{{k_first, k_second, k_third}};
    EXPECT_NE(LatencyArbitrageur::fits({}, one), "");
    EXPECT_NE(LatencyArbitrageur::fits({}, three), "");
    EXPECT_NE(PairArbitrageur::fits({}, one), "");
    EXPECT_NE(EtfArbitrageur::fits({}, one), "");
    EXPECT_EQ(EtfArbitrageur::fits({}, three), "");
    EtfArbitrageur::Parameters is;
    is.weights = {1};
    EXPECT_EQ(EtfArbitrageur::fits(is, two), "");
    EXPECT_NE(EtfArbitrageur::fits(is, three), "");
    EXPECT_NE(find_kind("etf-arbitrageur")->fits({}, one), "");
    EXPECT_EQ(find_kind("noise")->fits({}, one), "");
}

}  // namespace
}  // namespace damrak::participants_tests::arbitrage_test
