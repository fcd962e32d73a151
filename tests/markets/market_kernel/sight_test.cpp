// What a participant sees of the market: as late as its data, never back in time, and nothing of
// hidden orders or of tomorrow.
#include <algorithm>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_kernel/market.hpp>

#include "scripted_market.hpp"

namespace damrak::market_tests::sight_test {
namespace {

using ::testing::ElementsAre;

TEST(Sight, AViewIsAsOldAsTheDataLatency) {
    World world;
    Scripted& maker = world.add();
    Scripted& watcher = world.add(constant(0, 0, 50 * k_us));
    std::vector<std::int64_t> bids;
    maker.at(100 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 10)); });
    maker.at(110 * k_us,
             [](MarketAccess& access) { access.enter(limit(Side::buy, 9'950 - 50, 5)); });
    watcher.start = [](MarketAccess& access) {
        access.subscribe(k_first, MarketNews::top_of_book);
    };
    for (const std::int64_t at : {149, 150, 159, 160})
        watcher.at(at * k_us, [&bids](MarketAccess& access) {
            bids.push_back(access.view(k_first).bid_quantity.value);
        });

    world.run(k_us * 1'000);

    EXPECT_THAT(bids, ElementsAre(0, 10, 10, 15));
    EXPECT_THAT(watcher.news_ns, ElementsAre(150 * k_us, 160 * k_us));
    EXPECT_EQ(watcher.seen.front().bid, Price{9'900});
    EXPECT_EQ(watcher.seen.front().bid_quantity, Quantity{10});
}

// Looks each microsecond, with delays of up to a millisecond; the market changes as often.
TEST(Sight, AViewNeverGoesBack) {
    World world;
    Scripted& maker = world.add();
    Connection connection;
    connection.data = {.kind = market_kernel::Latency::Kind::uniform, .spread_ns = 1'000 * k_us};
    Scripted& watcher = world.add(connection);
    std::vector<std::int64_t> bids;
    for (int n = 1; n <= 2'000; ++n) {
        maker.at(n * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
        watcher.at(n * k_us, [&bids](MarketAccess& access) {
            bids.push_back(access.view(k_first).bid_quantity.value);
        });
    }
    world.run(5'000 * k_us);
    EXPECT_TRUE(std::ranges::is_sorted(bids));
    EXPECT_GT(bids.back(), 1'000);
}

// Thousands of changes are on their way to somebody who sees the market a second late.
TEST(Sight, WhatSomebodyHasStillToSeeIsKept) {
    World world;
    Scripted& maker = world.add();
    Scripted& watcher = world.add(constant(0, 0, 1'000'000 * k_us));
    for (std::int64_t n = 1; n <= 3'000; ++n)
        maker.at(n * 1'000 * k_us,
                 [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    std::vector<std::int64_t> bids;
    for (const std::int64_t at_ms : {1'100, 2'000, 3'500})
        watcher.at(at_ms * 1'000 * k_us, [&bids](MarketAccess& access) {
            bids.push_back(access.view(k_first).bid_quantity.value);
        });
    world.run(4'000'000 * k_us);
    EXPECT_THAT(bids, ElementsAre(100, 1'000, 2'500));
}

TEST(Sight, ADepthIsAsOldAsTheDataLatency) {
    World world;
    Scripted& maker = world.add();
    Scripted& watcher = world.add(constant(0, 0, 50 * k_us));
    std::vector<std::int64_t> bids;
    watcher.start = [](MarketAccess& access) { static_cast<void>(access.depth(k_first)); };
    for (const std::int64_t at : {100, 110, 120})
        maker.at(at * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    for (const std::int64_t at : {130, 149, 150, 151, 159, 160, 161, 170, 500})
        watcher.at(at * k_us, [&bids](MarketAccess& access) {
            bids.push_back(access.depth(k_first).quantity_within(Side::buy, 1).value);
        });
    world.run(k_us * 1'000);
    EXPECT_THAT(bids, ElementsAre(0, 0, 1, 1, 1, 2, 2, 3, 3));
}

TEST(Sight, ADepthCountsTheOrdersOfALevel) {
    World world;
    Scripted& maker = world.add();
    maker.start = [](MarketAccess& access) {
        static_cast<void>(access.depth(k_first));
        for (const std::int64_t quantity : {10, 5}) access.enter(limit(Side::buy, 9'900, quantity));
    };
    std::uint32_t orders = 0;
    maker.at(10, [&](MarketAccess& access) {
        const auto& bids = access.depth(k_first).levels(Side::buy);
        ASSERT_EQ(bids.size(), 1U);
        EXPECT_EQ(bids.begin()->second.quantity, Quantity{15});
        orders = bids.begin()->second.orders;
    });
    world.run(100);
    EXPECT_EQ(orders, 2U);
}

TEST(Sight, NobodyKnowsTheValueOfTomorrow) {
    World world;
    Connection ahead;
    ahead.clock_offset_ns = 5 * k_us;
    Scripted& watcher = world.add(ahead);
    world.setup.instruments.push_back(instrument());
    world.setup.fundamentals.push_back({.start = 1'000'000, .volatility = 0.01});
    int looked = 0;
    watcher.at(10'000'000 * k_us, [&](MarketAccess& access) {
        const double now = access.fundamental(k_first, access.now());
        const double hour = access.fundamental(k_first, {access.now().value + 3'600'000'000'000});
        EXPECT_EQ(hour, now);
        EXPECT_NE(access.fundamental(k_first, {access.now().value - 1'000'000'000}), now);
        ++looked;
    });
    world.run(20'000'000 * k_us);
    EXPECT_EQ(looked, 1);
}

TEST(Sight, TheValueHasALatencyOfItsOwn) {
    World world;
    Connection late;
    late.data.base_ns = 7 * k_us;
    late.value_ns = 2'000'000 * k_us;
    Scripted& here = world.add();
    Scripted& there = world.add(late);
    world.setup.instruments.push_back(instrument());
    world.setup.fundamentals.push_back({.start = 1'000'000, .volatility = 0.01});
    double before = 0;
    double now = 0;
    int looked = 0;
    here.at(8'000'000 * k_us,
            [&](MarketAccess& access) { before = access.fundamental(k_first, access.now()); });
    here.at(10'000'000 * k_us,
            [&](MarketAccess& access) { now = access.fundamental(k_first, access.now()); });
    there.at(10'000'000 * k_us, [&](MarketAccess& access) {
        EXPECT_EQ(access.fundamental(k_first, access.now()), before);
        EXPECT_EQ(access.fundamental(k_first, {access.now().value + 1'000'000}), before);
        ++looked;
    });
    there.at(1, [&](MarketAccess& access) {
        EXPECT_EQ(access.fundamental(k_first, access.now()), 1'000'000);
    });
    world.run(20'000'000 * k_us);
    EXPECT_NE(now, before);
    EXPECT_EQ(looked, 1);
}

TEST(Sight, HiddenOrdersAreInNoView) {
    World world;
    Scripted& maker = world.add();
    maker.start = [](MarketAccess& access) {
        static_cast<void>(access.depth(k_first));
        auto hidden = limit(Side::buy, 9'900, 10);
        hidden.hidden = true;
        access.enter(hidden);
        auto iceberg = limit(Side::sell, 10'000, 100);
        iceberg.display_quantity = {10};
        access.enter(iceberg);
    };
    bool looked = false;
    maker.at(10, [&](MarketAccess& access) {
        looked = true;
        EXPECT_FALSE(access.view(k_first).has_bid());
        EXPECT_EQ(access.view(k_first).ask_quantity, Quantity{10});
        EXPECT_TRUE(access.depth(k_first).levels(Side::buy).empty());
        EXPECT_EQ(access.depth(k_first).quantity_within(Side::sell, 5), Quantity{10});
    });
    world.run(100);
    EXPECT_TRUE(looked);
}

TEST(Sight, WithoutDataTheLastViewStays) {
    World world;
    Scripted& maker = world.add();
    Scripted& blind = world.add();
    blind.start = [](MarketAccess& access) { access.subscribe(k_first, MarketNews::top_of_book); };
    maker.at(10, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    maker.at(60, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    std::vector<std::int64_t> seen;
    for (const std::int64_t at : {70, 170})
        blind.at(at, [&](MarketAccess& access) {
            seen.push_back(access.view(k_first).bid_quantity.value);
        });
    Market& market = world.run(50);
    market.set_data_outage({2}, true);
    market.run_until(k_begin + Timestamp{100});
    market.set_data_outage({2}, false);
    market.run_until(k_begin + Timestamp{200});
    EXPECT_THAT(seen, ElementsAre(1, 2));
    EXPECT_THAT(blind.news_ns, ElementsAre(10));
}

}  // namespace
}  // namespace damrak::market_tests::sight_test
