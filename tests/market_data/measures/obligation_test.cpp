// Obligations of makers: presence, spread and quantity by hand, periods, halts and payments.
#include <gtest/gtest.h>

#include <damrak/market_runs/detail/by_group.hpp>

#include "markets/market_kernel/scripted_market.hpp"

namespace damrak::measures_tests::obligation_test {
namespace {

using market_tests::k_begin;
using market_tests::k_first;
using market_tests::limit;
using market_tests::MarketAccess;

constexpr std::int64_t k_ms = 1'000'000;

measures::Obligation wide_obligation() {
    return {.group = "makers",
            .presence = 0.5,
            .most_spread_ticks = 4,
            .least_quantity = 100,
            .period_ns = 10'000 * k_ms,
            .reward = 500,
            .penalty = 70};
}

struct Desk {
    explicit Desk(const measures::Obligation& obligation = wide_obligation()) {
        watcher.oblige(obligation, k_begin);
    }
    void enter(market_tests::Scripted& who, std::int64_t ms, Side side, std::int64_t price,
               std::int64_t quantity) {
        who.at(ms * k_ms,
               [=](MarketAccess& access) { access.enter(limit(side, price, quantity)); });
    }
    const measures::QuotingResult& run(std::int64_t ms) {
        world.run(ms * k_ms, {&watcher});
        static_cast<void>(watcher.finish(world.market->now()));
        return watcher.groups()[0].quoting;
    }
    market_tests::World world;
    market_tests::Scripted& maker = world.add();
    market_tests::Scripted& taker = world.add();
    market_runs::MarketMeasures watcher{k_first, {}, {"makers", "takers"}, {}};
};

TEST(Obligations, PresenceIsTheTimeWithBothSidesWithinTheSpread) {
    Desk desk;
    desk.enter(desk.maker, 1'000, Side::buy, 9'900, 100);
    desk.enter(desk.maker, 3'000, Side::sell, 10'100, 100);  // both from here on, 2 ticks
    const auto& quoting = desk.run(8'000);
    EXPECT_EQ(quoting.makers, 1U);
    EXPECT_DOUBLE_EQ(quoting.trading_s, 8);
    EXPECT_DOUBLE_EQ(quoting.present_s, 5);
    EXPECT_EQ(quoting.spread.mean(), 2);
    EXPECT_EQ(quoting.periods, 0U) << "the first one is not over";
    EXPECT_EQ(quoting.payment, 0);
}

TEST(Obligations, AQuoteThatIsTooWideOrTooSmallIsNotPresent) {
    Desk desk;
    desk.enter(desk.maker, 0, Side::buy, 9'900, 100);
    desk.enter(desk.maker, 0, Side::sell, 10'400, 100);     // 5 ticks
    desk.enter(desk.maker, 2'000, Side::sell, 10'100, 60);  // 60 of 100: still judged at 10,400
    desk.enter(desk.maker, 4'000, Side::sell, 10'200, 40);  // 100 down to 10,200: 3 ticks
    desk.enter(desk.taker, 7'000, Side::buy, 10'100, 1);    // 59 and 40: 5 ticks again
    const auto& quoting = desk.run(8'000);
    EXPECT_DOUBLE_EQ(quoting.present_s, 3);
    EXPECT_DOUBLE_EQ(quoting.spread.mean(), (5. * 5 + 3 * 3) / 8);
}

TEST(Obligations, EachPeriodIsJudgedAndPaid) {
    Desk desk;
    desk.enter(desk.maker, 5'000, Side::buy, 9'900, 100);
    desk.enter(desk.maker, 5'000, Side::sell, 10'100, 100);  // half of the first: met
    desk.enter(desk.taker, 24'999, Side::sell, 9'900, 100);  // third: not met, by 1 ms
    const auto& quoting = desk.run(39'000);
    EXPECT_EQ(quoting.periods, 3U);
    EXPECT_EQ(quoting.met, 2U);
    EXPECT_EQ(quoting.payment, 2 * 500 - 70);
    // Bought 100 at 9,900 without a mid afterwards but the last: 10,000.
    EXPECT_EQ(desk.watcher.groups()[0].twice_profit, 2 * (930 - 990'000) + 100 * 20'000);
    EXPECT_EQ(desk.watcher.groups()[1].quoting.makers, 0U);
}

TEST(Obligations, AHaltCountsForNobody) {
    Desk desk;
    desk.enter(desk.maker, 0, Side::buy, 9'900, 100);
    desk.enter(desk.maker, 0, Side::sell, 10'100, 100);
    desk.world.run(4'000 * k_ms, {&desk.watcher});
    Command halt{};
    halt.kind = CommandKind::set_trading_state;
    halt.instrument = k_first;
    halt.trading_state = TradingState::halted;
    desk.world.market->submit(halt);
    desk.world.run(35'000 * k_ms);
    halt.trading_state = TradingState::trading;
    desk.world.market->submit(halt);
    const auto& quoting = desk.run(41'000);
    EXPECT_DOUBLE_EQ(quoting.trading_s, 4 + 6);
    EXPECT_DOUBLE_EQ(quoting.present_s, 4 + 6);
    EXPECT_EQ(quoting.periods, 2U) << "two were halted all the time";
    EXPECT_EQ(quoting.met, 2U);
}

TEST(Obligations, ReplacesCancelsAndHiddenOrdersAreFollowed) {
    Desk desk;
    auto bid = std::make_shared<market_tests::OrderHandle>();
    auto ask = std::make_shared<market_tests::OrderHandle>();
    auto& maker = desk.maker;
    maker.at(0, [=](MarketAccess& access) {
        *bid = access.enter(limit(Side::buy, 9'900, 100));
        *ask = access.enter(limit(Side::sell, 10'100, 100));
    });
    maker.at(1'000 * k_ms, [=](MarketAccess& access) { access.replace(*bid, {9'000}, {100}); });
    maker.at(2'000 * k_ms, [=](MarketAccess& access) { access.replace(*bid, {9'800}, {100}); });
    maker.at(3'000 * k_ms, [=](MarketAccess& access) { access.cancel(*ask, {1}); });
    maker.at(4'000 * k_ms, [=](MarketAccess& access) { access.replace(*ask, {10'100}, {100}); });
    maker.at(5'000 * k_ms, [=](MarketAccess& access) { access.cancel(*ask); });
    maker.at(6'000 * k_ms, [=](MarketAccess& access) {
        auto hidden = limit(Side::sell, 10'100, 100);
        hidden.hidden = true;
        access.enter(hidden);
    });
    maker.at(7'000 * k_ms, [=](MarketAccess& access) {
        auto iceberg = limit(Side::sell, 10'100, 500);  // shows what is asked for
        iceberg.display_quantity = {100};
        access.enter(iceberg);
    });
    desk.enter(desk.taker, 7'500, Side::buy, 10'100, 100);  // the iceberg shows as much again
    const auto& quoting = desk.run(8'000);
    EXPECT_DOUBLE_EQ(quoting.present_s, 1 + 1 + 1 + 1);
    EXPECT_NO_FATAL_FAILURE(desk.world.market->engine().check_invariants());
}

}  // namespace
}  // namespace damrak::measures_tests::obligation_test
