// Whatever the path from tick to trade is put together from, it logs the same trades: those of the
// plainest exchange.

#include <damrak/lab/tick_to_trade/path.hpp>

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/lab/tick_to_trade/experiment.hpp>

#include "support/lab/plain_exchange.hpp"

namespace damrak::lab::tick_to_trade::path_test {
namespace {

struct Collected {
    std::vector<LoggedTrade> trades;
    void trade(const ladder::Trade<std::int32_t>& t) {
        trades.push_back({t.taker, t.maker, t.price, t.quantity});
    }
    void refused(std::string_view reason) { FAIL() << reason; }
};

std::vector<LoggedTrade> plain_trades(const std::vector<Tick>& feed) {
    ladder::PlainExchange plain{{.symbols = 1, .price_max_ticks = 20'000, .orders = 0}};
    Collected collected;
    for (const Tick& tick : feed)
        plain.apply(ladder::Request{.op = ladder::Op::limit,
                                    .side = tick.side,
                                    .ioc = false,
                                    .symbol = 0,
                                    .quantity = tick.quantity,
                                    .price_ticks = tick.price_ticks,
                                    .id = tick.id},
                    collected);
    return collected.trades;
}

template <class AnyPath>
void expect_the_plain_trades() {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
        const std::vector<Tick> feed = make_feed(3'000, seed);
        AnyPath path{feed.size()};
        for (const Tick& tick : feed) path.on_tick(tick);
        EXPECT_EQ(path.log(), plain_trades(feed)) << seed;
        EXPECT_GT(path.log().size(), 500U);
    }
}

TEST(TickToTrade, EveryChoiceLogsTheSameTrades) {
    expect_the_plain_trades<Path<RawOwner<PackedOrder>, MapSide>>();
    expect_the_plain_trades<Path<UniqueOwner<PackedOrder>, MapSide>>();
    expect_the_plain_trades<Path<SharedOwner<PackedOrder>, MapSide>>();
    expect_the_plain_trades<Path<RawOwner<AlignedOrder>, MapSide>>();
    expect_the_plain_trades<Path<PoolOwner<PackedOrder>, MapSide>>();
    expect_the_plain_trades<Path<RawOwner<PackedOrder>, FlatSide>>();
}

TEST(TickToTrade, AnAlignedOrderHasALineOfItsOwn) {
    EXPECT_EQ(sizeof(AlignedOrder), 64U);
    RawOwner<AlignedOrder> owner;
    AlignedOrder* const order = owner.make({});
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(order) % 64, 0U);
    owner.drop(order);
}

TEST(TickToTrade, TakesTheTimeOfTicksAndTrades) {
    const TickLatencies latencies = tick_latencies(2'000, 1);
    EXPECT_EQ(latencies.ticks_ns.count(), 2'000U);
    EXPECT_GT(latencies.trades_ns.count(), 300U);
}

TEST(TickToTrade, EveryTrialRuns) {
    const auto trials = tick_to_trade_experiment().trials({.size = Effort::Size::counting});
    EXPECT_EQ(trials.size(), 24U) << "four choices, three sizes, by tick and by trade";
    for (const Trial& trial : trials)
        for (const Variant& variant : trial.variants) {
            const Sample sample = variant.run();
            EXPECT_GT(sample.operations, 0) << trial.name;
            EXPECT_EQ(sample.latency_ns->count(), static_cast<std::uint64_t>(sample.operations));
        }
}

}  // namespace
}  // namespace damrak::lab::tick_to_trade::path_test
