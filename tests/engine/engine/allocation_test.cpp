// Orders at one price that share what comes in: docs/rule-book/allocation.md in the engine. The
// policies themselves are tested in tests/auction.

#include <damrak/auction/allocation.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::allocation_test {
namespace {

using namespace terms;
using auction::cme_a_policy;
using auction::cme_c_policy;
using auction::cme_k_policy;
using auction::cme_o_policy;
using auction::cme_q_policy;
using auction::cme_t_policy;
using auction::price_broker_time_policy;
using auction::price_time_policy;
using auction::size_time_policy;
using ::testing::ElementsAre;

constexpr ParticipantId k_maker_of_10{10};
constexpr ParticipantId k_maker_of_20{11};
constexpr ParticipantId k_maker_of_40{12};

struct Resting {
    std::int64_t quantity;
    ParticipantId owner = bob;
};

struct Allocation : ::testing::Test {
    void use(const AllocationDetails& rules) {
        market.set_allocation(rules).expect({"allocation_set 0"});
    }
    /// Rests orders at 10.00 as #1, #2, …, and returns what they trade with a buy.
    std::vector<std::int64_t> share(const std::vector<Resting>& orders, std::int64_t incoming) {
        for (const Resting& order : orders) market.sell(order.owner, order.quantity, at(10.00));
        return fills(market.buy(alice, incoming, at(10.00)), orders.size());
    }
    Market market;
};

// The examples of CME; the first order is the top order, because its side was empty.

TEST_F(Allocation, OfCmeA) {
    use(cme_a_policy());
    EXPECT_THAT(share({{20}, {7}, {30}, {60}, {83}}, 100), ElementsAre(20, 5, 13, 26, 36));
}

TEST_F(Allocation, OfCmeC) {
    use(cme_c_policy());
    EXPECT_THAT(share({{3}, {40}, {57}}, 30), ElementsAre(1, 12, 17));
}

TEST_F(Allocation, OfCmeO) {
    use(cme_o_policy(Quantity{1}, Quantity{100}));
    EXPECT_THAT(share({{150}, {8}, {160}}, 200), ElementsAre(124, 3, 73));
}

TEST_F(Allocation, OfCmeQ) {
    use(cme_q_policy(Quantity{1}, Quantity{250}));
    market.set_lead_maker(k_maker_of_40, 4'000);
    EXPECT_THAT(share({{300}, {15}, {160, k_maker_of_40}}, 400), ElementsAre(278, 8, 114));
}

TEST_F(Allocation, OfCmeK) {
    use(cme_k_policy(4'000, Quantity{2}, true));
    EXPECT_THAT(share({{1}, {100}, {30}, {80}, {30}, {60}}, 8), ElementsAre(1, 4, 1, 1, 0, 1));
}

TEST_F(Allocation, OfCmeKWithAllSteps) {
    use(cme_k_policy(4'000, Quantity{2}, true));
    market.set_lead_maker(k_maker_of_10, 1'000);
    market.set_lead_maker(k_maker_of_20, 2'000).expect({"lead_maker_set 0"});
    EXPECT_THAT(share({{4}, {50, k_maker_of_10}, {40, k_maker_of_20}, {100}, {2}, {3}}, 104),
                ElementsAre(4, 42, 26, 30, 1, 1));
}

TEST_F(Allocation, OfCmeT) {
    use(cme_t_policy());
    market.set_lead_maker(k_maker_of_10, 1'000);
    market.set_lead_maker(k_maker_of_20, 2'000);
    EXPECT_THAT(share({{10}, {10, k_maker_of_10}, {10, k_maker_of_20}, {10}}, 30),
                ElementsAre(10, 10, 10, 0));
}

TEST_F(Allocation, BySizeAndTime) {
    use(size_time_policy());
    EXPECT_THAT(share({{10}, {30}, {5}, {30}}, 45), ElementsAre(0, 30, 0, 15));
}

TEST_F(Allocation, ByPriceBrokerTimeServesTheParticipantItself) {
    use(price_broker_time_policy());
    EXPECT_THAT(share({{10, bob}, {10, alice}, {10, bob}, {10, alice}}, 25),
                ElementsAre(5, 10, 0, 10));
}

// One trade for each order that got something, in order of time.
TEST_F(Allocation, TradesInOrderOfTime) {
    use(size_time_policy());
    market.sell(bob, 10, at(10.00));
    market.sell(carol, 30, at(10.00));
    market.buy(alice, 35, at(10.00))
        .expect({"accepted #3 35@10.00", "executed #1 5@10.00 left 5 shows 5 trade 1",
                 "executed #3 5@10.00 left 30 takes trade 1", "executed #2 30@10.00 left 0 trade 2",
                 "executed #3 30@10.00 left 0 takes trade 2"});
}

TEST_F(Allocation, AppliesAtEachPriceTheBetterFirst) {
    use(cme_c_policy());
    market.sell(bob, 30, at(10.01));
    market.sell(bob, 10, at(10.01));
    market.sell(bob, 9, at(10.00));
    market.sell(bob, 6, at(10.00));
    EXPECT_THAT(fills(market.buy(alice, 35, at(10.01)), 4), ElementsAre(15, 5, 9, 6));
}

TEST_F(Allocation, ServesDisplayedOrdersBeforeHiddenOnes) {
    use(cme_c_policy());
    market.sell(bob, 60, at(10.00), hidden);
    market.sell(bob, 10, at(10.00));
    market.sell(bob, 20, at(10.00));
    EXPECT_THAT(fills(market.buy(alice, 15, at(10.00)), 3), ElementsAre(0, 5, 10));
    EXPECT_THAT(fills(market.buy(alice, 35, at(10.00)), 3), ElementsAre(20, 5, 10));
}

TEST_F(Allocation, ServesHiddenOrdersByTime) {
    use(cme_c_policy());
    market.sell(bob, 10, at(10.00), hidden);
    market.sell(bob, 30, at(10.00), hidden);
    EXPECT_THAT(fills(market.buy(alice, 20, at(10.00)), 2), ElementsAre(10, 10));
}

TEST_F(Allocation, CountsIcebergsWithTheirSlice) {
    use(cme_c_policy());
    market.sell(bob, 100, at(10.00), showing(10));
    market.sell(carol, 30, at(10.00));
    market.buy(alice, 20, at(10.00))
        .expect({"accepted #3 20@10.00", "executed #1 5@10.00 left 95 shows 5 trade 1",
                 "executed #3 5@10.00 left 15 takes trade 1",
                 "executed #2 15@10.00 left 15 shows 15 trade 2",
                 "executed #3 15@10.00 left 0 takes trade 2"});
}

TEST_F(Allocation, SharesAgainAmongTheNextSlices) {
    use(cme_c_policy());
    market.sell(bob, 40, at(10.00), showing(10));
    market.sell(carol, 60, at(10.00), showing(20));
    // 30 are displayed, and 30 again; then 9 are shared by slices of 10 and 20.
    EXPECT_THAT(fills(market.buy(alice, 69, at(10.00)), 2), ElementsAre(23, 46));
}

TEST_F(Allocation, TakesWholeLevelsWithoutTheirPolicy) {
    use(size_time_policy());
    EXPECT_THAT(share({{10}, {30}}, 40), ElementsAre(10, 30));
}

TEST_F(Allocation, GivesWholeLots) {
    InstrumentDetails details = Market::stock();
    details.lot_size = Quantity{10};
    Market lots{Market::small(), details};
    lots.set_allocation(cme_c_policy());
    lots.sell(bob, 30, at(10.00));
    lots.sell(bob, 70, at(10.00));
    EXPECT_THAT(fills(lots.buy(alice, 50, at(10.00)), 2), ElementsAre(20, 30));
}

TEST_F(Allocation, MayChangeWhileOrdersRest) {
    for (const std::int64_t quantity : {10, 20, 30, 40}) market.sell(bob, quantity, at(10.00));
    use(size_time_policy());
    EXPECT_THAT(fills(market.buy(alice, 5, at(10.00)), 4), ElementsAre(0, 0, 0, 5));
    use(price_time_policy());
    EXPECT_THAT(fills(market.buy(alice, 5, at(10.00)), 4), ElementsAre(5, 0, 0, 0));
}

TEST_F(Allocation, IsThatOfItsInstrument) {
    market.add_instrument(2, Market::stock());
    use(size_time_policy());
    market.sell(bob, 10, at(10.00), in(2));
    market.sell(bob, 30, at(10.00), in(2));
    EXPECT_EQ(market.buy(alice, 5, at(10.00), in(2)).events().at(1).remaining, Quantity{5});
}

TEST_F(Allocation, RunsOnOverTheSlicesOfACommand) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market small{config};
    small.set_allocation(cme_c_policy());
    for (int i = 0; i < 100; ++i) small.sell(bob, 4, at(10.00));
    const auto filled = fills(small.buy(alice, 200, at(10.00)), 100);
    EXPECT_EQ(std::ranges::count(filled, 2), 100);
}

TEST_F(Allocation, LeavesARecordedTradeToTimePriority) {
    use(size_time_policy());
    market.sell(bob, 10, at(10.00));
    market.sell(bob, 30, at(10.00));
    Command tape{};
    tape.kind = CommandKind::recorded_trade;
    tape.instrument = InstrumentId{1};
    tape.participant = carol;
    tape.side = Side::sell;
    tape.price = price(10.01);
    tape.quantity = Quantity{5};
    EXPECT_THAT(fills(market.apply(tape), 2), ElementsAre(5, 0));
}

// --- AL-13: self-trade prevention comes before the shares ---------------------------------------

struct OwnOrders : Allocation {
    OwnOrders() {
        use(cme_c_policy());
        market.sell(bob, 10, at(10.00));
        market.sell(alice, 20, at(10.00));
        market.sell(bob, 30, at(10.00));
    }
};

TEST_F(OwnOrders, ShareWithoutARule) {
    EXPECT_THAT(fills(market.buy(alice, 30, at(10.00)), 3), ElementsAre(5, 10, 15));
}

TEST_F(OwnOrders, AreCancelledFirst) {
    const Outcome outcome = market.buy(alice, 20, at(10.00), cancel_oldest);
    EXPECT_EQ(event_line(outcome.events().at(1)), "cancelled self_trade #2 20@10.00 left 0");
    EXPECT_THAT(fills(outcome, 3), ElementsAre(5, 0, 15));
}

TEST_F(OwnOrders, EndTheIncomingOrderBeforeAnyTrade) {
    market.buy(alice, 30, at(10.00), cancel_newest)
        .expect({"accepted #4 30@10.00", "cancelled self_trade #4 30@10.00 left 0"});
}

TEST_F(OwnOrders, EndTogetherWithTheIncomingOne) {
    market.buy(alice, 30, at(10.00), cancel_both)
        .expect({"accepted #4 30@10.00", "cancelled self_trade #2 20@10.00 left 0",
                 "cancelled self_trade #4 30@10.00 left 0"});
}

TEST_F(OwnOrders, AreTakenFromBothSidesFirst) {
    EXPECT_THAT(fills(market.buy(alice, 40, at(10.00), decrement), 3), ElementsAre(5, 0, 15));
}

TEST_F(OwnOrders, AreSkippedAndStopTheRemainder) {
    const Outcome outcome = market.buy(alice, 41, at(10.00), skip_own);
    EXPECT_THAT(fills(outcome, 3), ElementsAre(10, 0, 30));
    EXPECT_EQ(event_line(outcome.last()), "rested #4>#4 @10.00 left 1 hidden");
}

TEST_F(OwnOrders, AreSkippedWithinTheLevel) {
    EXPECT_THAT(fills(market.buy(alice, 20, at(10.00), skip_own), 3), ElementsAre(5, 0, 15));
}

// --- Availability --------------------------------------------------------------------------------

TEST_F(OwnOrders, MakeNothingAvailableIfTheyEndTheIncomingOrder) {
    EXPECT_EQ(market.buy(alice, 5, at(10.00), fok, cancel_newest).last().reason,
              Reason::fill_or_kill);
    EXPECT_EQ(market.buy(alice, 5, at(10.00), fok, decrement).last().reason, Reason::fill_or_kill);
    EXPECT_EQ(market.buy(alice, 40, at(10.00), fok, cancel_oldest).count(EventKind::executed), 4U);
}

TEST_F(OwnOrders, AreNotAvailableIfTheyAreSkipped) {
    EXPECT_EQ(market.buy(alice, 41, at(10.00), fok, skip_own).last().reason, Reason::fill_or_kill);
    EXPECT_THAT(fills(market.buy(alice, 40, at(10.00), fok, skip_own), 3), ElementsAre(10, 0, 30));
}

TEST_F(Allocation, FillsAFillOrKillOrderWhole) {
    use(cme_k_policy(3'333, Quantity{5}, true));
    market.sell(bob, 3, at(10.00), showing(1));
    market.sell(bob, 9, at(10.00));
    market.sell(bob, 5, at(10.01), hidden);
    market.buy(alice, 18, at(10.01), fok)
        .expect({"accepted #4 18@10.01", "cancelled fill_or_kill #4 18@10.01 left 0"});
    EXPECT_EQ(market.buy(alice, 17, at(10.01), fok).last().remaining, Quantity{0});
}

TEST_F(Allocation, MeetsHeldOrdersAfterTheDisplayedOnes) {
    use(cme_c_policy());
    market.sell(bob, 20, at(10.00), at_least(15));
    market.sell(bob, 10, at(10.00));
    EXPECT_THAT(fills(market.buy(alice, 10, at(10.00)), 2), ElementsAre(0, 10));
    market.sell(bob, 4, at(10.00));
    EXPECT_THAT(fills(market.buy(alice, 19, at(10.00)), 4), ElementsAre(15, 0, 0, 4));
}

// --- Rules ---------------------------------------------------------------------------------------

TEST_F(Allocation, IsRefusedIfItsRulesDoNotFitTogether) {
    market.set_allocation({.steps = {AllocationStep::leveling}})
        .expect_rejected(Reason::invalid_rules);
    market.set_allocation(cme_c_policy(), 3).expect_rejected(Reason::unknown_instrument);
    EXPECT_FALSE(market.engine().instrument(InstrumentId{1})->ruled);
}

TEST_F(Allocation, HasEightLeadMarketMakers) {
    for (std::uint32_t i = 1; i <= 8; ++i) market.set_lead_maker(ParticipantId{i}, 100);
    market.set_lead_maker(ParticipantId{9}, 100).expect_rejected(Reason::lead_makers_full);
    market.set_lead_maker(ParticipantId{3}, 200).expect({"lead_maker_set 0"});
    market.set_lead_maker(ParticipantId{5}, 0).expect({"lead_maker_set 0"});
    market.set_lead_maker(ParticipantId{9}, 100).expect({"lead_maker_set 0"});
    market.set_lead_maker(ParticipantId{5}, 100).expect_rejected(Reason::lead_makers_full);
}

TEST_F(Allocation, ServesWhoIsALeadMarketMakerNow) {
    use(cme_t_policy());
    market.set_lead_maker(k_maker_of_10, 4'000);
    market.set_lead_maker(k_maker_of_10, 1'000);
    market.set_lead_maker(k_maker_of_20, 2'000);
    market.set_lead_maker(k_maker_of_20, 0);
    EXPECT_THAT(share({{100, bob}, {100, k_maker_of_20}, {100, k_maker_of_10}}, 100),
                ElementsAre(90, 0, 10));
}

TEST_F(Allocation, RefusesLeadMarketMakersThatCannotBe) {
    market.set_lead_maker(ParticipantId{17}, 100).expect_rejected(Reason::unknown_participant);
    market.set_lead_maker(ParticipantId{0}, 100).expect_rejected(Reason::unknown_participant);
    market.set_lead_maker(bob, 10'001).expect_rejected(Reason::invalid_rules);
    market.set_lead_maker(bob, 100, 2).expect_rejected(Reason::unknown_instrument);
}

TEST_F(Allocation, ForgetsALeadMarketMakerThatIsReleased) {
    use(cme_t_policy());
    market.set_lead_maker(carol, 5'000);
    market.set_lead_maker(dave, 1'000);
    Command release{};
    release.kind = CommandKind::release_participant;
    release.participant = carol;
    market.apply(release);
    EXPECT_THAT(share({{100, bob}, {100, carol}, {100, dave}}, 100), ElementsAre(90, 0, 10));
}

}  // namespace
}  // namespace damrak::allocation_test
