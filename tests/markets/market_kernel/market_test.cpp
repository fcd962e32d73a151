// The kernel of populated markets: how messages travel, the gateway, accounts, faults and outages.
#include <damrak/market_kernel/market.hpp>

#include <cstdint>
#include <stdexcept>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "scripted_market.hpp"

namespace damrak::market_tests::market_test {
namespace {

using ::testing::ElementsAre;

TEST(Market, AnOrderTakesItsLatencyAndSoDoItsReports) {
    World world;
    Scripted& maker = world.add(constant(5 * k_us, 7 * k_us, 0));
    Scripted& taker = world.add(constant(11 * k_us, 13 * k_us, 0));
    maker.at(0, [](MarketAccess& access) { access.enter(limit(Side::sell, 10'000, 100)); });
    taker.at(100 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 10'100, 40)); });

    const Market& market = world.run(k_us * 1'000);

    using Kind = Report::Kind;
    EXPECT_THAT(maker.reports, ElementsAre(Scripted::Heard{Kind::accepted, 12 * k_us, 10'000, 100},
                                           Scripted::Heard{Kind::filled, 118 * k_us, 10'000, 40}));
    EXPECT_TRUE(maker.last.is_maker);
    EXPECT_EQ(maker.last.order.open, Quantity{60});
    EXPECT_THAT(taker.reports, ElementsAre(Scripted::Heard{Kind::accepted, 124 * k_us, 10'100, 40},
                                           Scripted::Heard{Kind::filled, 124 * k_us, 10'000, 40}));
    EXPECT_FALSE(taker.last.is_maker);
    EXPECT_EQ(market.counts().messages, 2U);
    EXPECT_EQ(market.counts().trades, 1U);
    EXPECT_EQ(market.account({1}).cash, 400'000);
    EXPECT_EQ(market.account({2}).cash, -400'000);
    EXPECT_EQ(market.position({2}, k_first), Quantity{40});
}

TEST(Market, ACancelThatComesTooLateIsRejected) {
    World world;
    Scripted& maker = world.add(constant(20 * k_us, 20 * k_us, 0));
    Scripted& taker = world.add();
    OrderHandle order;
    maker.at(0, [&](MarketAccess& access) { order = access.enter(limit(Side::sell, 10'000, 10)); });
    maker.at(90 * k_us, [&](MarketAccess& access) { EXPECT_TRUE(access.cancel(order)); });
    maker.at(200 * k_us, [&](MarketAccess& access) {
        EXPECT_EQ(access.order(order), nullptr);
        EXPECT_FALSE(access.cancel(order));
    });
    taker.at(100 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 10'000, 10)); });

    const Market& market = world.run(k_us * 1'000);

    using Kind = Report::Kind;
    ASSERT_EQ(maker.reports.size(), 3U);
    EXPECT_EQ(maker.reports[1], (Scripted::Heard{Kind::filled, 120 * k_us, 10'000, 10}));
    EXPECT_EQ(maker.reports[2].kind, Kind::change_rejected);
    EXPECT_EQ(maker.last.reason, Reason::unknown_order);
    EXPECT_EQ(market.counts().rejects, 1U);
}

TEST(Market, AReplacedOrderKeepsItsHandle) {
    World world;
    Scripted& maker = world.add();
    OrderHandle order;
    maker.at(0, [&](MarketAccess& access) { order = access.enter(limit(Side::sell, 10'000, 10)); });
    maker.at(10, [&](MarketAccess& access) { access.replace(order, Price{10'100}, Quantity{30}); });
    maker.at(20, [&](MarketAccess& access) {
        ASSERT_NE(access.order(order), nullptr);
        EXPECT_EQ(access.order(order)->price, Price{10'100});
        EXPECT_EQ(access.order(order)->open, Quantity{30});
        EXPECT_EQ(access.view(k_first).ask, Price{10'100});
        access.cancel(order, Quantity{5});
    });
    maker.at(30, [&](MarketAccess& access) {
        EXPECT_EQ(access.order(order)->open, Quantity{25});
        access.cancel(order);
    });
    const Market& market = world.run(100);
    using Kind = Report::Kind;
    ASSERT_EQ(maker.reports.size(), 4U);
    EXPECT_EQ(maker.reports[2].kind, Kind::reduced);
    EXPECT_EQ(maker.reports[3].kind, Kind::cancelled);
    EXPECT_FALSE(market.latest(k_first).has_ask());
}

TEST(Market, TheSpeedBumpHoldsTakersAndLetsCancelsPass) {
    World world;
    world.setup.exchange.delay.taking.fixed_ns = 350 * k_us;
    Scripted& maker = world.add();
    Scripted& taker = world.add();
    OrderHandle order;
    maker.at(0, [&](MarketAccess& access) {
        auto quote = limit(Side::sell, 10'000, 10);
        quote.post_only = true;
        order = access.enter(quote);
    });
    taker.at(100 * k_us, [](MarketAccess& access) {
        auto take = limit(Side::buy, 10'000, 10);
        take.time_in_force = TimeInForce::ioc;
        access.enter(take);
    });
    maker.at(200 * k_us, [&](MarketAccess& access) { access.cancel(order); });

    const Market& market = world.run(k_us * 1'000);

    EXPECT_EQ(market.counts().trades, 0U);
    ASSERT_EQ(taker.reports.size(), 2U);
    EXPECT_EQ(taker.reports[0].at_ns, 450 * k_us);
}

TEST(Market, TheSpeedBumpLetsReplacesOfPostOnlyOrdersPass) {
    for (const bool post_only : {true, false}) {
        World world;
        world.setup.exchange.delay.taking.fixed_ns = 350 * k_us;
        Scripted& maker = world.add();
        OrderHandle order;
        maker.at(0, [&](MarketAccess& access) {
            auto quote = limit(Side::sell, 10'000, 10);
            quote.post_only = post_only;
            order = access.enter(quote);
        });
        maker.at(500 * k_us,
                 [&](MarketAccess& access) { access.replace(order, Price{10'100}, Quantity{10}); });
        world.run(k_us * 1'000);
        ASSERT_EQ(maker.reports.size(), 2U);
        EXPECT_EQ(maker.reports[1].kind, Report::Kind::replaced);
        EXPECT_EQ(maker.reports[1].at_ns, (post_only ? 500 : 850) * k_us);
    }
}

TEST(Market, TheSpeedBumpLetsCancelsOfAnyOrderPass) {
    World world;
    world.setup.exchange.delay.taking.fixed_ns = 350 * k_us;
    Scripted& trader = world.add();
    OrderHandle order;
    trader.at(0, [&](MarketAccess& access) { order = access.enter(limit(Side::buy, 9'900, 1)); });
    trader.at(500 * k_us, [&](MarketAccess& access) { access.cancel(order); });
    world.run(k_us * 1'000);
    ASSERT_EQ(trader.reports.size(), 2U);
    EXPECT_EQ(trader.reports[0].at_ns, 350 * k_us);
    EXPECT_EQ(trader.reports[1].at_ns, 500 * k_us);
}

TEST(Market, ReportsAndMarketDataWaitOnTheirWayBack) {
    World world;
    world.setup.exchange.delay.reports_ns = 350 * k_us;
    world.setup.exchange.delay.market_data_ns = 200 * k_us;
    Scripted& maker = world.add();
    Scripted& watcher = world.add();
    std::vector<std::int64_t> told;
    maker.at(0, [](MarketAccess& access) { access.enter(limit(Side::sell, 10'000, 10)); });
    for (const std::int64_t at : {199, 200})
        watcher.at(at * k_us, [&](MarketAccess& access) {
            told.push_back(access.view(k_first).has_ask() ? access.view(k_first).ask.value : 0);
        });
    watcher.at(210 * k_us, [](MarketAccess& access) {
        auto take = limit(Side::buy, 10'000, 10);
        take.time_in_force = TimeInForce::ioc;
        access.enter(take);
    });
    const Market& market = world.run(k_us * 1'000);
    EXPECT_THAT(told, ElementsAre(0, 10'000));
    EXPECT_EQ(market.counts().trades, 1U) << "requests do not wait";
    ASSERT_EQ(maker.reports.size(), 2U);
    EXPECT_EQ(maker.reports[0].at_ns, 350 * k_us);
    EXPECT_EQ(maker.reports[1].at_ns, 560 * k_us);
}

TEST(Market, ACancelDoesNotOvertakeItsOrderInTheSpeedBump) {
    World world;
    world.setup.exchange.delay.taking.fixed_ns = 350 * k_us;
    Scripted& trader = world.add();
    trader.at(
        0, [](MarketAccess& access) { access.cancel(access.enter(limit(Side::buy, 9'900, 1))); });
    const Market& market = world.run(k_us * 1'000);
    using Kind = Report::Kind;
    EXPECT_THAT(trader.reports,
                ElementsAre(Scripted::Heard{Kind::accepted, 350 * k_us, 9'900, 1},
                            Scripted::Heard{Kind::cancelled, 350 * k_us, 9'900, 1}));
    EXPECT_EQ(market.counts().rejects, 0U);
}

TEST(Market, ANewServiceTimeDoesNotLetOvertakeWhoWaits) {
    World world;
    world.setup.exchange.service_ns = 100 * k_us;
    Scripted& first = world.add();
    Scripted& second = world.add();
    first.at(0, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    second.at(20 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    world.run(10 * k_us).set_service_time(0);
    world.run(k_us * 1'000);
    ASSERT_EQ(second.reports.size(), 1U);
    EXPECT_EQ(first.reports.at(0).at_ns, 100 * k_us);
    EXPECT_EQ(second.reports[0].at_ns, 100 * k_us);
}

TEST(Market, TheGatewayServesOneMessageAfterTheOther) {
    World world;
    world.setup.exchange.service_ns = 10 * k_us;
    Scripted& a = world.add();
    Scripted& b = world.add();
    a.at(0, [](MarketAccess& access) {
        access.enter(limit(Side::buy, 9'900, 10));
        access.enter(limit(Side::buy, 9'800, 10));
    });
    b.at(5 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'700, 10)); });
    world.run(k_us * 1'000);
    EXPECT_EQ(a.reports[0].at_ns, 10 * k_us);
    EXPECT_EQ(a.reports[1].at_ns, 20 * k_us);
    EXPECT_EQ(b.reports[0].at_ns, 30 * k_us);
}

TEST(Market, FeesArePaidByBothSides) {
    World world;
    world.setup.exchange.fees.all.maker.per_share = -2'000'000;
    world.setup.exchange.fees.all.taker.per_share = 3'000'000;
    Scripted& maker = world.add();
    Scripted& taker = world.add();
    std::int64_t known_cash = 0;
    maker.at(0, [](MarketAccess& access) { access.enter(limit(Side::sell, 10'000, 10)); });
    taker.at(10, [](MarketAccess& access) { access.enter(limit(Side::buy, 10'000, 10)); });
    taker.at(20, [&](MarketAccess& access) { known_cash = access.cash(); });
    const Market& market = world.run(100);
    EXPECT_EQ(market.account({1}).cash, 100'000 + 200);
    EXPECT_EQ(market.account({2}).cash, -100'000 - 300);
    EXPECT_EQ(known_cash, -100'300);
}

TEST(Market, AClockThatIsOffSleepsUntilItsOwnTime) {
    World world;
    Connection connection;
    connection.clock_offset_ns = 3 * k_us;
    Scripted& late = world.add(connection);
    Scripted& other = world.add();
    late.at(10 * k_us, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    other.at(8 * k_us,
             [](MarketAccess& access) { EXPECT_EQ(access.view(k_first).bid, Price{9'900}); });
    world.run(100 * k_us);
    EXPECT_EQ(late.reports.at(0).at_ns, 10 * k_us);
}

TEST(Market, AFaultStopsTheRunOrIsolatesItsParticipant) {
    for (const auto on_fault : {market_kernel::OnFault::stop, market_kernel::OnFault::isolate}) {
        World world;
        world.setup.on_fault = on_fault;
        Scripted& faulty = world.add();
        Scripted& other = world.add();
        faulty.at(0, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
        faulty.at(10, [](MarketAccess&) { throw std::runtime_error("division by zero"); });
        other.at(20, [](MarketAccess& access) { access.enter(limit(Side::sell, 9'900, 1)); });

        const Market& market = world.run(100);

        ASSERT_EQ(market.faults().size(), 1U);
        EXPECT_EQ(market.faults()[0].participant, ParticipantId{1});
        EXPECT_EQ(market.faults()[0].what, "division by zero");
        EXPECT_EQ(world.ran, on_fault == market_kernel::OnFault::isolate);
        EXPECT_EQ(market.counts().trades, 0U);
        EXPECT_FALSE(market.latest(k_first).has_bid() && world.ran);
    }
}

TEST(Market, AParticipantThatSendsWithoutEndIsIsolated) {
    World world;
    world.setup.on_fault = market_kernel::OnFault::isolate;
    Scripted& endless = world.add();
    endless.answer = [](MarketAccess& access, const Report& report) {
        if (report.kind == Report::Kind::accepted) access.cancel(report.order.handle);
        if (report.kind == Report::Kind::cancelled) access.enter(limit(Side::buy, 9'900, 1));
    };
    endless.at(0, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    const Market& market = world.run(100);
    EXPECT_TRUE(world.ran);
    ASSERT_EQ(market.faults().size(), 1U);
    EXPECT_THAT(market.faults()[0].what, ::testing::HasSubstr("without time going on"));
    EXPECT_FALSE(market.latest(k_first).has_bid());
}

TEST(Market, AParticipantThatSendsWithoutEndInACallbackIsIsolated) {
    for (const int requests : {100'000, 100'001}) {
        World world;
        world.setup.on_fault = market_kernel::OnFault::isolate;
        Scripted& endless = world.add();
        endless.at(0, [requests](MarketAccess& access) {
            const OrderHandle order = access.enter(limit(Side::buy, 9'900, 1));
            for (int sent = 1; sent < requests; ++sent) access.cancel(order);
        });
        const Market& market = world.run(100);
        EXPECT_TRUE(world.ran);
        if (requests == 100'000) {
            EXPECT_TRUE(market.faults().empty());
            continue;
        }
        ASSERT_EQ(market.faults().size(), 1U);
        EXPECT_EQ(market.faults()[0].what, "sent more than 100,000 requests in one callback");
    }
}

TEST(Market, WhoLosesTheConnectionLosesItsOrdersAndHearsOfItLater) {
    World world;
    Scripted& maker = world.add();
    maker.at(0, [](MarketAccess& access) { access.enter(limit(Side::buy, 9'900, 1)); });
    Market& market = world.run(50);
    market.set_disconnected({1}, true);
    EXPECT_FALSE(market.latest(k_first).has_bid());
    market.run_until(k_begin + Timestamp{100});
    EXPECT_EQ(maker.reports.size(), 1U);
    market.set_disconnected({1}, false);
    market.run_until(k_begin + Timestamp{150});
    ASSERT_EQ(maker.reports.size(), 2U);
    EXPECT_EQ(maker.reports[1], (Scripted::Heard{Report::Kind::cancelled, 100, 9'900, 1}));
}

}  // namespace
}  // namespace damrak::market_tests::market_test
