// docs/rule-book/pegged-orders.md.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::pegged_order_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

auto pegged(PegReference follows, double offset = 0) {
    return [=](Command& command) {
        command.flags |= CommandFlags::k_pegged | CommandFlags::k_hidden;
        command.order.peg = follows;
        command.order.offset = price(offset);
    };
}
const auto primary = pegged(PegReference::primary);
const auto midpoint = pegged(PegReference::midpoint);
void displayed(Command& command) {
    command.flags &= static_cast<CommandFlags::Bits>(~CommandFlags::k_hidden);
}

/// 10.00 bid, 10.10 offered.
struct PeggedOrders : ::testing::Test {
    PeggedOrders() {
        bid = market.buy(bob, 10, at(10.00)).id();
        ask = market.sell(bob, 10, at(10.10)).id();
    }
    Price price_of(std::uint64_t order, ParticipantId who = alice) {
        return market.query(who, order).events().front().price;
    }
    Market market;
    std::uint64_t bid = 0;
    std::uint64_t ask = 0;
};

TEST_F(PeggedOrders, StandAtADistanceFromWhatTheyFollow) {
    const auto bought = [&](PegReference follows, double offset) {
        return market.buy(alice, 1, pegged(follows, offset)).events().front().price;
    };
    const auto sold = [&](PegReference follows, double offset) {
        return market.sell(alice, 1, pegged(follows, offset)).events().front().price;
    };
    EXPECT_EQ(bought(PegReference::primary, 0.02), price(9.98));
    EXPECT_EQ(bought(PegReference::market, 0.08), price(10.02));
    EXPECT_EQ(bought(PegReference::midpoint, 0.04), price(10.01));
    EXPECT_EQ(sold(PegReference::primary, 0.02), price(10.12));
    EXPECT_EQ(sold(PegReference::market, 0.08), price(10.08));
    EXPECT_EQ(sold(PegReference::midpoint, 0.04), price(10.09));
}

TEST_F(PeggedOrders, GiveUpHalfATick) {
    market.sell(bob, 10, at(10.09));
    EXPECT_EQ(market.buy(alice, 1, midpoint).events().front().price, price(10.04));
    EXPECT_EQ(market.sell(carol, 1, midpoint).events().front().price, price(10.05));
}

TEST_F(PeggedOrders, MoveWithTheBestPrice) {
    const std::uint64_t order = market.buy(alice, 5, primary).id();
    market.buy(bob, 1, at(10.05))
        .expect({"accepted #4 1@10.05 shows 1", "rested #3>#3 @10.05 left 5 hidden"});
    market.cancel(bob, 4).expect(
        {"cancelled requested #4 1@10.05 left 0", "rested #3>#3 @10.00 left 5 hidden"});
    EXPECT_EQ(price_of(order), price(10.00));
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@10.00 (1)"));
}

TEST_F(PeggedOrders, MoveOneByOneIfAMoveLetsAStoppedOrderTrade) {
    market.sell(alice, 5, pegged(PegReference::market, 0.08));
    market.buy(carol, 5, pegged(PegReference::primary, 0.02));
    market.buy(alice, 5, at(10.10), skip_own);
    const auto events = market.buy(bob, 1, at(10.04)).events();
    std::vector<EventKind> kinds;
    for (const Event& event : events) kinds.push_back(event.kind);
    EXPECT_THAT(kinds, ElementsAre(EventKind::accepted, EventKind::rested, EventKind::executed,
                                   EventKind::executed, EventKind::rested))
        << "her own offer is behind 10.10 before the other order moves";
}

// The example of Euronext.
TEST(PeggedOrdersOfEuronext, StandBehindThoseThatSetThePrice) {
    Market market;
    market.buy(alice, 200, at(10.50));
    const std::uint64_t first = market.buy(bob, 150, primary).id();
    const std::uint64_t second = market.buy(carol, 70, primary).id();
    market.buy(alice, 125, at(10.50));
    market.buy(alice, 200, at(10.80));
    const Outcome outcome = market.sell(dave, 250, at(10.80));
    ASSERT_EQ(outcome.count(EventKind::executed), 4U);
    EXPECT_EQ(outcome.events()[3].order_id, OrderId{first});
    EXPECT_EQ(outcome.events()[3].quantity, Quantity{50});
    const Outcome rest = market.sell(dave, 500, at(10.50));
    std::vector<std::uint64_t> sellers_met;
    for (const Event& event : rest.events())
        if (event.kind == EventKind::executed && !has_flag(event, EventFlags::k_aggressor))
            sellers_met.push_back(event.order_id.value);
    EXPECT_THAT(sellers_met, ElementsAre(1U, 4U, first, second));
}

