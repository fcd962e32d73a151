// Cancel and query of one order: rule book, sections 2 and 11.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::cancel_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Cancel : ::testing::Test {
    Market market;
};

TEST_F(Cancel, TakesTheWholeOrderOut) {
    market.buy(alice, 100, at(10.00));
    market.cancel(alice, 1).expect({"cancelled requested #1 100@10.00 left 0"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(Cancel, OfAPartlyFilledOrderTakesTheRemainder) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 30, at(10.00));
    market.cancel(alice, 1).expect({"cancelled requested #1 70@10.00 left 0"});
}

TEST_F(Cancel, InPartLeavesTheRestInItsPlace) {
    market.buy(alice, 100, at(10.00));
    market.buy(bob, 100, at(10.00));
    market.cancel_part(alice, 1, 60).expect({"cancelled requested #1 60@10.00 left 40 shows 40"});
    EXPECT_EQ(market.sell(carol, 1, at(10.00)).events()[1].order_id, OrderId{1});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("139@10.00 (2)"));
}

TEST_F(Cancel, OfTheOpenQuantityOrMoreTakesAll) {
    market.buy(alice, 100, at(10.00));
    market.cancel_part(alice, 1, 100).expect({"cancelled requested #1 100@10.00 left 0"});
    market.buy(alice, 100, at(10.00));
    market.cancel_part(alice, 2, 999).expect({"cancelled requested #2 100@10.00 left 0"});
}

TEST_F(Cancel, OfAHiddenOrderReportsNothingPublic) {
    market.buy(alice, 100, at(10.00), hidden);
    market.cancel_part(alice, 1, 60).expect({"cancelled requested #1 60@10.00 left 40 hidden"});
    market.cancel(alice, 1).expect({"cancelled requested #1 40@10.00 left 0 (hidden)"});
}

TEST_F(Cancel, SucceedsOnlyOnce) {
    market.buy(alice, 100, at(10.00));
    market.cancel(alice, 1);
    market.cancel(alice, 1).expect_rejected(Reason::unknown_order);
}

TEST_F(Cancel, OfAFilledOrderComesTooLate) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 100, at(10.00));
    market.cancel(alice, 1).expect_rejected(Reason::unknown_order);
}

TEST_F(Cancel, IsForTheOwnerAlone) {
    market.buy(alice, 100, at(10.00));
    market.cancel(bob, 1).expect_rejected(Reason::not_owner);
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("100@10.00 (1)"));
}

TEST_F(Cancel, IsAllowedWhileTheInstrumentIsHalted) {
    market.buy(alice, 100, at(10.00));
    market.set_state(TradingState::halted);
    market.cancel_part(alice, 1, 10).expect({"cancelled requested #1 10@10.00 left 90 shows 90"});
    market.cancel(alice, 1).expect({"cancelled requested #1 90@10.00 left 0"});
}

TEST_F(Cancel, InPartIsInLots) {
    InstrumentDetails lots = Market::stock();
    lots.lot_size = Quantity{10};
    market.add_instrument(2, lots);
    const std::uint64_t order = market.buy(alice, 100, at(10.00), in(2)).id();
    market.cancel_part(alice, order, 15, in(2)).expect_rejected(Reason::quantity_off_lot);
    EXPECT_EQ(market.cancel_part(alice, order, 20, in(2)).last().remaining, Quantity{80});
}

TEST_F(Cancel, LeavesThePositionAlone) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 30, at(10.00));
    market.cancel(alice, 1);
    EXPECT_EQ(market.position(alice), 30);
}

struct Query : ::testing::Test {
    Market market;
};

TEST_F(Query, ReportsExecutedAndOpenQuantity) {
    market.buy(alice, 100, at(10.00));
    market.sell(bob, 30, at(10.00));
    market.query(alice, 1).expect({"order_status #1 executed 30 @10.00 left 70 shows 70"});
}

TEST_F(Query, ReportsTheOpenQuantityOfAnIcebergWithItsReserve) {
    market.buy(alice, 100, at(10.00), showing(10));
    market.query(alice, 1).expect({"order_status #1 executed 0 @10.00 left 100 shows 10"});
}

TEST_F(Query, ReportsPendingAndHeldOrders) {
    market.buy(alice, 100, at(9.00), stop(10.00));
    market.query(alice, 1).expect({"order_status #1 executed 0 @9.00 left 100 pending"});
    market.buy(alice, 100, at(10.00), at_least(50));
    market.query(alice, 2).expect({"order_status #2 executed 0 @10.00 left 100 held"});
}

TEST_F(Query, RepeatsTheClientOrderIdOfTheQuery) {
    market.buy(alice, 1, at(10.00), client_id(55));
    EXPECT_EQ(market.query(alice, 1, client_id(77)).last().client_order_id(), ClientOrderId{77});
}

TEST_F(Query, ChangesNothing) {
    market.buy(alice, 1, at(10.00));
    const std::uint64_t before = market.state_hash();
    market.query(alice, 1);
    EXPECT_EQ(market.state_hash(), before);
}

TEST_F(Query, IsForTheOwnerAlone) {
    market.buy(alice, 1, at(10.00));
    market.query(bob, 1).expect_rejected(Reason::not_owner);
    market.query(alice, 2).expect_rejected(Reason::unknown_order);
    market.query(alice, 1, in(2)).expect_rejected(Reason::unknown_instrument);
    market.query({}, 1).expect_rejected(Reason::unknown_participant);
}

}  // namespace
}  // namespace damrak::cancel_test
