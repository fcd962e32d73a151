// Profit, inventory, roles and adverse selection by group, in a market of scripted participants.
#include <damrak/market_runs/detail/by_group.hpp>

#include <utility>

#include <gtest/gtest.h>

#include "market_data/measures/day_by_hand.hpp"
#include "markets/market_kernel/scripted_market.hpp"

namespace damrak::measures_tests::by_group_test {
namespace {

using market_tests::k_first;
using market_tests::limit;
using market_tests::MarketAccess;

/// One maker quotes 9,900 to 10,100. One taker buys 40 of its 100 after a second, and sells 10
/// after two. After five seconds a third participant, who pays no attention, quotes higher.
struct Scene {
    Scene() {
        world.setup.exchange.fees.all.maker.per_share = -200'000;
        world.setup.exchange.fees.all.taker.per_share = 300'000;
        auto& maker = world.add();
        auto& taker = world.add();
        auto& other = world.add();
        const auto at = [](auto& who, std::int64_t ms, Side side, std::int64_t price,
                           std::int64_t quantity) {
            who.at(ms * 1'000'000,
                   [=](MarketAccess& access) { access.enter(limit(side, price, quantity)); });
        };
        at(maker, 1, Side::buy, 9'900, 100);
        at(maker, 1, Side::sell, 10'100, 100);
        at(taker, 1'000, Side::buy, 10'100, 40);
        at(taker, 2'000, Side::sell, 9'900, 10);
        at(other, 5'000, Side::buy, 10'000, 5);
        world.run(20 * k_second, {&watcher});
        results = watcher.finish(world.market->now());
    }
    market_tests::World world;
    market_runs::MarketMeasures watcher{
        k_first,
        {},
        {"makers", "takers", "others"},
        {.fees = {.all = {.maker = {.per_share = -200'000}, .taker = {.per_share = 300'000}},
                  .groups = {}}}};
    measures::Results results;
};

TEST(ByGroup, ProfitIsExactAndThatOfTheAccounts) {
    const Scene scene;
    const auto& groups = scene.watcher.groups();
    ASSERT_EQ(groups.size(), 3U);
    std::int64_t total = 0;
    for (std::uint32_t i = 0; i < 3; ++i) {
        const auto& account = scene.world.market->account({i + 1});
        EXPECT_EQ(groups[i].cash, account.cash) << i;
        EXPECT_EQ(groups[i].fees, account.fees) << i;
        EXPECT_EQ(groups[i].position, scene.world.market->position({i + 1}, k_first).value) << i;
        EXPECT_EQ(groups[i].messages, account.messages) << i;
        EXPECT_TRUE(groups[i].has_profit);
        total += groups[i].twice_profit + 2 * groups[i].fees;
    }
    EXPECT_EQ(total, 0) << "before fees, what one earns another pays";
    // Sold 40 at 10,100, bought 10 at 9,900, rebate 2 * 50; short 30 at the last mid 10,050.
    EXPECT_EQ(groups[0].twice_profit, 2 * (404'000 - 99'000 + 100) - 30 * 20'100);
    EXPECT_EQ(groups[2].twice_profit, 0);
}

TEST(ByGroup, RolesAndInventory) {
    const Scene scene;
    const auto& maker = scene.watcher.groups()[0];
    const auto& taker = scene.watcher.groups()[1];
    EXPECT_EQ(maker.maker_volume, 50);
    EXPECT_EQ(maker.taker_volume, 0);
    EXPECT_EQ(taker.maker_volume, 0);
    EXPECT_EQ(taker.taker_volume, 50);
    EXPECT_EQ(taker.largest_inventory, 40);
    // 40 for a second, then 30 for 18.
    EXPECT_NEAR(taker.inventory.mean(), (40 + 18 * 30.) / 19, 1e-9);
    EXPECT_NEAR(maker.inventory.mean(), -taker.inventory.mean(), 1e-9);
}

TEST(ByGroup, AdverseSelectionOfPassiveFills) {
    const Scene scene;
    const auto& maker = scene.watcher.groups()[0];
    // After 1 s the mid is as before. After 10 s it is 50 higher: the sale lost, the purchase won.
    EXPECT_EQ(maker.adverse_selection[0].count(), 2U);
    EXPECT_EQ(maker.adverse_selection[0].mean(), 0);
    EXPECT_EQ(maker.adverse_selection[1].count(), 2U);
    EXPECT_EQ(maker.adverse_selection[1].mean(), 0);
    EXPECT_EQ(maker.adverse_selection[1].variance(), 50 * 50);
    EXPECT_EQ(maker.adverse_selection[2].count(), 0U) << "the run ended before";
    EXPECT_EQ(scene.watcher.groups()[1].adverse_selection[0].count(), 0U) << "it took";
}

TEST(ByGroup, ALossOfThePassiveSideIsPositive) {
    market_runs::MarketMeasures watcher{k_first, {}, {"makers"}, {}};
    views::PublicChange quote{};
    quote.kind = views::PublicChange::Kind::level;
    quote.time = DayByHand::time(0);
    quote.bid = {9'900};
    quote.ask = {10'100};
    quote.bid_quantity = quote.ask_quantity = {1};
    watcher.on_change(k_first, quote);
    Event sale{};
    sale.kind = EventKind::executed;
    sale.instrument = k_first;
    sale.participant = {1};
    sale.side = Side::sell;
    sale.price = quote.ask;
    sale.quantity = {1};
    watcher.on_event(sale, {.timestamp = DayByHand::time(1)});
    quote.time = DayByHand::time(5);
    quote.ask = {10'200};
    watcher.on_change(k_first, quote);
    static_cast<void>(watcher.finish(DayByHand::time(20)));
    EXPECT_EQ(watcher.groups()[0].adverse_selection[0].mean(), 0);
    EXPECT_EQ(watcher.groups()[0].adverse_selection[1].mean(), 50) << "sold before the rise";
}

TEST(ByGroup, TheSameMeasuresAsOfAnyDay) {
    const Scene scene;
    EXPECT_EQ(value_of(scene.results, "trades"), 2);
    EXPECT_EQ(value_of(scene.results, "effective_spread"), 2);
    EXPECT_EQ(value_of(scene.results, "price_impact_1s"), 0);
    // Three orders rested, two traded at once and were never added.
    EXPECT_EQ(value_of(scene.results, "orders_to_trades"), 1.5);
    EXPECT_EQ(value_of(scene.results, "cancels_to_adds"), 0);
}

TEST(ByGroup, RejectedMessagesAreAShareOfThoseSent) {
    market_tests::World world;
    auto& careful = world.add();
    auto& late = world.add();
    careful.at(1'000'000,
               [](MarketAccess& access) { access.enter(limit(Side::sell, 10'100, 10)); });
    careful.at(2'000'000, [](MarketAccess& access) { access.enter(limit(Side::buy, 10'100, 10)); });
    late.at(1'000'000, [](MarketAccess& access) {
        const auto order = access.enter(limit(Side::buy, 9'900, 10));
        access.cancel(order);
        access.cancel(order);  // it is gone when this arrives
        access.enter(limit(Side::buy, 9'950, 10'000'000'000));
    });
    market_runs::MarketMeasures watcher{k_first, {}, {"careful", "late"}, {}};
    world.run(k_second, {&watcher});
    const measures::Results results = watcher.finish(world.market->now());
    EXPECT_EQ(watcher.groups()[0].rejected, 0U);
    EXPECT_EQ(watcher.groups()[1].rejected, world.market->counts().rejects);
    EXPECT_EQ(watcher.groups()[1].messages, 4U);
    EXPECT_EQ(value_of(results, "rejected_messages"), 2 / 6.);
    EXPECT_EQ(results.find("rejected_messages")->count, 6U);
}

TEST(ByGroup, WhatAnOrderLeavesThatNeverRestedIsNoCancel) {
    market_tests::World world;
    auto& trader = world.add();
    trader.at(1'000'000, [](MarketAccess& access) {
        access.cancel(access.enter(limit(Side::buy, 9'900, 10)));
        market_kernel::NewOrder never_rests = limit(Side::buy, 9'900, 10);
        never_rests.time_in_force = TimeInForce::ioc;
        access.enter(never_rests);
    });
    market_runs::MarketMeasures watcher{k_first, {}, {"traders"}, {}};
    world.run(k_second, {&watcher});
    EXPECT_EQ(value_of(watcher.finish(world.market->now()), "cancels_to_adds"), 1);
}

TEST(ByGroup, AMarketWithoutMidHasNoProfitToTell) {
    market_runs::MarketMeasures watcher{k_first, {}, {"a", "b"}, {}};
    Event fill{};
    fill.kind = EventKind::executed;
    fill.instrument = k_first;
    fill.participant = {1};
    fill.price = {100};
    fill.quantity = {5};
    watcher.on_event(fill, {.timestamp = {10}});
    static_cast<void>(watcher.finish({20}));
    EXPECT_FALSE(watcher.groups()[0].has_profit);
    EXPECT_TRUE(watcher.groups()[1].has_profit) << "it has nothing to value";
}

}  // namespace
}  // namespace damrak::measures_tests::by_group_test