TEST_F(PeggedOrders, NeverGoThroughTheirLimit) {
    const std::uint64_t order = market.buy(alice, 5, primary, at(10.02)).id();
    market.buy(bob, 1, at(10.05));
    EXPECT_EQ(price_of(order), price(10.02));
    market.replace(alice, order, 5, at(10.03));
    EXPECT_EQ(price_of(4 + 1), price(10.03));
}

TEST_F(PeggedOrders, TradeWithEachOtherInTheMiddle) {
    market.buy(alice, 5, midpoint);
    market.sell(carol, 8, midpoint)
        .expect({"accepted #4 8@10.05 (hidden)", "executed #3 5@10.05 left 0 (hidden) trade 1",
                 "executed #4 5@10.05 left 3 (hidden) takes trade 1",
                 "rested #4>#4 @10.05 left 3 hidden"});
}

TEST_F(PeggedOrders, TradeWhenTheyMove) {
    market.sell(carol, 3, at(10.07), hidden);
    market.buy(alice, 5, midpoint);
    const Outcome outcome = market.buy(bob, 1, at(10.06));
    // The middle of 10.06 and 10.10 is 10.08, beyond the hidden offer.
    outcome.expect({"accepted #5 1@10.06 shows 1", "rested #4>#4 @10.08 left 5 (hidden)",
                    "executed #3 3@10.07 left 0 (hidden) trade 1",
                    "executed #4 3@10.07 left 2 (hidden) takes trade 1",
                    "rested #4>#4 @10.08 left 2 hidden"});
}

// The first one to move fills the second, which was to move next.
TEST_F(PeggedOrders, MoveAlsoIfOneOfThemEndsMeanwhile) {
    market.sell(bob, 10, at(10.20));
    market.buy(alice, 5, pegged(PegReference::midpoint, 0.03));
    market.sell(carol, 5, pegged(PegReference::midpoint, 0.01));
    const std::uint64_t third = market.buy(dave, 5, pegged(PegReference::midpoint, 0.05)).id();
    EXPECT_EQ(market.cancel(bob, ask).count(EventKind::executed), 2U);
    EXPECT_EQ(price_of(third, dave), price(10.05));
}

TEST_F(PeggedOrders, AreCancelledWithoutAPriceToFollow) {
    market.buy(alice, 5, pegged(PegReference::market, 0.01));
    market.buy(alice, 5, midpoint);
    market.buy(alice, 5, primary);
    const Outcome outcome = market.cancel(bob, ask);
    EXPECT_EQ(outcome.count(EventKind::cancelled), 3U);
    EXPECT_EQ(outcome.events().back().reason, Reason::peg_reference_gone);
    market.buy(alice, 5, midpoint).expect_rejected(Reason::no_peg_reference);
}

TEST_F(PeggedOrders, StayInACallAndMoveAfterIt) {
    const std::uint64_t order = market.buy(alice, 5, primary).id();
    market.set_phase(Phase::call);
    market.buy(bob, 1, at(10.05));
    EXPECT_EQ(price_of(order), price(10.00));
    market.buy(alice, 5, midpoint).expect_rejected(Reason::not_in_phase);
    market.replace(alice, order, 6, at(10.50)).expect_rejected(Reason::not_in_phase);
    market.uncross();
    EXPECT_EQ(price_of(order), price(10.05));
}

TEST_F(PeggedOrders, WaitForTheEndOfAHalt) {
    const std::uint64_t order = market.buy(alice, 5, primary).id();
    market.set_state(TradingState::halted);
    market.cancel(bob, bid).expect({"cancelled requested #1 10@10.00 left 0"});
    market.set_state(TradingState::trading)
        .expect(
            {"trading_state_changed 0", "cancelled peg_reference_gone #3 5@10.00 left 0 (hidden)"});
    market.query(alice, order).expect_rejected(Reason::unknown_order);
}

