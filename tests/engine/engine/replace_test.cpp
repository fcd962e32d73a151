// Replace: in place, or as a new entry. Rule book, section 11. As on all exchanges, less quantity
// at the same price keeps priority and any other change loses it.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::replace_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

struct Replace : ::testing::Test {
    // Which of two bids at 10.00 a seller would meet first.
    std::uint64_t first_bid() { return market.sell(dave, 1, at(10.00)).events()[1].order_id.value; }
    Market market;
};

TEST_F(Replace, ByLessAtTheSamePriceKeepsPriorityAndId) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.replace(alice, 1, 60, at(10.00)).expect({"replaced #1>#1 @10.00 left 60 shows 60"});
    EXPECT_EQ(first_bid(), 1U);
}

TEST_F(Replace, ByTheSameKeepsPriorityAndId) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.replace(alice, 1, 100, at(10.00)).expect({"replaced #1>#1 @10.00 left 100 shows 100"});
    EXPECT_EQ(first_bid(), 1U);
}

TEST_F(Replace, ByMoreLosesPriority) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.replace(alice, 1, 101, at(10.00)).expect({"replaced #1>#3 @10.00 left 101 shows 101"});
    EXPECT_EQ(first_bid(), 2U);
}

TEST_F(Replace, ToAnotherPriceAndBackLosesPriority) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.replace(alice, 1, 100, at(10.01)).expect({"replaced #1>#3 @10.01 left 100 shows 100"});
    market.replace(alice, 3, 100, at(10.00)).expect({"replaced #3>#4 @10.00 left 100 shows 100"});
    EXPECT_EQ(first_bid(), 2U);
}

TEST_F(Replace, LosesPriorityOnRequest) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.replace(alice, 1, 100, at(10.00), lose_priority)
        .expect({"replaced #1>#3 @10.00 left 100 shows 100"});
    EXPECT_EQ(first_bid(), 2U);
}

TEST_F(Replace, OfAPartlyFilledOrderStatesTheOpenQuantity) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 30, at(10.00));
    market.replace(alice, 1, 50, at(10.00)).expect({"replaced #1>#1 @10.00 left 50 shows 50"});
    market.query(alice, 1).expect({"order_status #1 executed 30 @10.00 left 50 shows 50"});
}

// FIX OrderQty(38) of a cancel/replace request is the total, executed quantity included.
TEST_F(Replace, InTotalSubtractsTheExecutedQuantity) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 30, at(10.00));
    market.replace(alice, 1, 50, at(10.00), in_total)
        .expect({"replaced #1>#1 @10.00 left 20 shows 20"});
    market.replace(alice, 1, 120, at(10.00), in_total)
        .expect({"replaced #1>#3 @10.00 left 90 shows 90"});
    market.query(alice, 3).expect({"order_status #3 executed 30 @10.00 left 90 shows 90"});
}

TEST_F(Replace, InTotalOfAtMostTheExecutedQuantityIsRejected) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 30, at(10.00));
    market.replace(alice, 1, 30, at(10.00), in_total).expect_rejected(Reason::invalid_quantity);
    market.replace(alice, 1, 29, at(10.00), in_total).expect_rejected(Reason::invalid_quantity);
}

TEST_F(Replace, ThatReachesTheOppositePriceTrades) {
    market.sell(bob, 40, at(10.05));
    market.buy(alice, 100, at(10.00));
    market.replace(alice, 2, 100, at(10.05))
        .expect({"replaced #2>#3 @10.05 left 100", "executed #1 40@10.05 left 0 trade 1",
                 "executed #3 40@10.05 left 60 takes trade 1",
                 "rested #3>#3 @10.05 left 60 shows 60"});
}

TEST_F(Replace, ThatTradesCompletelyLeavesNoOrder) {
    market.sell(bob, 100, at(10.05));
    market.buy(alice, 100, at(10.00));
    market.replace(alice, 2, 100, at(10.05))
        .expect({"replaced #2>#3 @10.05 left 100", "executed #1 100@10.05 left 0 trade 1",
                 "executed #3 100@10.05 left 0 takes trade 1"});
    market.cancel(alice, 3).expect_rejected(Reason::unknown_order);
    market.cancel(alice, 2).expect_rejected(Reason::unknown_order);
}

TEST_F(Replace, NeverMeetsTheOrderItReplaces) {
    market.buy(alice, 100, at(10.00));
    market.replace(alice, 1, 200, at(10.05)).expect({"replaced #1>#2 @10.05 left 200 shows 200"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("200@10.05 (1)"));
}

TEST_F(Replace, KeepsTheSelfTradeRule) {
    market.sell(alice, 10, at(10.05));
    market.buy(alice, 10, at(10.00), cancel_newest);
    market.replace(alice, 2, 10, at(10.05))
        .expect({"replaced #2>#3 @10.05 left 10", "cancelled self_trade #3 10@10.05 left 0"});
    market.query(alice, 3).expect_rejected(Reason::unknown_order);
}

TEST_F(Replace, AddressesTheOrderByItsNewIdFromThenOn) {
    market.buy(alice, 100, at(10.00));
    market.replace(alice, 1, 100, at(10.01));
    market.cancel(alice, 1).expect_rejected(Reason::unknown_order);
    market.cancel(alice, 2).expect({"cancelled requested #2 100@10.01 left 0"});
}

TEST_F(Replace, KeepsTheIdIfTheCommandRepeatsIt) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.replace(alice, 1, 200, at(10.00), new_id(1))
        .expect({"replaced #1>#1 @10.00 left 200 shows 200"});
    EXPECT_EQ(first_bid(), 2U) << "it keeps its id but not its place";
    EXPECT_EQ(market.buy(carol, 1, at(9.00)).id(), 4U) << "it used no order number";
}

