// Frequent batch auctions: docs/rule-book/frequent-batch.md, rule by rule.

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::batch_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Batch : ::testing::Test {
    Batch() { begin(market); }
    static void begin(Market& each) {
        each.set_phase(Phase::call, AuctionRule::frequent_batch, true).expect({"phase_changed 2"});
    }
    Outcome end() { return market.uncross(Phase::call); }
    Market market;
};

TEST_F(Batch, SharesAtTheMarginAfterEarlierBatches) {
    market.buy(alice, 100, at(10.02));
    market.buy(alice, 60, at(10.00));
    end();
    market.buy(bob, 90, at(10.00));
    market.buy(carol, 30, at(10.00));
    market.sell(dave, 200, at(9.99));
    const Outcome outcome = end();
    EXPECT_EQ(event_line(outcome.events().front()), "uncrossed 200@10.00 surplus 80");
    EXPECT_THAT(fills(outcome, 5), ElementsAre(100, 60, 30, 10, 200));
}

TEST_F(Batch, HasTheMiddleOfAnIntervalAsItsPrice) {
    market.buy(alice, 100, at(10.04));
    market.sell(bob, 100, at(10.00));
    EXPECT_EQ(event_line(end().events().front()), "uncrossed 100@10.02 surplus 0");
}

TEST_F(Batch, SealsItsOrders) {
    market.buy(alice, 10, at(10.00)).expect({"accepted #1 10@10.00 hidden"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
    market.cancel_part(alice, 1, 4).expect({"cancelled requested #1 4@10.00 left 6 hidden"});
    market.replace(alice, 1, 8, at(10.01)).expect({"replaced #1>#2 @10.01 left 8 hidden"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(Batch, DisplaysWhatCarriesOver) {
    market.buy(alice, 10, at(10.00));
    market.buy(bob, 20, at(10.01));
    market.sell(carol, 5, at(10.02));
    end().expect({"uncrossed 0@0.00 surplus 0", "rested #2>#2 @10.01 left 20 shows 20",
                  "rested #1>#1 @10.00 left 10 shows 10", "rested #3>#3 @10.02 left 5 shows 5",
                  "phase_changed 2"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("20@10.01 (1)", "10@10.00 (1)"));
    market.buy(dave, 1, at(10.01)).expect({"accepted #4 1@10.01 hidden"});
}

TEST_F(Batch, LeavesEarlierOrdersDisplayed) {
    market.uncross();
    market.buy(alice, 10, at(10.00));
    begin(market);
    market.buy(bob, 20, at(10.00));
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@10.00 (1)"));
    market.sell(carol, 15, at(10.00));
    EXPECT_THAT(fills(end(), 3), ElementsAre(10, 5, 15));
}

TEST_F(Batch, GivesWhatRoundingLeavesToTheEarliest) {
    for (int i = 0; i < 3; ++i) market.buy(alice, 10, at(10.00));
    market.sell(bob, 11, at(10.00));
    EXPECT_THAT(fills(end(), 3), ElementsAre(4, 4, 3));
}

TEST_F(Batch, SharesWholeLots) {
    InstrumentDetails details = Market::stock();
    details.lot_size = Quantity{10};
    Market lots{Market::small(), details};
    begin(lots);
    lots.buy(alice, 100, at(10.00));
    lots.buy(alice, 50, at(10.00));
    lots.sell(bob, 100, at(10.00));
    EXPECT_THAT(fills(lots.uncross(Phase::call), 2), ElementsAre(70, 30));
}

TEST_F(Batch, SharesAmongSellersToo) {
    market.sell(alice, 30, at(10.00));
    market.sell(bob, 10, at(10.00));
    market.sell(carol, 10, at(9.99));
    market.buy(dave, 30, at(10.00));
    EXPECT_THAT(fills(end(), 4), ElementsAre(15, 5, 10, 30));
}

TEST_F(Batch, SharesAmongMarketOrders) {
    market.buy(alice, 30);
    market.buy(bob, 10);
    market.buy(carol, 10, at(10.00));
    market.sell(dave, 20, at(10.00));
    EXPECT_THAT(fills(end(), 3), ElementsAre(15, 5, 0));
}

// A batch that fits exactly leaves nothing to the next one.
TEST_F(Batch, StopsWhereABatchFits) {
    market.buy(alice, 20, at(10.00));
    end();
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 20, at(10.00));
    EXPECT_THAT(fills(end(), 2), ElementsAre(20, 0));
}

TEST_F(Batch, KeepsTheOrderOfBatchesForEver) {
    market.buy(alice, 10, at(10.00));
    market.buy(alice, 10, at(10.00));
    end();
    market.buy(bob, 10, at(10.00));
    end();
    market.sell(dave, 10, at(10.00));
    EXPECT_THAT(fills(end(), 3), ElementsAre(5, 5, 0));
    market.sell(dave, 12, at(10.00));
    EXPECT_THAT(fills(end(), 3), ElementsAre(5, 5, 2));
}

TEST_F(Batch, SharesInALaterSealedCallToo) {
    market.buy(alice, 10, at(10.00));
    market.buy(bob, 10, at(10.00));
    market.uncross();
    begin(market);
    market.sell(carol, 10, at(10.00));
    EXPECT_THAT(fills(end(), 3), ElementsAre(5, 5, 10));
}

TEST_F(Batch, PutsHiddenOrdersBehindWhatCarriedOver) {
    Market other;
    other.set_phase(Phase::pre_open);
    other.buy(alice, 10, at(10.00), hidden);
    begin(other);
    other.buy(bob, 10, at(10.00));
    other.uncross(Phase::call);
    other.buy(dave, 10, at(10.00));
    other.sell(carol, 15, at(10.00));
    EXPECT_THAT(fills(other.uncross(Phase::call), 4), ElementsAre(5, 10, 0, 15));
}

TEST_F(Batch, LetsAnImmediateOrderLiveToItsEnd) {
    market.buy(alice, 10, at(10.00), ioc).expect({"accepted #1 10@10.00 hidden"});
    market.sell(bob, 4, at(10.00));
    market.buy(alice, 5, at(9.00));
    end().expect({"uncrossed 4@10.00 surplus 6",
                  "executed #1 4@10.00 left 6 hidden in cross trade 2",
                  "executed #2 4@10.00 left 0 (hidden) in cross trade 2",
                  "cancelled end_of_batch #1 6@10.00 left 0 (hidden)",
                  "rested #3>#3 @9.00 left 5 shows 5", "phase_changed 2"});
}

TEST_F(Batch, RefusesWhatMustTradeAtOnceOrStayHidden) {
    market.buy(alice, 10, at(10.00), fok).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 10, at(10.00), hidden).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 10, at(10.00), ioc, at_least(5)).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 10, stop(10.00), ioc).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 10, at_least(5)).expect_rejected(Reason::not_in_phase);
    EXPECT_EQ(market.buy(alice, 10, ioc).count(EventKind::accepted), 1U);
}

TEST_F(Batch, DoesNotLetAHiddenOrderEnterAnew) {
    market.uncross();
    market.buy(alice, 10, at(10.00), hidden);
    begin(market);
    market.replace(alice, 1, 10, at(10.01)).expect_rejected(Reason::not_in_phase);
    market.replace(alice, 1, 5, at(10.00)).expect({"replaced #1>#1 @10.00 left 5 hidden"});
    end().expect({"uncrossed 0@0.00 surplus 0", "phase_changed 2"});
    market.buy(bob, 5, at(10.00));
    market.sell(carol, 6, at(10.00));
    EXPECT_THAT(fills(end(), 2), ElementsAre(5, 1)) << "hidden, but from before the batch";
}

TEST_F(Batch, SealsACarriedOverOrderThatIsReplaced) {
    market.buy(alice, 10, at(10.00));
    market.buy(bob, 10, at(10.00));
    end();
    market.replace(alice, 1, 10, at(10.00), lose_priority, new_id(1))
        .expect({"replaced #1>#1 @10.00 left 10 hidden"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@10.00 (1)"));
    market.sell(carol, 12, at(10.00));
    EXPECT_THAT(fills(end(), 2), ElementsAre(2, 10));
}

TEST_F(Batch, KeepsTheBatchOfAnOrderThatIsReduced) {
    market.buy(alice, 10, at(10.00));
    end();
    market.buy(bob, 10, at(10.00));
    market.replace(alice, 1, 8, at(10.00)).expect({"replaced #1>#1 @10.00 left 8 shows 8"});
    market.sell(carol, 9, at(10.00));
    EXPECT_THAT(fills(end(), 2), ElementsAre(8, 1));
}

TEST_F(Batch, TakesIcebergsWhole) {
    market.buy(alice, 30, at(10.00), showing(10)).expect({"accepted #1 30@10.00 hidden"});
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 20, at(10.00));
    end().expect({"uncrossed 20@10.00 surplus 20",
                  "executed #1 15@10.00 left 15 hidden in cross trade 2",
                  "executed #3 15@10.00 left 5 hidden in cross trade 2",
                  "executed #2 5@10.00 left 5 hidden in cross trade 3",
                  "executed #3 5@10.00 left 0 (hidden) in cross trade 3",
                  "rested #1>#1 @10.00 left 15 shows 10", "rested #2>#2 @10.00 left 5 shows 5",
                  "phase_changed 2"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("15@10.00 (2)"));
}

TEST_F(Batch, IsLeftOnlyByItsAuction) {
    for (const Phase phase : {Phase::pre_open, Phase::call, Phase::closed, Phase::continuous})
        market.set_phase(phase).expect_rejected(Reason::not_in_phase);
    market.set_phase(Phase::call, AuctionRule::xetra, true).expect({"phase_changed 2"});
    market.uncross(Phase::closed).expect({"uncrossed 0@0.00 surplus 0", "phase_changed 3"});
    market.set_phase(Phase::call).expect({"phase_changed 2"});
    market.buy(alice, 10, at(10.00)).expect({"accepted #1 10@10.00 shows 10"});
}

TEST_F(Batch, IsACall) {
    Market other;
    for (const Phase phase : {Phase::pre_open, Phase::closed, Phase::continuous})
        other.set_phase(phase, AuctionRule::frequent_batch, true)
            .expect_rejected(Reason::invalid_state);
    Command odd{};
    odd.kind = CommandKind::set_phase;
    odd.instrument = InstrumentId{1};
    odd.phase = {.phase = Phase::call, .sealed = 2};
    other.apply(odd).expect_rejected(Reason::invalid_state);
}

// What entered while the call was already sealed stays in its batch.
TEST_F(Batch, GoesOnIfTheCallIsRepeated) {
    market.buy(alice, 10, at(10.00));
    begin(market);
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 10, at(10.00));
    EXPECT_THAT(fills(end(), 2), ElementsAre(5, 5));
}

TEST_F(Batch, IsFollowedByContinuousTradingInOrderOfTime) {
    market.buy(alice, 10, at(10.00));
    market.buy(bob, 10, at(10.00));
    market.uncross();
    EXPECT_THAT(fills(market.sell(carol, 12, at(10.00)), 2), ElementsAre(10, 2));
    market.buy(dave, 3, at(10.00)).expect({"accepted #4 3@10.00 shows 3"});
}

TEST_F(Batch, OfAnUnsealedCallIsNone) {
    market.uncross();
    market.set_phase(Phase::call, AuctionRule::frequent_batch);
    market.buy(alice, 10, at(10.00));
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 12, at(10.00));
    EXPECT_THAT(fills(end(), 2), ElementsAre(10, 2));
}

TEST_F(Batch, LeavesHeldOrdersWhereTheyAre) {
    market.buy(alice, 10, at(10.00), at_least(5)).expect({"accepted #1 10@10.00 held"});
    market.sell(bob, 10, at(10.00));
    end().expect(
        {"uncrossed 0@0.00 surplus 0", "rested #2>#2 @10.00 left 10 shows 10", "phase_changed 2"});
}

TEST_F(Batch, EndsInSlices) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market small{config};
    begin(small);
    for (int i = 0; i < 40; ++i) small.buy(alice, 2, at(10.00), i % 2 == 0 ? ioc : gtc);
    for (int i = 0; i < 40; ++i) small.sell(bob, 1, at(10.00));
    const Outcome outcome = small.uncross(Phase::call);
    EXPECT_EQ(outcome.count(EventKind::cancelled), 20U);
    EXPECT_EQ(outcome.count(EventKind::rested), 20U);
    EXPECT_THAT(small.depth(Side::buy), ElementsAre("20@10.00 (20)"));
}

}  // namespace
}  // namespace damrak::batch_test