TEST_F(PeggedOrders, AreLimitedInNumber) {
    for (int i = 0; i < 100; ++i) ASSERT_FALSE(market.buy(alice, 1, primary).rejected());
    market.buy(alice, 1, primary).expect_rejected(Reason::limit_pegged_orders);
    EXPECT_FALSE(market.buy(carol, 1, primary).rejected());
    market.cancel(alice, 50);
    EXPECT_FALSE(market.buy(alice, 1, primary).rejected());
}

TEST_F(PeggedOrders, AreDisplayedUnderANewIdWithEachMove) {
    market.buy(alice, 5, primary, displayed).expect({"accepted #3 5@10.00 shows 5"});
    market.buy(bob, 1, at(10.05))
        .expect({"accepted #4 1@10.05 shows 1", "rested #3>#5 @10.05 left 5 shows 5"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("6@10.05 (2)", "10@10.00 (1)"));
    market.cancel(bob, 4).expect(
        {"cancelled requested #4 1@10.05 left 0", "rested #3>#6 @10.00 left 5 shows 5"});
    market.replace(alice, 3, 4, at(10.05))
        .expect({"replaced #3>#7 @10.00 left 4 shows 4 repriced"});
}

TEST_F(PeggedOrders, DoNotFollowDisplayedOnes) {
    market.buy(alice, 5, primary, displayed);
    market.buy(carol, 5, pegged(PegReference::primary, 0.01), displayed);
    market.buy(bob, 2, at(10.05));
    EXPECT_EQ(price_of(4, carol), price(10.04));
    market.sell(dave, 2, at(10.05));
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("15@10.00 (2)", "5@9.99 (1)"));
    market.cancel(bob, bid).expect({"cancelled requested #1 10@10.00 left 0",
                                    "cancelled peg_reference_gone #3 5@10.00 left 0",
                                    "cancelled peg_reference_gone #4 5@9.99 left 0"});
}

// PG-6: one that a band holds back does not move.
TEST_F(PeggedOrders, KeepTheirTimeAtTheEdgeOfABand) {
    market.set_price_limits({.on_breach = OnBreach::rest});
    market.set_price_band(price(9.00), price(10.00));
    market.buy(alice, 5, pegged(PegReference::market, 0.01));
    market.sell(bob, 10, at(10.08)).expect({"accepted #4 10@10.08 shows 10"});
    EXPECT_EQ(price_of(3, alice), price(10.00));
}

TEST_F(PeggedOrders, DisplayedOnesTradeWhenTheyMove) {
    market.sell(carol, 3, at(10.07), hidden);
    market.buy(alice, 5, primary, displayed);
    market.buy(bob, 4, at(10.07))
        .expect({"accepted #5 4@10.07", "executed #3 3@10.07 left 0 (hidden) trade 1",
                 "executed #5 3@10.07 left 1 takes trade 1", "rested #5>#5 @10.07 left 1 shows 1",
                 "rested #4>#6 @10.07 left 5 shows 5"});
    market.sell(carol, 3, at(10.09), hidden);
    market.buy(bob, 3, at(10.08))
        .expect({"accepted #8 3@10.08 shows 3", "rested #4>#9 @10.08 left 5 shows 5"});
}

TEST_F(PeggedOrders, CheckTheirTerms) {
    market.buy(alice, 5, pegged(PegReference::none)).expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, pegged(static_cast<PegReference>(4))).expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, pegged(PegReference::market)).expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, pegged(PegReference::primary, -0.01)).expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, pegged(PegReference::primary, 0.0001))
        .expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, midpoint, displayed).expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, pegged(PegReference::market, 0.01), displayed)
        .expect_rejected(Reason::invalid_peg);
    market.buy(alice, 5, primary, displayed, showing(2))
        .expect_rejected(Reason::invalid_combination);
    market.buy(alice, 5, primary, at_least(2)).expect_rejected(Reason::invalid_combination);
    market.buy(alice, 5, primary, showing(2)).expect_rejected(Reason::invalid_combination);
    market.buy(alice, 5, primary, at(10.00), ioc).expect_rejected(Reason::invalid_combination);
    market.buy(alice, 5, primary, stop(10.20)).expect_rejected(Reason::invalid_combination);
    market.buy(alice, 5, at(10.00), primary, post_only)
        .expect_rejected(Reason::invalid_combination);
}

}  // namespace
}  // namespace damrak::pegged_order_test
