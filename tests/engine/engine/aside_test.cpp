// Resting orders outside the queues: rule book, sections 1, 5 and 10. Orders of one participant
// never cross or lock the public book.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::aside_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Aside : ::testing::Test {
    Market market;
};

TEST_F(Aside, AnOrderStoppedByAnOwnOrderIsNotDisplayed) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own)
        .expect({"accepted #2 10@51.00", "rested #2>#2 @51.00 left 10 hidden"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("10@50.00 (1)"));
    market.buy(alice, 10, at(50.00), skip_own);
    EXPECT_THAT(market.depth(Side::buy), IsEmpty()) << "locked";
}

TEST_F(Aside, ItTradesWithOthersAsAHiddenOrderDoes) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own);
    market.sell(bob, 4, at(50.50))
        .expect({"accepted #3 4@50.50", "executed #2 4@51.00 left 6 hidden trade 1",
                 "executed #3 4@51.00 left 0 takes trade 1"});
    market.sell(bob, 1, at(51.00), post_only).expect_rejected(Reason::post_only_would_trade);
    EXPECT_EQ(market.sell(bob, 6, at(51.00), fok).count(EventKind::executed), 2U);
}

TEST_F(Aside, ItIsDisplayedWhenTheStoppingOrderIsCancelled) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own);
    market.cancel(alice, 1).expect(
        {"cancelled requested #1 10@50.00 left 0", "rested #2>#2 @51.00 left 10 shows 10"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@51.00 (1)"));
}

TEST_F(Aside, ItIsDisplayedWhenTheStoppingOrderIsFilled) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own);
    market.buy(bob, 12, at(51.00))
        .expect({"accepted #3 12@51.00", "executed #1 10@50.00 left 0 trade 1",
                 "executed #3 10@50.00 left 2 takes trade 1", "rested #3>#3 @51.00 left 2 shows 2",
                 "rested #2>#2 @51.00 left 10 shows 10"});
}

TEST_F(Aside, ItFirstMatchesOrdersBehindTheStoppingOne) {
    market.sell(alice, 10, at(50.00));
    market.sell(bob, 4, at(50.50));
    market.sell(bob, 4, at(51.50));
    market.buy(alice, 10, at(51.00), skip_own);
    market.replace(alice, 1, 10, at(52.00))
        .expect({"replaced #1>#5 @52.00 left 10 shows 10", "executed #2 4@50.50 left 0 trade 1",
                 "executed #4 4@50.50 left 6 takes trade 1", "rested #4>#4 @51.00 left 6 shows 6"});
}

TEST_F(Aside, ItWaitsForTheNextOwnOrder) {
    market.sell(alice, 10, at(50.00));
    market.sell(alice, 10, at(50.50));
    market.buy(alice, 10, at(51.00), skip_own);
    market.buy(alice, 10, at(50.20), skip_own);
    market.cancel(alice, 1).expect(
        {"cancelled requested #1 10@50.00 left 0", "rested #4>#4 @50.20 left 10 shows 10"});
    market.cancel(alice, 2).expect(
        {"cancelled requested #2 10@50.50 left 0", "rested #3>#3 @51.00 left 10 shows 10"});
}

// The order lies between two orders of the other owner that still wait, so neither the first nor
// the last of the side shows that it is due.
TEST_F(Aside, TheOrderStoppedLastTakesItsTurnAtAnyPosition) {
    market.sell(alice, 10, at(10.00));
    market.sell(bob, 5, at(10.10));
    market.sell(alice, 10, at(10.20));
    market.buy(alice, 5, at(11.20), skip_own);
    market.buy(alice, 4, at(11.00), skip_own);
    market.buy(alice, 7, at(10.30), skip_own);
    const Outcome outcome = market.buy(bob, 30, at(10.50), skip_own);
    EXPECT_EQ(event_line(outcome.events().at(7)), "executed #7 10@10.20 left 10 takes trade 3");
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("4@11.00 (1)", "10@10.50 (1)", "7@10.30 (1)"));
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

// Orders that are stopped again in their turn had waited before: they do not become the order
// stopped last.
TEST_F(Aside, AnOrderStoppedAgainInItsTurnIsNotTheOneStoppedLast) {
    market.sell(alice, 10, at(10.00));
    market.sell(bob, 5, at(10.10));
    market.sell(alice, 10, at(10.20));
    market.buy(alice, 8, at(11.00), skip_own);
    market.buy(alice, 7, at(10.30), skip_own);
    market.buy(bob, 30, at(10.50), skip_own);
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("3@11.00 (1)", "10@10.50 (1)", "7@10.30 (1)"));
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(Aside, AStoppedIcebergHasItsSlicesWhenItIsDisplayed) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own, showing(2));
    market.sell(bob, 5, at(51.00), ioc)
        .expect({"accepted #3 5@51.00", "executed #2 5@51.00 left 5 hidden trade 1",
                 "executed #3 5@51.00 left 0 takes trade 1"});
    market.cancel(alice, 1).expect(
        {"cancelled requested #1 10@50.00 left 0", "rested #2>#2 @51.00 left 5 shows 2"});
}

