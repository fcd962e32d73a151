// Minimum quantity: available at once, or held. Rule book, section 7; FIX 5.0 SP2 MinQty(110).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::minimum_quantity_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct MinimumQuantity : ::testing::Test {
    Market market;
};

TEST_F(MinimumQuantity, TradesIfItIsAvailable) {
    market.sell(bob, 30, at(10.00));
    market.sell(carol, 20, at(10.01));
    market.buy(alice, 100, at(10.01), at_least(50), ioc)
        .expect({"accepted #3 100@10.01", "executed #1 30@10.00 left 0 trade 1",
                 "executed #3 30@10.00 left 70 takes trade 1",
                 "executed #2 20@10.01 left 0 trade 2",
                 "executed #3 20@10.01 left 50 takes trade 2",
                 "cancelled unfilled_remainder #3 50@10.01 left 0"});
}

TEST_F(MinimumQuantity, ImmediateOrderIsCancelledIfItIsNotAvailable) {
    market.sell(bob, 49, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50), ioc)
        .expect({"accepted #2 100@10.00", "cancelled minimum_quantity #2 100@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("49@10.00 (1)"));
}

TEST_F(MinimumQuantity, MarketOrderIsCancelledIfItIsNotAvailable) {
    market.sell(bob, 49, at(10.00));
    market.buy(alice, 100, at_least(50))
        .expect({"accepted #2 100@0.00", "cancelled minimum_quantity #2 100@0.00 left 0"});
    market.mass_cancel();
    market.buy(alice, 100, at_least(50))
        .expect({"accepted #3 100@0.00", "cancelled minimum_quantity #3 100@0.00 left 0"});
}

TEST_F(MinimumQuantity, OrderThatMayRestIsHeldIfItIsNotAvailable) {
    market.sell(bob, 49, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50))
        .expect({"accepted #2 100@10.00", "rested #2>#2 @10.00 left 100 held"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty()) << "held orders are not displayed";
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("49@10.00 (1)"));
}

// Section 5, point 3: skipping held orders costs the incoming order nothing.
TEST_F(MinimumQuantity, HeldOrdersCostOtherOrdersNoFillAndNoPlace) {
    EngineConfig config = Market::small();
    config.maximum_extensions = 2'000;
    Market full(config);
    for (std::uint32_t who = 5; who < 16; ++who)
        for (int i = 0; i < 100; ++i)
            full.sell(ParticipantId{who}, 1'000, at(9.99), at_least(1'000));
    full.sell(bob, 5, at(10.00));
    EXPECT_EQ(full.buy(alice, 4, at(10.00), fok).count(EventKind::executed), 2U);
    const Outcome outcome = full.buy(alice, 5, at(10.00));
    EXPECT_EQ(outcome.count(EventKind::executed), 2U);
    EXPECT_EQ(outcome.last().kind, EventKind::rested);
    EXPECT_THAT(full.depth(Side::buy), ElementsAre("4@10.00 (1)"));
}

// Section 9.
TEST_F(MinimumQuantity, AParticipantHasAtMostAHundredHeldOrdersInAnInstrument) {
    market.add_instrument(2, Market::stock());
    for (int i = 0; i < 100; ++i) market.buy(alice, 10, at(10.00), at_least(10));
    market.buy(alice, 10, at(10.00), at_least(10)).expect_rejected(Reason::limit_held_orders);
    market.sell(alice, 10, at(11.00), at_least(10)).expect_rejected(Reason::limit_held_orders);
    EXPECT_FALSE(market.buy(alice, 10, at(10.00), at_least(10), ioc).rejected());
    EXPECT_FALSE(market.buy(bob, 10, at(10.00), at_least(10)).rejected());
    EXPECT_FALSE(market.replace(alice, 1, 20, at(10.01)).rejected()) << "one of the hundred";
    EXPECT_EQ(market.sell(carol, 20, at(10.01)).count(EventKind::executed), 2U);
    EXPECT_FALSE(market.buy(alice, 10, at(10.00), at_least(10)).rejected());
}

// Section 6, point 1: a fill-or-kill order counts exactly the quantity that it would trade.
TEST_F(MinimumQuantity, HeldOrdersAreAvailableToOrdersThatReachTheirMinimum) {
    market.sell(carol, 5, at(10.00));
    market.sell(bob, 100, at(10.00), at_least(100));
    market.sell(dave, 7, at(10.00), hidden);
    market.buy(alice, 104, at(10.00), fok)
        .expect({"accepted #4 104@10.00", "cancelled fill_or_kill #4 104@10.00 left 0"});
    EXPECT_EQ(market.buy(alice, 105, at(10.00), fok).count(EventKind::executed), 4U);
}

TEST_F(MinimumQuantity, OrderThatMeetsNoOrderIsHeld) {
    market.buy(alice, 100, at(10.00), at_least(50)).expect({"accepted #1 100@10.00 held"});
}

TEST_F(MinimumQuantity, RemainderIsAPlainOrderOnceTheMinimumTraded) {
    market.sell(bob, 50, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50))
        .expect({"accepted #2 100@10.00", "executed #1 50@10.00 left 0 trade 1",
                 "executed #2 50@10.00 left 50 takes trade 1",
                 "rested #2>#2 @10.00 left 50 shows 50"});
}

