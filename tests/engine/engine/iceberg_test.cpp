// Icebergs: one slice is displayed, the rest is the reserve, and each refresh joins the back of the
// queue. Rule book, sections 1 and 5; Nasdaq Rule 4703(h) treats reserve orders the same way: the
// replenished part has a new time stamp.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::iceberg_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Iceberg : ::testing::Test {
    Market market;
};

TEST_F(Iceberg, ShowsOnlyItsSlice) {
    market.sell(bob, 100, at(10.00), showing(10)).expect({"accepted #1 100@10.00 shows 10"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("10@10.00 (1)"));
}

TEST_F(Iceberg, WithoutAReserveIsAPlainOrder) {
    market.sell(bob, 10, at(10.00), showing(10)).expect({"accepted #1 10@10.00 shows 10"});
    market.buy(alice, 10, at(10.00))
        .expect({"accepted #2 10@10.00", "executed #1 10@10.00 left 0 trade 1",
                 "executed #2 10@10.00 left 0 takes trade 1"});
}

TEST_F(Iceberg, RefreshesWhenItsSliceIsUsedUp) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.buy(alice, 10, at(10.00))
        .expect({"accepted #2 10@10.00", "executed #1 10@10.00 left 90 shows 0 trade 1",
                 "executed #2 10@10.00 left 0 takes trade 1",
                 "refreshed #1>#3 @10.00 left 90 shows 10"});
}

TEST_F(Iceberg, DoesNotRefreshASliceThatIsUsedInPart) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.buy(alice, 9, at(10.00))
        .expect({"accepted #2 9@10.00", "executed #1 9@10.00 left 91 shows 1 trade 1",
                 "executed #2 9@10.00 left 0 takes trade 1"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("1@10.00 (1)"));
}

TEST_F(Iceberg, JoinsTheBackOfTheQueueWithEachRefresh) {
    market.sell(bob, 30, at(10.00), showing(10));
    market.sell(carol, 10, at(10.00));
    market.buy(alice, 25, at(10.00))
        .expect({"accepted #3 25@10.00", "executed #1 10@10.00 left 20 shows 0 trade 1",
                 "executed #3 10@10.00 left 15 takes trade 1",
                 "refreshed #1>#4 @10.00 left 20 shows 10", "executed #2 10@10.00 left 0 trade 2",
                 "executed #3 10@10.00 left 5 takes trade 2",
                 "executed #1 5@10.00 left 15 shows 5 trade 3",
                 "executed #3 5@10.00 left 0 takes trade 3"});
}

TEST_F(Iceberg, RanksAfterOrdersThatCameBeforeItsRefresh) {
    market.sell(bob, 20, at(10.00), showing(10));
    market.sell(carol, 10, at(10.00));
    market.buy(alice, 10, at(10.00));
    market.buy(alice, 1, at(10.00))
        .expect({"accepted #5 1@10.00", "executed #2 1@10.00 left 9 shows 9 trade 2",
                 "executed #5 1@10.00 left 0 takes trade 2"});
}

TEST_F(Iceberg, DisplaysTheRemainderAsItsLastSlice) {
    market.sell(bob, 13, at(10.00), showing(10));
    market.buy(alice, 10, at(10.00))
        .expect({"accepted #2 10@10.00", "executed #1 10@10.00 left 3 shows 0 trade 1",
                 "executed #2 10@10.00 left 0 takes trade 1",
                 "refreshed #1>#3 @10.00 left 3 shows 3"});
    market.buy(alice, 3, at(10.00))
        .expect({"accepted #4 3@10.00", "executed #1 3@10.00 left 0 trade 2",
                 "executed #4 3@10.00 left 0 takes trade 2"});
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
}

TEST_F(Iceberg, IsFilledSliceBySliceByALargeOrder) {
    market.sell(bob, 25, at(10.00), showing(10));
    market.sell(carol, 10, at(10.01));
    market.buy(alice, 30, at(10.01))
        .expect({"accepted #3 30@10.01", "executed #1 10@10.00 left 15 shows 0 trade 1",
                 "executed #3 10@10.00 left 20 takes trade 1",
                 "refreshed #1>#4 @10.00 left 15 shows 10",
                 "executed #1 10@10.00 left 5 shows 0 trade 2",
                 "executed #3 10@10.00 left 10 takes trade 2",
                 "refreshed #1>#5 @10.00 left 5 shows 5", "executed #1 5@10.00 left 0 trade 3",
                 "executed #3 5@10.00 left 5 takes trade 3",
                 "executed #2 5@10.01 left 5 shows 5 trade 4",
                 "executed #3 5@10.01 left 0 takes trade 4"});
}

