// Self-trade prevention: rule book, section 5, step 2. The incoming order's rule applies.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::self_trade_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct SelfTrade : ::testing::Test {
    Market market;
};

TEST_F(SelfTrade, WithoutARuleOwnOrdersTrade) {
    market.sell(alice, 10, at(10.00), cancel_both);
    market.buy(alice, 10, at(10.00))
        .expect({"accepted #2 10@10.00", "executed #1 10@10.00 left 0 trade 1",
                 "executed #2 10@10.00 left 0 takes trade 1"});
    EXPECT_EQ(market.position(alice), 0);
}

TEST_F(SelfTrade, ARuleAppliesOnlyToOwnOrders) {
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(10.00), cancel_newest)
        .expect({"accepted #2 10@10.00", "executed #1 10@10.00 left 0 trade 1",
                 "executed #2 10@10.00 left 0 takes trade 1"});
}

TEST_F(SelfTrade, TheRuleOfTheRestingOrderDoesNotApply) {
    market.sell(alice, 10, at(10.00), cancel_oldest);
    market.buy(alice, 4, at(10.00), cancel_newest)
        .expect({"accepted #2 4@10.00", "cancelled self_trade #2 4@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("10@10.00 (1)"));
}

TEST_F(SelfTrade, CancelNewestEndsTheIncomingOrderAtAnOwnOne) {
    market.sell(bob, 3, at(10.00));
    market.sell(alice, 3, at(10.00));
    market.sell(bob, 3, at(10.00));
    market.buy(alice, 9, at(10.00), cancel_newest)
        .expect({"accepted #4 9@10.00", "executed #1 3@10.00 left 0 trade 1",
                 "executed #4 3@10.00 left 6 takes trade 1",
                 "cancelled self_trade #4 6@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("6@10.00 (2)"));
}

TEST_F(SelfTrade, CancelOldestEndsTheRestingOrderAndContinues) {
    market.sell(alice, 3, at(10.00));
    market.sell(bob, 3, at(10.00));
    market.sell(alice, 3, at(10.01));
    market.buy(alice, 9, at(10.01), cancel_oldest)
        .expect({"accepted #4 9@10.01", "cancelled self_trade #1 3@10.00 left 0",
                 "executed #2 3@10.00 left 0 trade 1", "executed #4 3@10.00 left 6 takes trade 1",
                 "cancelled self_trade #3 3@10.01 left 0", "rested #4>#4 @10.01 left 6 shows 6"});
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(SelfTrade, CancelOldestTakesAnIcebergWithItsReserve) {
    market.sell(alice, 100, at(10.00), showing(10));
    market.buy(alice, 5, at(10.00), cancel_oldest, ioc)
        .expect({"accepted #2 5@10.00", "cancelled self_trade #1 100@10.00 left 0",
                 "cancelled unfilled_remainder #2 5@10.00 left 0"});
}

TEST_F(SelfTrade, CancelBothEndsTheRestingOrderFirst) {
    market.sell(bob, 1, at(10.00));
    market.sell(alice, 3, at(10.00));
    market.sell(bob, 3, at(10.00));
    market.buy(alice, 9, at(10.00), cancel_both)
        .expect({"accepted #4 9@10.00", "executed #1 1@10.00 left 0 trade 1",
                 "executed #4 1@10.00 left 8 takes trade 1",
                 "cancelled self_trade #2 3@10.00 left 0",
                 "cancelled self_trade #4 8@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("3@10.00 (1)"));
}

TEST_F(SelfTrade, DecrementTakesTheSmallerQuantityFromALargerIncomingOrder) {
    market.sell(alice, 3, at(10.00));
    market.sell(bob, 2, at(10.00));
    market.buy(alice, 5, at(10.00), decrement)
        .expect({"accepted #3 5@10.00", "cancelled self_trade #1 3@10.00 left 0",
                 "cancelled self_trade #3 3@10.00 left 2", "executed #2 2@10.00 left 0 trade 1",
                 "executed #3 2@10.00 left 0 takes trade 1"});
}

TEST_F(SelfTrade, DecrementLeavesALargerRestingOrderInItsPlace) {
    market.sell(alice, 10, at(10.00));
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 4, at(10.00), decrement)
        .expect({"accepted #3 4@10.00", "cancelled self_trade #1 4@10.00 left 6 shows 6",
                 "cancelled self_trade #3 4@10.00 left 0"});
    market.buy(carol, 1, at(10.00))
        .expect({"accepted #4 1@10.00", "executed #1 1@10.00 left 5 shows 5 trade 1",
                 "executed #4 1@10.00 left 0 takes trade 1"});
}

TEST_F(SelfTrade, DecrementEndsBothOfTheSameSize) {
    market.sell(alice, 4, at(10.00));
    market.buy(alice, 4, at(10.00), decrement)
        .expect({"accepted #2 4@10.00", "cancelled self_trade #1 4@10.00 left 0",
                 "cancelled self_trade #2 4@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(SelfTrade, DecrementTakesFromTheReserveOfAnIcebergFirst) {
    market.sell(alice, 100, at(10.00), showing(10));
    market.buy(alice, 85, at(10.00), decrement)
        .expect({"accepted #2 85@10.00", "cancelled self_trade #1 85@10.00 left 15 shows 10",
                 "cancelled self_trade #2 85@10.00 left 0"});
    market.buy(alice, 8, at(10.00), decrement)
        .expect({"accepted #3 8@10.00", "cancelled self_trade #1 8@10.00 left 7 shows 7",
                 "cancelled self_trade #3 8@10.00 left 0"});
}

// As in MiniExchange: own orders are skipped, and matching ends after a level that has one.
TEST_F(SelfTrade, SkipOwnSkipsOwnOrdersOfALevel) {
    market.sell(alice, 3, at(10.00));
    market.sell(bob, 3, at(10.00));
    market.buy(alice, 3, at(10.00), skip_own)
        .expect({"accepted #3 3@10.00", "executed #2 3@10.00 left 0 trade 1",
                 "executed #3 3@10.00 left 0 takes trade 1"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("3@10.00 (1)"));
}

TEST_F(SelfTrade, SkipOwnStopsAtALevelWithAnOwnOrder) {
    market.sell(alice, 3, at(10.00));
    market.sell(bob, 3, at(10.01));
    market.buy(alice, 3, at(10.01), skip_own, ioc)
        .expect({"accepted #3 3@10.01", "cancelled unfilled_remainder #3 3@10.01 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("3@10.00 (1)", "3@10.01 (1)"));
}

// The one exception to the crossing rule that an ordinary order can cause. It is not displayed.
TEST_F(SelfTrade, SkipOwnMayLeaveAnOrderCrossedWithOwnOnes) {
    market.sell(alice, 3, at(10.00));
    market.buy(alice, 3, at(10.01), skip_own)
        .expect({"accepted #2 3@10.01", "rested #2>#2 @10.01 left 3 hidden"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("3@10.00 (1)"));
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(SelfTrade, SkipOwnContinuesAfterALevelWithoutOwnOrders) {
    market.sell(bob, 3, at(10.00));
    market.sell(alice, 3, at(10.01));
    market.sell(bob, 3, at(10.01));
    market.buy(alice, 9, at(10.02), skip_own, ioc)
        .expect({"accepted #4 9@10.02", "executed #1 3@10.00 left 0 trade 1",
                 "executed #4 3@10.00 left 6 takes trade 1", "executed #3 3@10.01 left 0 trade 2",
                 "executed #4 3@10.01 left 3 takes trade 2",
                 "cancelled unfilled_remainder #4 3@10.02 left 0"});
}

// The incoming order was filled before it met the own order.
TEST_F(SelfTrade, ARuleDoesNotAffectOwnOrdersThatAreNotMet) {
    market.sell(bob, 3, at(10.00));
    market.sell(alice, 3, at(10.00));
    for (const auto prevention :
         {SelfTradePrevention::cancel_newest, SelfTradePrevention::cancel_oldest,
          SelfTradePrevention::cancel_both})
        market.buy(alice, 1, at(10.00), rule(prevention));
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("3@10.00 (1)"));
    EXPECT_EQ(market.position(alice), 3);
}

TEST_F(SelfTrade, RulesApplyToHiddenOwnOrdersToo) {
    market.sell(alice, 3, at(10.00), hidden);
    market.buy(alice, 3, at(10.00), cancel_oldest)
        .expect({"accepted #2 3@10.00", "cancelled self_trade #1 3@10.00 left 0 (hidden)",
                 "rested #2>#2 @10.00 left 3 shows 3"});
}

TEST_F(SelfTrade, ParticipantsAreDistinctInEveryInstrument) {
    market.add_instrument(2, Market::stock());
    market.sell(alice, 3, at(10.00), in(1));
    market.sell(bob, 3, at(10.00), in(2));
    market.buy(alice, 3, at(10.00), in(2), cancel_newest);
    EXPECT_EQ(market.position(alice, 2), 3);
}

}  // namespace
}  // namespace damrak::self_trade_test