TEST_F(Aside, ItIsCancelledReducedAndReplacedLikeAnyOther) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own);
    market.cancel_part(alice, 2, 4).expect({"cancelled requested #2 4@51.00 left 6 hidden"});
    market.replace(alice, 2, 5, at(51.00)).expect({"replaced #2>#2 @51.00 left 5 hidden"});
    market.replace(alice, 2, 5, at(49.00)).expect({"replaced #2>#3 @49.00 left 5 shows 5"});
    market.replace(alice, 3, 5, at(50.00))
        .expect({"replaced #3>#4 @50.00 left 5", "rested #4>#4 @50.00 left 5 hidden"});
    market.cancel(alice, 4).expect({"cancelled requested #4 5@50.00 left 0 (hidden)"});
}

TEST_F(Aside, NoOrderTakesATurnDuringAHalt) {
    market.sell(alice, 10, at(50.00));
    market.buy(alice, 10, at(51.00), skip_own);
    market.set_state(TradingState::halted);
    market.cancel(alice, 1).expect({"cancelled requested #1 10@50.00 left 0"});
    market.set_state(TradingState::trading)
        .expect({"trading_state_changed 0", "rested #2>#2 @51.00 left 10 shows 10"});
}

TEST_F(Aside, AHeldOrderThatTradedDoesNotStayCrossed) {
    market.buy(alice, 100, at(51.00), at_least(50));
    market.sell(bob, 10, at(50.00));
    market.sell(carol, 50, at(51.00))
        .expect({"accepted #3 50@51.00", "executed #1 50@51.00 left 50 hidden trade 1",
                 "executed #3 50@51.00 left 0 takes trade 1", "executed #2 10@50.00 left 0 trade 2",
                 "executed #1 10@50.00 left 40 (hidden) takes trade 2",
                 "rested #1>#1 @51.00 left 40 hidden"});
}

TEST_F(Aside, HeldOrdersRankByTimeAmongHiddenOrders) {
    market.sell(alice, 10, at(50.00), at_least(5));
    market.sell(bob, 10, at(50.00), hidden);
    market.buy(carol, 20, at(50.00))
        .expect({"accepted #3 20@50.00", "executed #1 10@50.00 left 0 (hidden) trade 1",
                 "executed #3 10@50.00 left 10 takes trade 1",
                 "executed #2 10@50.00 left 0 (hidden) trade 2",
                 "executed #3 10@50.00 left 0 takes trade 2"});
}

// Orders that cannot trade do not count as crossed.
TEST_F(Aside, HeldOrdersCauseNoPostOnlyReject) {
    market.sell(alice, 10, at(50.00), at_least(10));
    market.buy(bob, 9, at(50.00), post_only).expect({"accepted #2 9@50.00 shows 9"});
    market.buy(bob, 10, at(50.00), post_only).expect_rejected(Reason::post_only_would_trade);
}

// Commands that remove many orders, in slices of every size.
TEST(AsideInSlices, TurnsAreTakenInEveryInstrument) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market market(config);
    for (std::uint32_t id = 2; id <= 4; ++id) market.add_instrument(id, Market::stock());
    const auto fill = [&] {
        for (std::uint32_t id = 1; id <= 4; ++id) {
            for (int i = 0; i < 20; ++i) market.sell(alice, 1, at(50.00), in(id), until(1'000'000));
            for (int i = 0; i < 20; ++i) market.sell(bob, 1, at(50.50), in(id), gtc);
            for (int i = 0; i < 25; ++i) market.buy(alice, 1, at(51.00), skip_own, in(id), gtc);
        }
    };
    fill();
    const Outcome expired = market.tick(1'000'000);
    EXPECT_EQ(expired.count(EventKind::expired), 80U);
    EXPECT_EQ(expired.count(EventKind::executed), 160U);
    EXPECT_EQ(expired.count(EventKind::rested), 20U);
    for (std::uint32_t id = 1; id <= 4; ++id)
        EXPECT_THAT(market.depth(Side::buy, id), ElementsAre("5@51.00 (5)"));
    EXPECT_EQ(market.mass_cancel().count(EventKind::cancelled), 20U);
}

TEST(AsideInSlices, AMassCancelContinuesAfterTheTurnsThatItCaused) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market market(config);
    for (std::uint32_t id = 2; id <= 4; ++id) market.add_instrument(id, Market::stock());
    for (std::uint32_t id = 1; id <= 4; ++id) {
        for (int i = 0; i < 20; ++i) market.sell(alice, 1, at(50.00), in(id));
        for (int i = 0; i < 20; ++i) market.sell(bob, 1, at(50.50), in(id), gtc);
        for (int i = 0; i < 25; ++i) market.buy(alice, 1, at(51.00), skip_own, in(id), gtc);
    }
    const Outcome ended = market.end_day();
    EXPECT_EQ(ended.count(EventKind::expired), 80U);
    EXPECT_EQ(ended.count(EventKind::executed), 160U);
    EXPECT_EQ(event_line(ended.last()), "day_ended 80");
    market.engine().check_invariants();
}

}  // namespace
}  // namespace damrak::aside_test