TEST_F(Iceberg, TradesItsFullQuantityOnEntryAndThenShowsASlice) {
    market.sell(bob, 40, at(10.00));
    market.buy(alice, 100, at(10.00), showing(15))
        .expect({"accepted #2 100@10.00", "executed #1 40@10.00 left 0 trade 1",
                 "executed #2 40@10.00 left 60 takes trade 1",
                 "rested #2>#2 @10.00 left 60 shows 15"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("15@10.00 (1)"));
}

TEST_F(Iceberg, ShowsARemainderSmallerThanASlice) {
    market.sell(bob, 90, at(10.00));
    market.buy(alice, 100, at(10.00), showing(15))
        .expect({"accepted #2 100@10.00", "executed #1 90@10.00 left 0 trade 1",
                 "executed #2 90@10.00 left 10 takes trade 1",
                 "rested #2>#2 @10.00 left 10 shows 10"});
}

// A slice has no id that leads back to the order: its public id is new each time.
TEST_F(Iceberg, IsCancelledByItsOrderIdNotByItsPublicId) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.buy(alice, 10, at(10.00));
    market.cancel(bob, 3).expect_rejected(Reason::unknown_order);
    market.cancel(bob, 1).expect({"cancelled requested #1 90@10.00 left 0"});
}

TEST_F(Iceberg, RanksBeforeHiddenOrdersAfterEveryRefresh) {
    market.sell(carol, 10, at(10.00), hidden);
    market.sell(bob, 20, at(10.00), showing(10));
    const Outcome outcome = market.buy(alice, 21, at(10.00));
    EXPECT_EQ(event_line(outcome.events()[1]), "executed #2 10@10.00 left 10 shows 0 trade 1");
    EXPECT_EQ(event_line(outcome.events()[4]), "executed #2 10@10.00 left 0 trade 2");
    EXPECT_EQ(event_line(outcome.events()[6]), "executed #1 1@10.00 left 9 hidden trade 3");
}

TEST_F(Iceberg, SlicesOfTwoIcebergsAlternate) {
    market.sell(bob, 4, at(10.00), showing(2));
    market.sell(carol, 4, at(10.00), showing(2));
    std::vector<std::uint64_t> makers;
    for (const Event& event : market.buy(alice, 8, at(10.00)).events())
        if (event.kind == EventKind::executed && event.participant != alice)
            makers.push_back(event.order_id.value);
    EXPECT_THAT(makers, ElementsAre(1, 2, 1, 2));
}

// Partial cancels and replaces in place: section 11.
TEST_F(Iceberg, LosesItsReserveFirstWhenItIsCancelledInPart) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.sell(carol, 1, at(10.00));
    market.cancel_part(bob, 1, 85).expect({"cancelled requested #1 85@10.00 left 15 shows 10"});
    market.cancel_part(bob, 1, 9).expect({"cancelled requested #1 9@10.00 left 6 shows 6"});
    market.buy(alice, 6, at(10.00))
        .expect({"accepted #3 6@10.00", "executed #1 6@10.00 left 0 trade 1",
                 "executed #3 6@10.00 left 0 takes trade 1"});
}

TEST_F(Iceberg, KeepsItsSliceAndPlaceWhenAReplaceReducesIt) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.sell(carol, 1, at(10.00));
    market.replace(bob, 1, 50, at(10.00)).expect({"replaced #1>#1 @10.00 left 50 shows 10"});
    EXPECT_EQ(market.buy(alice, 1, at(10.00)).events()[1].order_id, OrderId{1});
}

TEST_F(Iceberg, KeepsItsDisplayQuantityWhenItReenters) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.buy(alice, 10, at(10.00));
    market.replace(bob, 1, 200, at(10.01)).expect({"replaced #1>#4 @10.01 left 200 shows 10"});
}

}  // namespace
}  // namespace damrak::iceberg_test
