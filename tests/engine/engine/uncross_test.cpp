// The end of a call: docs/rule-book/phases.md, PH-3 to PH-6. The prices themselves are tested with
// the rules in tests/auction.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::uncross_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Uncross : ::testing::Test {
    Uncross() { market.set_phase(Phase::call); }
    Market market;
};

// The first example of docs/rule-book/call-auctions.md.
TEST_F(Uncross, TradesAtOnePriceByPriceAndTime) {
    market.buy(alice, 500, at(10.00));
    market.buy(alice, 200, at(10.02));
    market.buy(bob, 300, at(10.04));
    market.sell(carol, 300, at(10.03));
    market.sell(carol, 250, at(10.01));
    market.sell(dave, 400, at(9.98));
    EXPECT_THAT(market.depth(Side::buy),
                ElementsAre("300@10.04 (1)", "200@10.02 (1)", "500@10.00 (1)"));
    market.uncross().expect(
        {"uncrossed 500@10.01 surplus 150", "executed #3 300@10.01 left 0 in cross trade 2",
         "executed #6 300@10.01 left 100 shows 100 in cross trade 2",
         "executed #2 100@10.01 left 100 shows 100 in cross trade 3",
         "executed #6 100@10.01 left 0 in cross trade 3",
         "executed #2 100@10.01 left 0 in cross trade 4",
         "executed #5 100@10.01 left 150 shows 150 in cross trade 4", "phase_changed 0"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("500@10.00 (1)"));
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("150@10.01 (1)", "300@10.03 (1)"));
    EXPECT_EQ(market.position(alice), 200);
    EXPECT_EQ(market.position(carol), -100);
}

TEST(UncrossAfterTrading, TakesTheRuleOfTheLastSetPhase) {
    const auto price_by = [](AuctionRule rule) {
        Market market;
        market.sell(bob, 1, at(9.99));
        market.buy(alice, 1, at(9.99));
        market.set_phase(Phase::call, rule);
        market.buy(alice, 500, at(10.05));
        market.sell(bob, 300, at(9.95));
        market.sell(bob, 200, at(10.10));
        return market.uncross().events().front().price;
    };
    EXPECT_EQ(price_by(AuctionRule::xetra), price(10.05));
    EXPECT_EQ(price_by(AuctionRule::euronext), price(9.95));
    EXPECT_EQ(price_by(AuctionRule::lse), price(10.05));
    EXPECT_EQ(price_by(AuctionRule::nasdaq), price(10.05));
    EXPECT_EQ(price_by(AuctionRule::frequent_batch), price(10.05));
}

// At a price of zero the surplus would be smaller.
TEST(UncrossAfterTrading, PricesArePositive) {
    Market market;
    market.sell(bob, 1, at(10.00));
    market.buy(alice, 1, at(10.00));
    market.set_phase(Phase::call, AuctionRule::nasdaq);
    market.buy(alice, 100);
    market.sell(bob, 100);
    market.sell(bob, 50, at(0.01));
    EXPECT_EQ(market.uncross().events().front().price, price(0.01));
}

TEST_F(Uncross, MarketOrdersTradeFirstAndNeverStay) {
    market.buy(alice, 50, at(10.00));
    market.buy(bob, 30).expect({"accepted #2 30@0.00 hidden"});
    market.buy(carol, 40);
    market.sell(dave, 60, at(9.00));
    std::vector<auction::PriceLevel> levels(Market::small().maximum_prices());
    EXPECT_EQ(market.engine().auction_if_now(InstrumentId{1}, levels.data()),
              (auction::Equilibrium{price(10.00), Quantity{60}, Quantity{60}}));
    market.uncross().expect(
        {"uncrossed 60@10.00 surplus 60", "executed #2 30@10.00 left 0 (hidden) in cross trade 2",
         "executed #4 30@10.00 left 30 shows 30 in cross trade 2",
         "executed #3 30@10.00 left 10 hidden in cross trade 3",
         "executed #4 30@10.00 left 0 in cross trade 3",
         "cancelled unfilled_remainder #3 10@0.00 left 0 (hidden)", "phase_changed 0"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("50@10.00 (1)"));
}

TEST_F(Uncross, WithoutAPriceOnlyCancelsMarketOrders) {
    market.sell(bob, 5);
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(9.00));
    market.cancel(alice, 3);
    market.uncross().expect({"uncrossed 0@0.00 surplus 0",
                             "cancelled unfilled_remainder #1 5@0.00 left 0 (hidden)",
                             "phase_changed 0"});
}

TEST_F(Uncross, AnIcebergTradesWithItsReserve) {
    market.buy(alice, 100, at(10.00), showing(10));
    market.sell(bob, 35, at(10.00));
    market.sell(bob, 20, at(10.00));
    market.uncross().expect(
        {"uncrossed 55@10.00 surplus 45", "executed #1 35@10.00 left 65 shows 0 in cross trade 2",
         "executed #2 35@10.00 left 0 in cross trade 2", "refreshed #1>#4 @10.00 left 65 shows 10",
         "executed #1 20@10.00 left 45 shows 0 in cross trade 3",
         "executed #3 20@10.00 left 0 in cross trade 3", "refreshed #1>#5 @10.00 left 45 shows 10",
         "phase_changed 0"});
}

// So its share does not depend on how the other side is split into orders.
TEST_F(Uncross, ARefreshedIcebergKeepsItsPlaceInTheCross) {
    market.buy(alice, 20, at(10.00), showing(5));
    market.buy(bob, 20, at(10.00));
    for (const ParticipantId seller : {carol, dave}) market.sell(seller, 5, at(10.00));
    market.sell(carol, 13, at(10.00));
    market.uncross();
    EXPECT_EQ(market.position(alice), 20);
    EXPECT_EQ(market.position(bob), 3);
}