TEST_F(MinimumQuantity, HeldOrderIsSkippedBySmallerOrders) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 49, at(10.00)).expect({"accepted #2 49@10.00 shows 49"});
}

TEST_F(MinimumQuantity, HeldOrderThatTradesBecomesAPlainHiddenOne) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 50, at(10.00))
        .expect({"accepted #2 50@10.00", "executed #1 50@10.00 left 50 hidden trade 1",
                 "executed #2 50@10.00 left 0 takes trade 1",
                 "rested #1>#1 @10.00 left 50 hidden"});
    market.sell(bob, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #1 1@10.00 left 49 hidden trade 2",
                 "executed #3 1@10.00 left 0 takes trade 2"});
}

TEST_F(MinimumQuantity, OfAHeldOrderNeverExceedsItsOpenQuantity) {
    market.buy(alice, 100, at(10.00), at_least(80));
    market.cancel_part(alice, 1, 70);
    market.sell(bob, 29, at(10.00), ioc)
        .expect({"accepted #2 29@10.00", "cancelled unfilled_remainder #2 29@10.00 left 0"});
    market.sell(bob, 30, at(10.00), ioc)
        .expect({"accepted #3 30@10.00", "executed #1 30@10.00 left 0 (hidden) trade 1",
                 "executed #3 30@10.00 left 0 takes trade 1"});
}

TEST_F(MinimumQuantity, TheRemainderOfTheIncomingOrderCounts) {
    market.buy(bob, 30, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(carol, 70, at(10.00), ioc)
        .expect({"accepted #3 70@10.00", "executed #1 30@10.00 left 0 trade 1",
                 "executed #3 30@10.00 left 40 takes trade 1",
                 "cancelled unfilled_remainder #3 40@10.00 left 0"});
}

TEST_F(MinimumQuantity, HeldOrdersRankByTimeAmongHiddenOrders) {
    market.buy(alice, 10, at(10.00), at_least(5));
    market.buy(bob, 10, at(10.00), hidden);
    market.buy(carol, 10, at(10.00));
    std::vector<std::uint64_t> makers;
    const Outcome outcome = market.sell(dave, 30, at(10.00));
    for (const Event& event : outcome.events())
        if (event.kind == EventKind::executed && event.participant != dave)
            makers.push_back(event.order_id.value);
    EXPECT_THAT(makers, ElementsAre(3, 1, 2));
}

// The documented exception to the crossing rule.
TEST_F(MinimumQuantity, TwoHeldOrdersMayRestCrossed) {
    market.sell(bob, 10, at(10.00), at_least(10));
    market.buy(alice, 20, at(10.05), at_least(20))
        .expect({"accepted #2 20@10.05", "rested #2>#2 @10.05 left 20 held"});
    market.buy(alice, 5, at(10.00)).expect({"accepted #3 5@10.00 shows 5"});
}

TEST_F(MinimumQuantity, CrossedHeldOrdersStayWhenOneIsReleased) {
    market.sell(bob, 10, at(10.00), at_least(10));
    market.buy(alice, 20, at(10.00), at_least(20));
    market.sell(carol, 20, at(10.00))
        .expect({"accepted #3 20@10.00", "executed #2 20@10.00 left 0 (hidden) trade 1",
                 "executed #3 20@10.00 left 0 takes trade 1"});
    market.query(bob, 1).expect({"order_status #1 executed 0 @10.00 left 10 held"});
}

TEST_F(MinimumQuantity, HeldOrderGetsNewTermsWhenItIsReplaced) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 30, at(10.01));
    market.replace(alice, 1, 30, at(10.01))
        .expect({"replaced #1>#3 @10.01 left 30", "executed #2 30@10.01 left 0 trade 1",
                 "executed #3 30@10.01 left 0 takes trade 1"});
}

TEST_F(MinimumQuantity, HeldOrderIsHeldAgainWhenItIsReplacedAndCannotTrade) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 30, at(10.01));
    market.replace(alice, 1, 120, at(10.01))
        .expect({"replaced #1>#3 @10.01 left 120", "rested #3>#3 @10.01 left 120 held"});
    market.replace(alice, 3, 130, at(9.99)).expect({"replaced #3>#4 @9.99 left 130 held"});
}

TEST_F(MinimumQuantity, SelfTradePreventionAppliesToOwnHeldOrdersOnlyIfTheyWouldTrade) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(alice, 10, at(10.00), cancel_oldest).expect({"accepted #2 10@10.00 shows 10"});
    market.sell(alice, 50, at(10.00), cancel_oldest)
        .expect({"accepted #3 50@10.00", "cancelled self_trade #1 100@10.00 left 0 (hidden)",
                 "rested #3>#3 @10.00 left 50 shows 50"});
}

TEST_F(MinimumQuantity, SkippedOwnHeldOrdersStopNothing) {
    market.sell(alice, 10, at(10.00), at_least(5));
    market.sell(bob, 4, at(10.01));
    market.buy(alice, 10, at(10.01), skip_own)
        .expect({"accepted #3 10@10.01", "executed #2 4@10.01 left 0 trade 1",
                 "executed #3 4@10.01 left 6 takes trade 1", "rested #3>#3 @10.01 left 6 shows 6"});
}

}  // namespace
}  // namespace damrak::minimum_quantity_test
