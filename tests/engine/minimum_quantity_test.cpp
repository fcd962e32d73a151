// Minimum quantity: available at once, or held. Rule book, section 7; FIX 5.0 SP2 MinQty(110).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak {
namespace {

using namespace terms;
using testing::ElementsAre;
using testing::IsEmpty;

struct MinimumQuantity : testing::Test {
    Market market;
};

TEST_F(MinimumQuantity, TradesWhereItIsAvailable) {
    market.sell(bob, 30, at(10.00));
    market.sell(carol, 20, at(10.01));
    market.buy(alice, 100, at(10.01), at_least(50), ioc)
        .expect({"accepted #3 100@10.01", "executed #1 30@10.00 left 0 trade 1",
                 "executed #3 30@10.00 left 70 takes trade 1",
                 "executed #2 20@10.01 left 0 trade 2",
                 "executed #3 20@10.01 left 50 takes trade 2",
                 "cancelled unfilled_remainder #3 50@10.01 left 0"});
}

TEST_F(MinimumQuantity, ImmediateOrderIsCancelledWhereItIsNot) {
    market.sell(bob, 49, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50), ioc)
        .expect({"accepted #2 100@10.00", "cancelled minimum_quantity #2 100@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("49@10.00 (1)"));
}

TEST_F(MinimumQuantity, MarketOrderIsCancelledWhereItIsNot) {
    market.sell(bob, 49, at(10.00));
    market.buy(alice, 100, at_least(50))
        .expect({"accepted #2 100@0.00", "cancelled minimum_quantity #2 100@0.00 left 0"});
    market.mass_cancel();
    market.buy(alice, 100, at_least(50))
        .expect({"accepted #3 100@0.00", "cancelled minimum_quantity #3 100@0.00 left 0"});
}

TEST_F(MinimumQuantity, OrderThatMayRestIsHeldWhereItIsNot) {
    market.sell(bob, 49, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50))
        .expect({"accepted #2 100@10.00", "rested #2>#2 @10.00 left 100 held"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty()) << "held orders are not displayed";
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("49@10.00 (1)"));
}

TEST_F(MinimumQuantity, OrderThatMeetsNobodyIsHeld) {
    market.buy(alice, 100, at(10.00), at_least(50)).expect({"accepted #1 100@10.00 held"});
}

TEST_F(MinimumQuantity, RestOfAnOrderThatGotItIsAPlainOne) {
    market.sell(bob, 50, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50))
        .expect({"accepted #2 100@10.00", "executed #1 50@10.00 left 0 trade 1",
                 "executed #2 50@10.00 left 50 takes trade 1",
                 "rested #2>#2 @10.00 left 50 shows 50"});
}

TEST_F(MinimumQuantity, HeldOrderIsPassedOverByLess) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 49, at(10.00))
        .expect({"accepted #2 49@10.00", "rested #2>#2 @10.00 left 49 shows 49"});
}

TEST_F(MinimumQuantity, HeldOrderTradesWithEnoughAndIsAPlainHiddenOneFromThenOn) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(bob, 50, at(10.00))
        .expect({"accepted #2 50@10.00", "executed #1 50@10.00 left 50 hidden trade 1",
                 "executed #2 50@10.00 left 0 takes trade 1"});
    market.sell(bob, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #1 1@10.00 left 49 hidden trade 2",
                 "executed #3 1@10.00 left 0 takes trade 2"});
}

TEST_F(MinimumQuantity, OfAHeldOrderIsNeverMoreThanItHasOpen) {
    market.buy(alice, 100, at(10.00), at_least(80));
    market.cancel_part(alice, 1, 70);
    market.sell(bob, 29, at(10.00), ioc)
        .expect({"accepted #2 29@10.00", "cancelled unfilled_remainder #2 29@10.00 left 0"});
    market.sell(bob, 30, at(10.00), ioc)
        .expect({"accepted #3 30@10.00", "executed #1 30@10.00 left 0 (hidden) trade 1",
                 "executed #3 30@10.00 left 0 takes trade 1"});
}

TEST_F(MinimumQuantity, WhatIsLeftOfTheIncomingOrderCounts) {
    market.buy(bob, 30, at(10.00));
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(carol, 70, at(10.00), ioc)
        .expect({"accepted #3 70@10.00", "executed #1 30@10.00 left 0 trade 1",
                 "executed #3 30@10.00 left 40 takes trade 1",
                 "cancelled unfilled_remainder #3 40@10.00 left 0"});
}

TEST_F(MinimumQuantity, HeldOrdersStandInTheHiddenQueueByTime) {
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

// The named exception to the crossing rule.
TEST_F(MinimumQuantity, TwoHeldOrdersMayRestCrossed) {
    market.sell(bob, 10, at(10.00), at_least(10));
    market.buy(alice, 20, at(10.05), at_least(20))
        .expect({"accepted #2 20@10.05", "rested #2>#2 @10.05 left 20 held"});
    market.buy(alice, 5, at(10.00))
        .expect({"accepted #3 5@10.00", "rested #3>#3 @10.00 left 5 shows 5"});
}

TEST_F(MinimumQuantity, HeldOrdersThatRestCrossedStayWhenOneIsReleased) {
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

TEST_F(MinimumQuantity, HeldOrderIsMetBySelfTradePreventionFirst) {
    market.buy(alice, 100, at(10.00), at_least(50));
    market.sell(alice, 10, at(10.00), cancel_oldest)
        .expect({"accepted #2 10@10.00", "cancelled self_trade #1 100@10.00 left 0 (hidden)",
                 "rested #2>#2 @10.00 left 10 shows 10"});
}

}  // namespace
}  // namespace damrak
