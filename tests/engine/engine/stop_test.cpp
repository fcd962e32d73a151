// Stop and stop-limit orders: triggered by trades, in order. Rule book, section 10; FIX 5.0 SP2
// OrdType(40)=3 and 4.

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::stop_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Trades one lot at a price between two participants that the tests do not use otherwise.
void trade_at(Market& market, double amount) {
    market.sell(carol, 1, at(amount));
    market.buy(dave, 1, at(amount), ioc);
}

std::vector<std::uint64_t> triggered(const Outcome& outcome) {
    std::vector<std::uint64_t> ids;
    for (const Event& event : outcome.events())
        if (event.kind == EventKind::triggered) ids.push_back(event.order_id.value);
    return ids;
}

struct Stops : ::testing::Test {
    Market market;
};

TEST_F(Stops, WaitUnseenUntilATradeReachesThem) {
    market.buy(alice, 10, stop(10.00)).expect({"accepted #1 10@0.00 pending"});
    market.sell(alice, 10, at(9.00), stop(9.50)).expect({"accepted #2 10@9.00 pending"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(Stops, BecomeMarketOrdersWhenATradeReachesTheStopPrice) {
    market.buy(alice, 10, stop(10.00));
    market.sell(bob, 15, at(10.00));
    market.buy(carol, 5, at(10.00))
        .expect({"accepted #3 5@10.00", "executed #2 5@10.00 left 10 shows 10 trade 1",
                 "executed #3 5@10.00 left 0 takes trade 1", "triggered #1 @0.00 left 10",
                 "executed #2 10@10.00 left 0 trade 2",
                 "executed #1 10@10.00 left 0 takes trade 2"});
}

TEST_F(Stops, OfBuyersTriggerOnARiseAndOfSellersOnAFall) {
    market.buy(alice, 1, stop(10.00));
    market.sell(alice, 1, stop(9.00));
    trade_at(market, 9.01);
    trade_at(market, 9.99);
    market.query(alice, 1).expect({"order_status #1 executed 0 @0.00 left 1 pending"});
    market.query(alice, 2).expect({"order_status #2 executed 0 @0.00 left 1 pending"});
    trade_at(market, 10.01);
    market.query(alice, 1).expect_rejected(Reason::unknown_order);
    trade_at(market, 8.99);
    market.query(alice, 2).expect_rejected(Reason::unknown_order);
}

TEST_F(Stops, WithALimitBecomeLimitOrders) {
    market.sell(alice, 10, at(9.00), stop(9.50));
    market.buy(carol, 1, at(9.50));
    market.sell(dave, 1, at(9.50))
        .expect({"accepted #3 1@9.50", "executed #2 1@9.50 left 0 trade 1",
                 "executed #3 1@9.50 left 0 takes trade 1", "triggered #1 @9.00 left 10 shows 10"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("10@9.00 (1)"));
}

TEST_F(Stops, AreTriggeredByTradesNotByQuotes) {
    market.buy(alice, 10, stop(10.00));
    market.sell(bob, 10, at(11.00));
    market.buy(carol, 10, at(10.99)).expect({"accepted #3 10@10.99 shows 10"});
}

TEST_F(Stops, AreTriggeredAtOnceIfTheLastTradeReachedThem) {
    trade_at(market, 10.00);
    market.buy(alice, 10, at(9.50), stop(10.00))
        .expect({"accepted #3 10@9.50", "triggered #3 @9.50 left 10 shows 10"});
    market.sell(alice, 10, stop(10.00), ioc)
        .expect({"accepted #4 10@0.00", "triggered #4 @0.00 left 10",
                 "executed #3 10@9.50 left 0 trade 2", "executed #4 10@9.50 left 0 takes trade 2"});
}

TEST_F(Stops, WaitIfTheLastTradeDidNotReachThem) {
    trade_at(market, 10.00);
    market.buy(alice, 10, stop(10.01)).expect({"accepted #3 10@0.00 pending"});
    market.sell(alice, 10, stop(9.99)).expect({"accepted #4 10@0.00 pending"});
}

TEST_F(Stops, HaveTheirNewTypeOnceTriggered) {
    market.buy(alice, 10, at(12.00), stop(10.00));
    EXPECT_EQ(market.query(alice, 1).last().order_type, OrderType::stop_limit);
    market.sell(carol, 1, at(10.00));
    const Outcome outcome = market.buy(dave, 1, at(10.00));
    EXPECT_EQ(outcome.last().kind, EventKind::triggered);
    EXPECT_EQ(outcome.last().order_type, OrderType::limit);
}

TEST_F(Stops, ThatFindNoOrderEndLikeMarketOrders) {
    market.buy(alice, 10, stop(10.00));
    market.sell(carol, 1, at(10.00));
    market.buy(dave, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #2 1@10.00 left 0 trade 1",
                 "executed #3 1@10.00 left 0 takes trade 1", "triggered #1 @0.00 left 10",
                 "cancelled unfilled_remainder #1 10@0.00 left 0"});
}

TEST_F(Stops, KeepTheirTimeInForceWhenTheyAreTriggered) {
    market.buy(alice, 10, at(10.00), stop(10.00), fok);
    market.sell(carol, 6, at(10.00));
    market.buy(dave, 1, at(10.00))
        .expect({"accepted #3 1@10.00", "executed #2 1@10.00 left 5 shows 5 trade 1",
                 "executed #3 1@10.00 left 0 takes trade 1", "triggered #1 @10.00 left 10",
                 "cancelled fill_or_kill #1 10@10.00 left 0"});
}

TEST_F(Stops, KeepTheirSelfTradeRuleWhenTheyAreTriggered) {
    market.buy(alice, 10, stop(10.00), cancel_newest);
    market.sell(carol, 1, at(10.00));
    market.sell(alice, 5, at(10.00));
    market.buy(dave, 1, at(10.00))
        .expect({"accepted #4 1@10.00", "executed #2 1@10.00 left 0 trade 1",
                 "executed #4 1@10.00 left 0 takes trade 1", "triggered #1 @0.00 left 10",
                 "cancelled self_trade #1 10@0.00 left 0"});
}

// Elected stops wait until the incoming order that elected them is done.
TEST_F(Stops, FollowTheOrderThatReachedThem) {
    market.buy(alice, 1, stop(10.00));
    market.sell(bob, 1, at(10.00));
    market.sell(bob, 1, at(10.01));
    market.sell(bob, 1, at(10.02));
    market.buy(carol, 2, at(10.01))
        .expect({"accepted #5 2@10.01", "executed #2 1@10.00 left 0 trade 1",
                 "executed #5 1@10.00 left 1 takes trade 1", "executed #3 1@10.01 left 0 trade 2",
                 "executed #5 1@10.01 left 0 takes trade 2", "triggered #1 @0.00 left 1",
                 "executed #4 1@10.02 left 0 trade 3", "executed #1 1@10.02 left 0 takes trade 3"});
}

TEST_F(Stops, OfBuyersAreElectedFromTheLowestStopPriceThenByArrival) {
    market.buy(alice, 1, at(5.00), stop(10.02));
    market.buy(alice, 1, at(5.00), stop(10.01));
    market.buy(alice, 1, at(5.00), stop(10.02));
    market.buy(alice, 1, at(5.00), stop(10.00));
    market.buy(alice, 1, at(5.00), stop(10.03));
    market.sell(bob, 1, at(10.02));
    EXPECT_THAT(triggered(market.buy(carol, 1, at(10.02))), ElementsAre(4, 2, 1, 3));
}

TEST_F(Stops, OfSellersAreElectedFromTheHighestStopPrice) {
    market.sell(alice, 1, at(50.00), stop(9.98));
    market.sell(alice, 1, at(50.00), stop(9.99));
    market.sell(alice, 1, at(50.00), stop(9.98));
    market.sell(alice, 1, at(50.00), stop(9.97));
    market.buy(bob, 1, at(9.98));
    EXPECT_THAT(triggered(market.sell(carol, 1, at(9.98))), ElementsAre(2, 1, 3));
}

TEST_F(Stops, OfBuyersAreElectedBeforeThoseOfSellers) {
    market.sell(alice, 1, at(50.00), stop(10.00));
    market.buy(alice, 1, at(5.00), stop(10.00));
    market.sell(bob, 1, at(10.00));
    EXPECT_THAT(triggered(market.buy(carol, 1, at(10.00))), ElementsAre(2, 1));
}

// Each trade elects stops: those that an earlier trade reached come first, whatever their price.
TEST_F(Stops, AreTriggeredInTheOrderOfTheTradesThatReachedThem) {
    market.buy(alice, 1, at(5.00), stop(10.01));
    market.buy(alice, 1, at(5.00), stop(10.00));
    market.sell(alice, 1, at(50.00), stop(10.00));
    market.sell(bob, 1, at(10.00));
    market.sell(bob, 1, at(10.01));
    EXPECT_THAT(triggered(market.buy(carol, 2, at(10.01))), ElementsAre(2, 3, 1));
}

TEST_F(Stops, MayElectFurtherStopsWhichJoinTheEnd) {
    market.buy(alice, 1, stop(10.00));
    market.buy(alice, 1, at(5.00), stop(10.01));
    market.buy(alice, 1, at(5.00), stop(10.00));
    market.sell(bob, 1, at(10.00));
    market.sell(bob, 1, at(10.01));
    market.buy(carol, 1, at(10.00))
        .expect({"accepted #6 1@10.00", "executed #4 1@10.00 left 0 trade 1",
                 "executed #6 1@10.00 left 0 takes trade 1", "triggered #1 @0.00 left 1",
                 "executed #5 1@10.01 left 0 trade 2", "executed #1 1@10.01 left 0 takes trade 2",
                 "triggered #3 @5.00 left 1 shows 1", "triggered #2 @5.00 left 1 shows 1"});
}

TEST_F(Stops, ThatTradeUpdateTheLastPriceForTheNextOne) {
    market.sell(alice, 1, stop(9.00));
    market.buy(bob, 1, at(9.00));
    market.buy(bob, 1, at(8.00));
    market.sell(alice, 1, stop(8.50));
    market.buy(bob, 1, at(7.00));
    EXPECT_THAT(triggered(market.sell(carol, 1, at(9.00))), ElementsAre(1, 4));
}

TEST_F(Stops, AreCancelledLikeAnyOtherOrder) {
    market.buy(alice, 10, at(9.00), stop(10.00));
    market.cancel_part(alice, 1, 4).expect({"cancelled requested #1 4@9.00 left 6 pending"});
    market.cancel(alice, 1).expect({"cancelled requested #1 6@9.00 left 0"});
    trade_at(market, 10.00);
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(Stops, MayExpireAtADate) {
    market.buy(alice, 10, stop(10.00), until(50));
    market.tick(50).expect({"expired good_till_date #1 10@0.00 left 0"});
}

// Replaced while pending: section 11.
TEST_F(Stops, KeepTheirPlaceWhenAReplaceReducesThem) {
    market.buy(alice, 10, at(5.00), stop(10.00));
    market.buy(alice, 10, at(5.00), stop(10.00));
    market.replace(alice, 1, 4, at(5.00), stop(10.00))
        .expect({"replaced #1>#1 @5.00 left 4 pending"});
    market.sell(bob, 1, at(10.00));
    EXPECT_THAT(triggered(market.buy(carol, 1, at(10.00))), ElementsAre(1, 2));
}

TEST_F(Stops, LoseTheirPlaceWithANewStopPriceOrMoreQuantity) {
    market.buy(alice, 10, at(5.00), stop(10.00));
    market.buy(alice, 10, at(5.00), stop(10.00));
    market.buy(alice, 10, at(5.00), stop(10.00));
    market.replace(alice, 1, 11, at(5.00), stop(10.00))
        .expect({"replaced #1>#4 @5.00 left 11 pending"});
    market.replace(alice, 2, 10, at(5.00), stop(10.01))
        .expect({"replaced #2>#5 @5.00 left 10 pending"});
    market.replace(alice, 5, 10, at(5.00), stop(10.00));
    market.sell(bob, 1, at(10.00));
    EXPECT_THAT(triggered(market.buy(carol, 1, at(10.00))), ElementsAre(3, 4, 6));
}

TEST_F(Stops, AreTriggeredByAReplaceToAReachedStopPrice) {
    trade_at(market, 10.00);
    market.buy(alice, 10, at(5.00), stop(10.01));
    market.replace(alice, 3, 10, at(5.00), stop(10.00))
        .expect({"replaced #3>#4 @5.00 left 10", "triggered #4 @5.00 left 10 shows 10"});
}

TEST_F(Stops, NeedAStopPriceInAReplace) {
    market.buy(alice, 10, at(5.00), stop(10.00));
    market.replace(alice, 1, 10, at(5.00)).expect_rejected(Reason::invalid_stop_price);
    market.buy(alice, 10, stop(10.00));
    market.replace(alice, 2, 5, at(5.00), stop(10.00)).expect_rejected(Reason::invalid_price);
}

TEST_F(Stops, TakeNoStopPriceOnceTheyAreTriggered) {
    market.buy(alice, 10, at(5.00), stop(10.00));
    trade_at(market, 10.00);
    market.replace(alice, 1, 5, at(5.00), stop(10.00)).expect_rejected(Reason::invalid_stop_price);
    market.replace(alice, 1, 5, at(5.00)).expect({"replaced #1>#1 @5.00 left 5 shows 5"});
}

}  // namespace
}  // namespace damrak::stop_test
