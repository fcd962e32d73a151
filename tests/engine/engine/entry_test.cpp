// Entry of an order: rule book, section 4. Times in force are those of FIX 5.0 SP2,
// TimeInForce(59).

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::entry_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Entry : ::testing::Test {
    Market market;
};

TEST_F(Entry, LimitOrderRestsIfItMeetsNoOrder) {
    market.buy(alice, 100, at(10.00)).expect({"accepted #1 100@10.00 shows 100"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("100@10.00 (1)"));
}

TEST_F(Entry, LimitOrderRestsIfItDoesNotReachTheOppositePrice) {
    market.sell(bob, 100, at(10.01));
    market.buy(alice, 100, at(10.00)).expect({"accepted #2 100@10.00 shows 100"});
}

TEST_F(Entry, LimitOrderTradesIfItReachesTheOppositePrice) {
    market.sell(bob, 100, at(10.00));
    market.buy(alice, 100, at(10.00))
        .expect({"accepted #2 100@10.00", "executed #1 100@10.00 left 0 trade 1",
                 "executed #2 100@10.00 left 0 takes trade 1"});
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(Entry, RemainderOfALimitOrderRestsAtItsLimit) {
    market.sell(bob, 40, at(10.00));
    market.buy(alice, 100, at(10.05))
        .expect({"accepted #2 100@10.05", "executed #1 40@10.00 left 0 trade 1",
                 "executed #2 40@10.00 left 60 takes trade 1",
                 "rested #2>#2 @10.05 left 60 shows 60"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("60@10.05 (1)"));
}

TEST_F(Entry, MeetsHiddenOrders) {
    market.sell(bob, 40, at(10.00), hidden);
    market.buy(alice, 40, at(10.00))
        .expect({"accepted #2 40@10.00", "executed #1 40@10.00 left 0 (hidden) trade 1",
                 "executed #2 40@10.00 left 0 takes trade 1"});
}

// Immediate or cancel, 59=3.
TEST_F(Entry, ImmediateOrderIsCancelledIfItMeetsNoOrder) {
    market.buy(alice, 100, at(10.00), ioc)
        .expect({"accepted #1 100@10.00", "cancelled unfilled_remainder #1 100@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(Entry, RemainderOfAnImmediateOrderIsCancelled) {
    market.sell(bob, 40, at(10.00));
    market.buy(alice, 100, at(10.00), ioc)
        .expect({"accepted #2 100@10.00", "executed #1 40@10.00 left 0 trade 1",
                 "executed #2 40@10.00 left 60 takes trade 1",
                 "cancelled unfilled_remainder #2 60@10.00 left 0"});
}

// Fill or kill, 59=4.
TEST_F(Entry, FillOrKillTradesCompletely) {
    market.sell(bob, 60, at(10.00));
    market.sell(carol, 40, at(10.01));
    market.buy(alice, 100, at(10.01), fok)
        .expect({"accepted #3 100@10.01", "executed #1 60@10.00 left 0 trade 1",
                 "executed #3 60@10.00 left 40 takes trade 1",
                 "executed #2 40@10.01 left 0 trade 2",
                 "executed #3 40@10.01 left 0 takes trade 2"});
}

TEST_F(Entry, FillOrKillThatCannotTradeCompletelyDoesNotTrade) {
    market.sell(bob, 99, at(10.00));
    market.buy(alice, 100, at(10.00), fok)
        .expect({"accepted #2 100@10.00", "cancelled fill_or_kill #2 100@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("99@10.00 (1)"));
}

TEST_F(Entry, FillOrKillIsCancelledIfItMeetsNoOrder) {
    market.buy(alice, 100, at(10.00), fok)
        .expect({"accepted #1 100@10.00", "cancelled fill_or_kill #1 100@10.00 left 0"});
}

TEST_F(Entry, MarketOrderTradesAtAnyPrice) {
    market.sell(bob, 50, at(10.00));
    market.sell(bob, 50, at(99'999.00));
    market.buy(alice, 100)
        .expect({"accepted #3 100@0.00", "executed #1 50@10.00 left 0 trade 1",
                 "executed #3 50@10.00 left 50 takes trade 1",
                 "executed #2 50@99999.00 left 0 trade 2",
                 "executed #3 50@99999.00 left 0 takes trade 2"});
}

TEST_F(Entry, MarketOrderIsCancelledIfItMeetsNoOrder) {
    market.sell(alice, 100)
        .expect({"accepted #1 100@0.00", "cancelled unfilled_remainder #1 100@0.00 left 0"});
}

TEST_F(Entry, RemainderOfAMarketOrderNeverRests) {
    market.buy(bob, 40, at(10.00));
    market.sell(alice, 100, gtc)
        .expect({"accepted #2 100@0.00", "executed #1 40@10.00 left 0 trade 1",
                 "executed #2 40@10.00 left 60 takes trade 1",
                 "cancelled unfilled_remainder #2 60@0.00 left 0"});
}

TEST_F(Entry, MarketOrderMayBeFillOrKill) {
    market.buy(bob, 40, at(10.00));
    market.sell(alice, 100, fok)
        .expect({"accepted #2 100@0.00", "cancelled fill_or_kill #2 100@0.00 left 0"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("40@10.00 (1)"));
}

// Good till cancel and good till date, 59=1 and 59=6.
TEST_F(Entry, OrdersThatOutliveTheDayRestLikeAnyOther) {
    market.buy(alice, 1, at(10.00), gtc).expect({"accepted #1 1@10.00 shows 1"});
    market.buy(alice, 1, at(10.00), until(100)).expect({"accepted #2 1@10.00 shows 1"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("2@10.00 (2)"));
}

TEST_F(Entry, HiddenOrderRestsUnseen) {
    market.buy(alice, 100, at(10.00), hidden).expect({"accepted #1 100@10.00 hidden"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(Entry, RemainderOfAHiddenOrderRestsUnseen) {
    market.sell(bob, 40, at(10.00));
    market.buy(alice, 100, at(10.00), hidden)
        .expect({"accepted #2 100@10.00 (hidden)", "executed #1 40@10.00 left 0 trade 1",
                 "executed #2 40@10.00 left 60 (hidden) takes trade 1",
                 "rested #2>#2 @10.00 left 60 hidden"});
}

TEST_F(Entry, DistantPricesWorkLikeNearOnes) {
    market.buy(alice, 1, at(0.01)).expect({"accepted #1 1@0.01 shows 1"});
    market.sell(bob, 1, at(199'999.99)).expect({"accepted #2 1@199999.99 shows 1"});
    market.sell(bob, 1).expect({"accepted #3 1@0.00", "executed #1 1@0.01 left 0 trade 1",
                                "executed #3 1@0.01 left 0 takes trade 1"});
}

// Identifiers, section 1: in each instrument order and trade numbers count from one.
TEST_F(Entry, OrdersOfTheFirstInstrumentCountOneTwoThree) {
    EXPECT_EQ(market.buy(alice, 1, at(10.00)).id(), 1U);
    EXPECT_EQ(market.buy(bob, 1, at(10.00)).id(), 2U);
    EXPECT_EQ(market.sell(carol, 1, at(11.00)).id(), 3U);
}

TEST_F(Entry, OrderIdsOfOtherInstrumentsStartWithTheirIndex) {
    market.add_instrument(3, Market::stock());
    const std::uint64_t third = std::uint64_t{2} << 40U;
    EXPECT_EQ(market.buy(alice, 1, at(10.00), in(3)).id(), third + 1);
    const Outcome outcome = market.sell(bob, 1, at(10.00), in(3));
    EXPECT_EQ(outcome.id(), third + 2);
    EXPECT_EQ(outcome.last().trade_id(), TradeId{third + 1});
    EXPECT_EQ(market.buy(alice, 1, at(10.00)).id(), 1U) << "each instrument counts its own";
}

TEST_F(Entry, RejectedOrdersTakeNoNumber) {
    market.buy(alice, 0, at(10.00)).expect_rejected(Reason::invalid_quantity);
    EXPECT_EQ(market.buy(alice, 1, at(10.00)).id(), 1U);
}

TEST(EntryWithGivenIds, OrdersHaveTheIdsOfTheirCommands) {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::command;
    Market market(config);
    market.buy(alice, 1, at(10.00), id(777)).expect({"accepted #777 1@10.00 shows 1"});
    const std::uint64_t largest = ~std::uint64_t{0};
    EXPECT_EQ(market.buy(alice, 1, at(10.00), id(largest)).id(), largest);
}

TEST(EntryWithGivenIds, AnIdIsAvailableAgainAfterItsOrder) {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::command;
    Market market(config);
    market.buy(alice, 1, at(10.00), id(777));
    market.buy(bob, 1, at(10.00), id(777)).expect_rejected(Reason::duplicate_order_id);
    market.cancel(alice, 777);
    market.buy(bob, 1, at(10.00), id(777)).expect({"accepted #777 1@10.00 shows 1"});
}

TEST(EntryWithGivenIds, AnIdMayBeUsedInEachInstrument) {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::command;
    Market market(config);
    market.add_instrument(2, Market::stock());
    market.buy(alice, 1, at(10.00), id(7));
    market.buy(bob, 1, at(10.00), id(7), in(2)).expect({"accepted #7 1@10.00 shows 1"});
    market.cancel(bob, 7).expect_rejected(Reason::not_owner);
    market.cancel(bob, 7, in(2)).expect({"cancelled requested #7 1@10.00 left 0"});
}

}  // namespace
}  // namespace damrak::entry_test