TEST_F(Replace, MayNotChooseAnId) {
    market.buy(alice, 100, at(10.00));
    market.replace(alice, 1, 100, at(10.01), new_id(9)).expect_rejected(Reason::invalid_order_id);
}

TEST_F(Replace, OfAHiddenOrderStaysHidden) {
    market.buy(alice, 100, at(10.00), hidden);
    market.replace(alice, 1, 50, at(10.00)).expect({"replaced #1>#1 @10.00 left 50 hidden"});
    market.replace(alice, 1, 100, at(10.01)).expect({"replaced #1>#2 @10.01 left 100 hidden"});
}

TEST_F(Replace, KeepsTheDateOfAnOrder) {
    market.buy(alice, 100, at(10.00), until(50));
    market.replace(alice, 1, 200, at(10.01));
    market.tick(50).expect({"expired good_till_date #2 200@10.01 left 0"});
}

TEST_F(Replace, IsForTheOwnerAlone) {
    market.buy(alice, 100, at(10.00));
    market.replace(bob, 1, 50, at(10.00)).expect_rejected(Reason::not_owner);
}

TEST_F(Replace, OfAnUnknownOrderIsRejected) {
    market.replace(alice, 1, 50, at(10.00)).expect_rejected(Reason::unknown_order);
    market.replace(alice, 0, 50, at(10.00)).expect_rejected(Reason::unknown_order);
}

TEST_F(Replace, WaitsForTheEndOfAHaltAndOfABlock) {
    market.buy(alice, 100, at(10.00));
    market.set_state(TradingState::halted);
    market.replace(alice, 1, 50, at(10.00)).expect_rejected(Reason::instrument_halted);
    market.set_state(TradingState::trading);
    market.replace(alice, 1, 50, at(10.00)).expect({"replaced #1>#1 @10.00 left 50 shows 50"});
}

TEST_F(Replace, ChecksQuantityAndPriceLikeANewOrder) {
    market.buy(alice, 100, at(10.00));
    market.replace(alice, 1, 0, at(10.00)).expect_rejected(Reason::invalid_quantity);
    market.replace(alice, 1, -1, at(10.00)).expect_rejected(Reason::invalid_quantity);
    market.replace(alice, 1, 1'000'000, at(10.00)).expect_rejected(Reason::quantity_too_large);
    market.replace(alice, 1, 100, at(0)).expect_rejected(Reason::invalid_price);
    market.replace(alice, 1, 100, at(10.005)).expect_rejected(Reason::price_off_tick);
    market.replace(alice, 1, 100, at(200'000.00)).expect_rejected(Reason::price_too_large);
    market.replace(alice, 1, 100, at(10.00), stop(10.00))
        .expect_rejected(Reason::invalid_stop_price);
    market.replace(alice, 1, 100, at(10.00), post_only).expect_rejected(Reason::invalid_flags);
}

struct ReplaceWithGivenIds : ::testing::Test {
    static EngineConfig given_ids() {
        EngineConfig config = Market::small();
        config.order_id_source = OrderIdSource::command;
        return config;
    }
    Market market{given_ids()};
};

TEST_F(ReplaceWithGivenIds, TakesTheIdThatTheCommandGives) {
    market.buy(alice, 100, at(10.00), id(70));
    market.replace(alice, 70, 100, at(10.01), new_id(80))
        .expect({"replaced #70>#80 @10.01 left 100 shows 100"});
    market.cancel(alice, 80).expect({"cancelled requested #80 100@10.01 left 0"});
}

TEST_F(ReplaceWithGivenIds, MayKeepTheOldId) {
    market.buy(alice, 100, at(10.00), id(70));
    market.replace(alice, 70, 100, at(10.01), new_id(70))
        .expect({"replaced #70>#70 @10.01 left 100 shows 100"});
}

TEST_F(ReplaceWithGivenIds, InPlaceKeepsTheOldIdWhateverIsGiven) {
    market.buy(alice, 100, at(10.00), id(70));
    market.replace(alice, 70, 50, at(10.00), new_id(80))
        .expect({"replaced #70>#70 @10.00 left 50 shows 50"});
    market.cancel(alice, 80).expect_rejected(Reason::unknown_order);
}

TEST_F(ReplaceWithGivenIds, NeedsAnUnusedId) {
    market.buy(alice, 100, at(10.00), id(70));
    market.buy(alice, 100, at(10.00), id(80));
    market.replace(alice, 70, 100, at(10.01)).expect_rejected(Reason::invalid_order_id);
    market.replace(alice, 70, 100, at(10.01), new_id(80))
        .expect_rejected(Reason::duplicate_order_id);
}

}  // namespace
}  // namespace damrak::replace_test