TEST_F(Uncross, AnIcebergIsAtTheEndOfItsQueueAfterwards) {
    market.buy(alice, 20, at(10.00), showing(5));
    market.buy(bob, 20, at(10.00));
    market.sell(carol, 5, at(10.00));
    market.uncross(Phase::call);
    market.sell(carol, 5, at(10.00));
    market.uncross();
    EXPECT_EQ(market.position(alice), 5);
    EXPECT_EQ(market.position(bob), 5);
}

TEST_F(Uncross, HiddenOrdersComeAfterDisplayedOnes) {
    market.buy(alice, 10, at(10.00), hidden);
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 15, at(10.00));
    EXPECT_EQ(market.uncross().events()[1].order_id, OrderId{2});
    EXPECT_EQ(market.position(alice), 5);
}

TEST_F(Uncross, HeldOrdersTakeNoPart) {
    market.buy(alice, 10, at(10.00), at_least(5)).expect({"accepted #1 10@10.00 held"});
    market.sell(bob, 10, at(10.00));
    market.uncross().expect({"uncrossed 0@0.00 surplus 0", "phase_changed 0"});
    EXPECT_EQ(market.sell(carol, 5, at(10.00)).events()[1].order_id, OrderId{1});
}

TEST_F(Uncross, OrdersOfOneParticipantTradeWithEachOther) {
    market.buy(alice, 10, at(10.00), cancel_newest);
    market.sell(alice, 10, at(10.00), cancel_newest);
    EXPECT_EQ(market.uncross().count(EventKind::executed), 2U);
}

TEST(UncrossAfterTrading, StoppedOrdersTakePartAndAreShown) {
    Market market;
    market.sell(alice, 10, at(10.00));
    market.buy(alice, 10, at(11.00), skip_own);
    market.set_phase(Phase::call);
    market.cancel(alice, 1).expect({"cancelled requested #1 10@10.00 left 0"});
    market.sell(bob, 4, at(10.50));
    market.uncross().expect({"uncrossed 4@11.00 surplus 6",
                             "executed #2 4@11.00 left 6 hidden in cross trade 2",
                             "executed #3 4@11.00 left 0 in cross trade 2", "phase_changed 0",
                             "rested #2>#2 @11.00 left 6 shows 6"});
}

TEST_F(Uncross, StopsAreTriggeredAfterIt) {
    market.buy(alice, 5, stop(9.50)).expect({"accepted #1 5@0.00 pending"});
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 10, at(10.00));
    market.sell(carol, 5, at(10.20));
    market.uncross().expect({"uncrossed 10@10.00 surplus 0",
                             "executed #2 10@10.00 left 0 in cross trade 2",
                             "executed #3 10@10.00 left 0 in cross trade 2", "phase_changed 0",
                             "triggered #1 @0.00 left 5", "executed #4 5@10.20 left 0 trade 3",
                             "executed #1 5@10.20 left 0 takes trade 3"});
}

TEST(UncrossAfterTrading, StopsReachedBeforeTheCallAreTriggeredWithoutAnyTrade) {
    Market market;
    market.sell(bob, 1, at(10.00));
    market.buy(alice, 1, at(10.00));
    market.set_phase(Phase::call);
    market.buy(alice, 5, stop(9.50)).expect({"accepted #3 5@0.00 pending"});
    market.uncross().expect({"uncrossed 0@0.00 surplus 0", "phase_changed 0",
                             "triggered #3 @0.00 left 5",
                             "cancelled unfilled_remainder #3 5@0.00 left 0"});
}

TEST_F(Uncross, LeadsToThePhaseThatItNames) {
    market.buy(alice, 5, stop(9.50));
    market.buy(bob, 10, at(10.00));
    market.sell(carol, 10, at(10.00));
    EXPECT_EQ(market.uncross(Phase::closed).last().quantity, Quantity{3});
    market.buy(bob, 1, at(10.00)).expect_rejected(Reason::not_in_phase);
    market.set_phase(Phase::call);
    EXPECT_EQ(market.uncross().count(EventKind::triggered), 1U);
}

TEST(UncrossInSlices, GoesOnInTheNextSlice) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market market(config);
    market.set_phase(Phase::call);
    for (int i = 0; i < 20; ++i) {
        market.buy(alice, 1, at(10.00));
        market.sell(bob, 1, at(10.00));
        market.buy(carol, 1);
    }
    const Outcome outcome = market.uncross();
    EXPECT_EQ(outcome.count(EventKind::executed), 40U);
    EXPECT_THAT(market.depth(Side::sell), IsEmpty());
    EXPECT_EQ(market.buy(dave, 1, at(9.00)).count(EventKind::accepted), 1U);
}

TEST(UncrossInSlices, FillsNoSliceBeyondItsEnd) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Engine engine(config);
    const auto ignore = [](const Event&) {};
    engine.apply(instrument_command(1), ignore);
    Command command{};
    command.kind = CommandKind::set_phase;
    command.instrument = InstrumentId{1};
    command.phase.phase = Phase::call;
    engine.apply(command, ignore);
    for (int i = 0; i < 20; ++i) {
        engine.apply(order_command(1, 1, Side::buy, 100'000, 1), ignore);
        engine.apply(order_command(1, 2, Side::sell, 100'000, 1), ignore);
    }
    command.kind = CommandKind::uncross;
    command.phase.phase = Phase::continuous;
    std::uint32_t events = 0;
    for (Slice slice = engine.apply(command);; slice = engine.resume()) {
        EXPECT_LE(slice.count, config.maximum_events);
        events += slice.count;
        if (!slice.more) break;
    }
    EXPECT_EQ(events, 42U);
}

}  // namespace
}  // namespace damrak::uncross_test
