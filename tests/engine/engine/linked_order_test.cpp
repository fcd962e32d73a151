// docs/rule-book/linked-orders.md.
#include <cstdint>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::linked_order_test {
namespace {

using namespace terms;

auto linked(Contingency contingency, std::uint64_t other) {
    return [=](Command& command) {
        command.flags |= CommandFlags::k_linked;
        command.new_order_id = OrderId{other};
        command.order.contingency = contingency;
    };
}
/// One cancels the other.
auto oco(std::uint64_t other) { return linked(Contingency::one_cancels_other, other); }
/// Waits until the other is filled.
auto after(std::uint64_t other) { return linked(Contingency::one_triggers_other, other); }

struct LinkedOrders : ::testing::Test {
    /// Between others.
    void trade_at(double amount) {
        market.sell(bob, 1, at(amount));
        market.buy(carol, 1, at(amount), ioc);
    }
    Market market;
};

TEST_F(LinkedOrders, FilledLimitCancelsTheStop) {
    market.sell(alice, 10, at(11));
    market.sell(alice, 10, stop(9), oco(1)).expect({"accepted #2 10@0.00 pending"});
    market.buy(bob, 10, at(11))
        .expect({"accepted #3 10@11.00", "executed #1 10@11.00 left 0 trade 1",
                 "executed #3 10@11.00 left 0 takes trade 1",
                 "cancelled linked_order #2 10@0.00 left 0"});
}

TEST_F(LinkedOrders, PartialFillCutsTheStopToTheRest) {
    market.sell(alice, 10, at(11));
    market.sell(alice, 10, stop(9), oco(1));
    market.buy(bob, 4, at(11))
        .expect({"accepted #3 4@11.00", "executed #1 4@11.00 left 6 shows 6 trade 1",
                 "executed #3 4@11.00 left 0 takes trade 1",
                 "cancelled linked_order #2 4@0.00 left 6 pending"});
    market.buy(bob, 6, at(11))
        .expect({"accepted #4 6@11.00", "executed #1 6@11.00 left 0 trade 2",
                 "executed #4 6@11.00 left 0 takes trade 2",
                 "cancelled linked_order #2 6@0.00 left 0"});
}

TEST_F(LinkedOrders, CutToNothingEndsTheSmallerOne) {
    market.sell(alice, 10, at(11));
    market.sell(alice, 3, stop(9), oco(1));
    market.buy(bob, 3, at(11))
        .expect({"accepted #3 3@11.00", "executed #1 3@11.00 left 7 shows 7 trade 1",
                 "executed #3 3@11.00 left 0 takes trade 1",
                 "cancelled linked_order #2 3@0.00 left 0"});
    market.sell(alice, 1, stop(9), oco(1)).expect({"accepted #4 1@0.00 pending"});
}

TEST_F(LinkedOrders, TriggeredStopCancelsTheLimitFirst) {
    market.sell(alice, 10, at(11));
    market.sell(alice, 10, stop(9), oco(1));
    market.buy(bob, 4, at(8.50));
    market.sell(bob, 1, at(9));
    market.buy(carol, 1, at(9))
        .expect({"accepted #5 1@9.00", "executed #4 1@9.00 left 0 trade 1",
                 "executed #5 1@9.00 left 0 takes trade 1",
                 "cancelled linked_order #1 10@11.00 left 0", "triggered #2 @0.00 left 10",
                 "executed #3 4@8.50 left 0 trade 2", "executed #2 4@8.50 left 6 takes trade 2",
                 "cancelled unfilled_remainder #2 6@0.00 left 0"});
}

TEST_F(LinkedOrders, StopThatIsReachedAlreadyCancelsTheLimitAtOnce) {
    trade_at(9);
    const std::uint64_t limit = market.sell(alice, 10, at(11)).id();
    market.sell(alice, 10, stop(9.50), at(9.40), oco(limit))
        .expect({"accepted #4 10@9.40", "cancelled linked_order #3 10@11.00 left 0",
                 "triggered #4 @9.40 left 10 shows 10"});
}

TEST_F(LinkedOrders, OfTwoElectedStopsOnlyTheFirstIsTriggered) {
    market.buy(alice, 5, stop(12));
    market.sell(alice, 5, stop(8), oco(1));
    market.sell(bob, 1, at(12));
    market.buy(carol, 1, at(12))
        .expect({"accepted #4 1@12.00", "executed #3 1@12.00 left 0 trade 1",
                 "executed #4 1@12.00 left 0 takes trade 1",
                 "cancelled linked_order #2 5@0.00 left 0", "triggered #1 @0.00 left 5",
                 "cancelled unfilled_remainder #1 5@0.00 left 0"});
}

TEST_F(LinkedOrders, TwoLimitsStandApart) {
    market.buy(alice, 5, at(9));
    market.buy(alice, 5, at(8), oco(1)).expect_rejected(Reason::invalid_link);
    market.sell(alice, 5, at(9), oco(1)).expect_rejected(Reason::invalid_link);
    market.sell(alice, 5, at(9.01), oco(1)).expect({"accepted #2 5@9.01 shows 5"});
    market.replace(alice, 1, 5, at(9.01)).expect_rejected(Reason::invalid_link);
    market.sell(bob, 2, at(9))
        .expect({"accepted #3 2@9.00", "executed #1 2@9.00 left 3 shows 3 trade 1",
                 "executed #3 2@9.00 left 0 takes trade 1",
                 "cancelled linked_order #2 2@9.01 left 3 shows 3"});
}

TEST_F(LinkedOrders, EndOfOneIsTheEndOfTheOther) {
    market.sell(alice, 5, at(11));
    market.sell(alice, 5, stop(9), oco(1));
    market.cancel(alice, 2).expect(
        {"cancelled requested #2 5@0.00 left 0", "cancelled linked_order #1 5@11.00 left 0"});
    market.sell(alice, 5, at(11), until(100));
    market.sell(alice, 5, stop(9), gtc, oco(3));
    market.tick(100).expect(
        {"expired good_till_date #3 5@11.00 left 0", "cancelled linked_order #4 5@0.00 left 0"});
}

TEST_F(LinkedOrders, PartialCancelLeavesTheOther) {
    market.sell(alice, 5, at(11));
    market.sell(alice, 5, stop(9), oco(1));
    market.cancel_part(alice, 1, 2).expect({"cancelled requested #1 2@11.00 left 3 shows 3"});
    market.query(alice, 2).expect({"order_status #2 executed 0 @0.00 left 5 pending"});
}

TEST_F(LinkedOrders, MassCancelCountsBoth) {
    market.sell(alice, 5, at(11));
    market.sell(alice, 5, stop(9), oco(1));
    EXPECT_EQ(market.mass_cancel().last().quantity, Quantity{2});
}

TEST_F(LinkedOrders, OrderThatTradesAsItComesInCutsTheOther) {
    market.sell(alice, 10, stop(8));
    market.buy(bob, 4, at(11));
    market.sell(alice, 10, at(11), oco(1))
        .expect({"accepted #3 10@11.00", "executed #2 4@11.00 left 0 trade 1",
                 "executed #3 4@11.00 left 6 takes trade 1",
                 "cancelled linked_order #1 4@0.00 left 6 pending",
                 "rested #3>#3 @11.00 left 6 shows 6"});
    market.buy(bob, 6, at(12));
    market.query(alice, 1).expect_rejected(Reason::unknown_order);
}

TEST_F(LinkedOrders, ReplaceKeepsTheLink) {
    market.sell(alice, 10, at(11));
    market.sell(alice, 10, stop(9), oco(1));
    market.replace(alice, 1, 10, at(10.50)).expect({"replaced #1>#3 @10.50 left 10 shows 10"});
    market.buy(bob, 10, at(10.50))
        .expect({"accepted #4 10@10.50", "executed #3 10@10.50 left 0 trade 1",
                 "executed #4 10@10.50 left 0 takes trade 1",
                 "cancelled linked_order #2 10@0.00 left 0"});
}

TEST_F(LinkedOrders, FilledOrderTriggersTheNext) {
    market.buy(alice, 10, at(9));
    market.sell(alice, 10, at(11), after(1)).expect({"accepted #2 10@11.00 pending"});
    market.buy(bob, 1, at(12));  // does not meet it
    market.sell(carol, 1, at(12));
    market.sell(bob, 4, at(9));
    market.sell(bob, 6, at(9))
        .expect({"accepted #6 6@9.00", "executed #1 6@9.00 left 0 trade 3",
                 "executed #6 6@9.00 left 0 takes trade 3",
                 "triggered #2 @11.00 left 10 shows 10"});
}

TEST_F(LinkedOrders, TriggeredStopWaitsForItsPrice) {
    market.buy(alice, 10, at(9));
    market.sell(alice, 10, stop(8), after(1)).expect({"accepted #2 10@0.00 pending"});
    market.buy(bob, 20, at(7));
    market.sell(carol, 10, at(9))
        .expect({"accepted #4 10@9.00", "executed #1 10@9.00 left 0 trade 1",
                 "executed #4 10@9.00 left 0 takes trade 1", "triggered #2 @0.00 left 10 pending"});
    market.sell(carol, 1, at(7))
        .expect({"accepted #5 1@7.00", "executed #3 1@7.00 left 19 shows 19 trade 2",
                 "executed #5 1@7.00 left 0 takes trade 2", "triggered #2 @0.00 left 10",
                 "executed #3 10@7.00 left 9 shows 9 trade 3",
                 "executed #2 10@7.00 left 0 takes trade 3"});
}

TEST_F(LinkedOrders, OrderThatEndsUnfilledTakesTheNextWithIt) {
    market.buy(alice, 10, at(9));
    market.sell(alice, 10, at(11), after(1));
    market.sell(bob, 4, at(9));
    market.cancel(alice, 1).expect(
        {"cancelled requested #1 6@9.00 left 0", "cancelled linked_order #2 10@11.00 left 0"});
}

TEST_F(LinkedOrders, OrderThatWaitsMayLeaveAlone) {
    market.buy(alice, 10, at(9));
    market.sell(alice, 10, at(11), after(1));
    market.replace(alice, 2, 8, at(12)).expect({"replaced #2>#3 @12.00 left 8 pending"});
    market.cancel(alice, 3).expect({"cancelled requested #3 8@12.00 left 0"});
    market.sell(alice, 10, at(11), after(1)).expect({"accepted #4 10@11.00 pending"});
}

TEST_F(LinkedOrders, AuctionFillsTriggerAndCut) {
    market.set_phase(Phase::call);
    market.buy(alice, 10, at(9));
    market.sell(alice, 10, at(11), after(1));
    market.buy(alice, 10, at(8));
    market.buy(alice, 10, stop(12), oco(3));
    market.sell(bob, 14, at(8)).expect({"accepted #5 14@8.00 shows 14"});
    const Outcome outcome = market.uncross();
    EXPECT_EQ(outcome.count(EventKind::triggered), 1U);
    market.query(alice, 4).expect({"order_status #4 executed 0 @0.00 left 6 pending"});
}

TEST_F(LinkedOrders, CallKeepsTheTriggeredOrderWaiting) {
    market.set_phase(Phase::call);
    market.buy(alice, 10, at(9));
    market.sell(alice, 10, at(11), after(1));
    market.sell(bob, 10, at(9));
    market.uncross(Phase::call);
    market.replace(alice, 2, 10, at(12)).expect_rejected(Reason::invalid_state);
    market.uncross().expect(
        {"uncrossed 0@0.00 surplus 0", "phase_changed 0", "triggered #2 @11.00 left 10 shows 10"});
}

TEST_F(LinkedOrders, AreRefused) {
    market.buy(alice, 5, at(9));
    market.buy(bob, 5, at(9));
    market.buy(alice, 5, at(9), showing(1));
    market.sell(alice, 5, at(11), oco(9)).expect_rejected(Reason::invalid_link);
    market.sell(alice, 5, at(11), oco(2)).expect_rejected(Reason::invalid_link);
    market.sell(alice, 5, at(11), oco(3)).expect_rejected(Reason::invalid_link);
    market.sell(alice, 5, at(11), linked(Contingency::none, 1))
        .expect_rejected(Reason::invalid_link);
    market.sell(alice, 5, oco(1)).expect_rejected(Reason::invalid_combination);
    market.sell(alice, 5, at(11), ioc, oco(1)).expect_rejected(Reason::invalid_combination);
    market.sell(alice, 5, at(11), showing(1), oco(1)).expect_rejected(Reason::invalid_combination);
    market.sell(alice, 5, at(11), at_least(1), oco(1)).expect_rejected(Reason::invalid_combination);
    market.sell(alice, 5, at(11), post_only, after(1)).expect_rejected(Reason::invalid_combination);
    market.sell(alice, 5, at(11), post_only, oco(1)).expect({"accepted #4 5@11.00 shows 5"});
    market.sell(alice, 5, at(12), oco(1)).expect_rejected(Reason::invalid_link);
}

TEST_F(LinkedOrders, NeedAnExtensionEach) {
    EngineConfig config = Market::small();
    config.maximum_extensions = 1;
    Market small(config);
    small.buy(alice, 5, at(9));
    small.sell(alice, 5, at(11), oco(1)).expect_rejected(Reason::extensions_full);
    small.buy(alice, 5, at(9), until(10));
    small.sell(alice, 5, at(11), oco(2)).expect_rejected(Reason::extensions_full);
}

TEST_F(LinkedOrders, NeedNoExtensionWithoutTheirLink) {
    EngineConfig config = Market::small();
    config.maximum_extensions = 2;
    Market small(config);
    small.sell(alice, 5, at(11));
    small.sell(alice, 2, stop(9), oco(1));
    small.sell(alice, 5, at(12), until(10)).expect_rejected(Reason::extensions_full);
    small.buy(bob, 2, at(11));
    small.sell(alice, 5, at(12), until(10)).expect({"accepted #4 5@12.00 shows 5"});
    small.sell(alice, 5, at(12), until(10)).expect({"accepted #5 5@12.00 shows 5"});
}

}  // namespace
}  // namespace damrak::linked_order_test
