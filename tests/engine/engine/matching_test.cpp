// Matching: price, then displayed before hidden, then time. Rule book, section 5.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::matching_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Matching : ::testing::Test {
    Market market;
};

TEST_F(Matching, BuyerMeetsTheLowestAskFirst) {
    market.sell(bob, 1, at(10.02));
    market.sell(bob, 1, at(10.01));
    market.buy(alice, 2, at(10.05))
        .expect({"accepted #3 2@10.05", "executed #2 1@10.01 left 0 trade 1",
                 "executed #3 1@10.01 left 1 takes trade 1", "executed #1 1@10.02 left 0 trade 2",
                 "executed #3 1@10.02 left 0 takes trade 2"});
}

TEST_F(Matching, SellerMeetsTheHighestBidFirst) {
    market.buy(bob, 1, at(10.01));
    market.buy(bob, 1, at(10.02));
    market.sell(alice, 2, at(10.00))
        .expect({"accepted #3 2@10.00", "executed #2 1@10.02 left 0 trade 1",
                 "executed #3 1@10.02 left 1 takes trade 1", "executed #1 1@10.01 left 0 trade 2",
                 "executed #3 1@10.01 left 0 takes trade 2"});
}

TEST_F(Matching, AtOnePriceTheEarlierOrderTradesFirst) {
    market.sell(bob, 1, at(10.00));
    market.sell(carol, 1, at(10.00));
    market.buy(alice, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #1 1@10.00 left 0 trade 1",
                 "executed #3 1@10.00 left 0 takes trade 1"});
}

TEST_F(Matching, AtOnePriceDisplayedOrdersTradeBeforeHiddenOnes) {
    market.sell(bob, 1, at(10.00), hidden);
    market.sell(carol, 1, at(10.00));
    market.buy(alice, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #2 1@10.00 left 0 trade 1",
                 "executed #3 1@10.00 left 0 takes trade 1"});
}

TEST_F(Matching, AmongHiddenOrdersTheEarlierTradesFirst) {
    market.sell(bob, 1, at(10.00), hidden);
    market.sell(carol, 1, at(10.00), hidden);
    market.buy(alice, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #1 1@10.00 left 0 (hidden) trade 1",
                 "executed #3 1@10.00 left 0 takes trade 1"});
}

TEST_F(Matching, AHiddenOrderAtABetterPriceTradesBeforeDisplayedOnesAtAWorse) {
    market.sell(bob, 1, at(10.01));
    market.sell(carol, 1, at(10.00), hidden);
    market.buy(alice, 1, at(10.01))
        .expect({"accepted #3 1@10.01", "executed #2 1@10.00 left 0 (hidden) trade 1",
                 "executed #3 1@10.00 left 0 takes trade 1"});
}

TEST_F(Matching, TradesAreAtThePriceOfTheRestingOrder) {
    market.buy(bob, 10, at(10.00));
    const Outcome outcome = market.sell(alice, 10, at(9.50));
    EXPECT_EQ(outcome.last().price, price(10.00));
}

TEST_F(Matching, APartlyFilledOrderKeepsItsPlace) {
    market.sell(bob, 10, at(10.00));
    market.sell(carol, 10, at(10.00));
    market.buy(alice, 4, at(10.00));
    market.buy(alice, 7, at(10.00))
        .expect({"accepted #4 7@10.00", "executed #1 6@10.00 left 0 trade 2",
                 "executed #4 6@10.00 left 1 takes trade 2",
                 "executed #2 1@10.00 left 9 shows 9 trade 3",
                 "executed #4 1@10.00 left 0 takes trade 3"});
}

TEST_F(Matching, StopsAtTheLimitOfTheIncomingOrder) {
    market.sell(bob, 10, at(10.00));
    market.sell(bob, 10, at(10.01));
    market.buy(alice, 20, at(10.00))
        .expect({"accepted #3 20@10.00", "executed #1 10@10.00 left 0 trade 1",
                 "executed #3 10@10.00 left 10 takes trade 1",
                 "rested #3>#3 @10.00 left 10 shows 10"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("10@10.01 (1)"));
}

TEST_F(Matching, SweepsAsManyPricesAsItNeeds) {
    for (int cents = 0; cents < 100; ++cents) market.sell(bob, 1, at(10.00 + cents * 0.01));
    const Outcome outcome = market.buy(alice, 100, at(11.00));
    EXPECT_EQ(outcome.events().size(), 1U + 2U * 100U);
    EXPECT_EQ(outcome.last().price, price(10.99));
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(Matching, BothSidesOfATradeAgree) {
    market.sell(bob, 100, at(10.00));
    const Outcome outcome = market.buy(alice, 30, at(10.00));
    const Event& maker = outcome.events()[1];
    const Event& taker = outcome.events()[2];
    EXPECT_EQ(maker.trade_id(), taker.trade_id());
    EXPECT_EQ(maker.price, taker.price);
    EXPECT_EQ(maker.quantity, taker.quantity);
    EXPECT_EQ(maker.participant, bob);
    EXPECT_EQ(taker.participant, alice);
    EXPECT_EQ(maker.side, Side::sell);
    EXPECT_EQ(taker.side, Side::buy);
    EXPECT_FALSE(has_flag(maker, EventFlags::k_aggressor));
    EXPECT_TRUE(has_flag(taker, EventFlags::k_aggressor));
}

// Section 9: every trade changes the positions of both accounts.
TEST_F(Matching, MovesThePositionsOfBothSides) {
    market.sell(bob, 100, at(10.00));
    market.buy(alice, 30, at(10.00));
    EXPECT_EQ(market.position(alice), 30);
    EXPECT_EQ(market.position(bob), -30);
    market.buy(bob, 50, at(9.00));
    market.sell(alice, 50, at(9.00));
    EXPECT_EQ(market.position(alice), -20);
    EXPECT_EQ(market.position(bob), 20);
}

TEST_F(Matching, OrdersMatchOnlyWithinTheirInstrument) {
    market.add_instrument(2, Market::stock());
    market.sell(bob, 1, at(10.00), in(1));
    market.buy(alice, 1, at(10.00), in(2));
    EXPECT_THAT(market.depth(Side::sell, 1), ElementsAre("1@10.00 (1)"));
    EXPECT_THAT(market.depth(Side::buy, 2), ElementsAre("1@10.00 (1)"));
}

}  // namespace
}  // namespace damrak::matching_test
