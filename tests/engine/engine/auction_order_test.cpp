// docs/rule-book/auction-orders.md.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::auction_order_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

const auto at_open = lasting(TimeInForce::at_open);
const auto at_close = lasting(TimeInForce::at_close);
const auto at_auction = lasting(TimeInForce::at_auction);
const auto imbalance_only = flag(CommandFlags::k_imbalance_only);

Command phase_of(Phase phase, CallKind call, PhaseRestrictions::Bits restrictions = 0,
                 bool sealed = false) {
    Command command{};
    command.kind = CommandKind::set_phase;
    command.instrument = InstrumentId{1};
    command.phase = {.phase = phase,
                     .auction = AuctionRule::nasdaq,
                     .call = call,
                     .sealed = static_cast<std::uint8_t>(sealed),
                     .restrictions = restrictions};
    return command;
}

struct AuctionOrders : ::testing::Test {
    Outcome set_phase(Phase phase, CallKind call, PhaseRestrictions::Bits restrictions = 0,
                      bool sealed = false) {
        return market.apply(phase_of(phase, call, restrictions, sealed));
    }
    Outcome call(CallKind kind) { return set_phase(Phase::call, kind); }
    void trade_at(double amount) {
        market.sell(bob, 1, at(amount));
        market.buy(alice, 1, at(amount));
    }
    Market market;
};

// The example of the rule book: Nasdaq's closing cross.
TEST_F(AuctionOrders, TradeInAClosingCrossAndOffsetItsSurplus) {
    trade_at(10.02);
    market.buy(alice, 300, at_close).expect({"accepted #3 300@0.00 pending"});
    market.buy(bob, 200, at(10.05), at_close).expect({"accepted #4 200@10.05 pending"});
    market.sell(carol, 400, at(10.06));
    market.replace(carol, 5, 400, at(10.00));  // would trade if the others were in the book
    market.sell(dave, 300, at(10.10), at_close);
    market.sell(carol, 80, at(10.00), at_close, imbalance_only)
        .expect({"accepted #8 80@10.00 pending"});
    market.sell(carol, 60, at(10.10), at_close, imbalance_only);
    market.sell(carol, 50, at(9.90), at_close, imbalance_only);
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("400@10.00 (1)"));
    call(CallKind::closing)
        .expect({"phase_changed 2", "rested #3>#3 @0.00 left 300 hidden",
                 "rested #4>#4 @10.05 left 200 hidden", "rested #7>#7 @10.10 left 300 hidden"});
    market.uncross(Phase::closed)
        .expect({"uncrossed 400@10.05 surplus 100",
                 "executed #3 300@10.05 left 0 (hidden) in cross trade 3",
                 "executed #6 300@10.05 left 100 shows 100 in cross trade 3",
                 "executed #4 100@10.05 left 100 hidden in cross trade 4",
                 "executed #6 100@10.05 left 0 in cross trade 4",
                 "rested #8>#8 @10.00 left 80 hidden",
                 "executed #4 80@10.05 left 20 hidden in cross trade 5",
                 "executed #8 80@10.05 left 0 (hidden) in cross trade 5",
                 "rested #10>#10 @9.90 left 50 hidden",
                 "executed #4 20@10.05 left 0 (hidden) in cross trade 6",
                 "executed #10 20@10.05 left 30 hidden in cross trade 6",
                 "cancelled end_of_auction #7 300@10.10 left 0 (hidden)",
                 "cancelled end_of_auction #9 60@10.10 left 0",
                 "cancelled end_of_auction #10 30@9.90 left 0 (hidden)", "phase_changed 3"});
    EXPECT_EQ(market.position(carol), -500);
}

TEST_F(AuctionOrders, WaitForACallOfTheirKind) {
    set_phase(Phase::pre_open, CallKind::opening);
    market.buy(alice, 1, at(10.00), at_open);
    market.buy(alice, 2, at(10.00), at_close);
    market.buy(alice, 3, at(10.00), at_auction);
    call(CallKind::opening)
        .expect({"phase_changed 2", "rested #1>#1 @10.00 left 1 hidden",
                 "rested #3>#3 @10.00 left 3 hidden"});
    market.uncross().expect(
        {"uncrossed 0@0.00 surplus 0", "cancelled end_of_auction #1 1@10.00 left 0 (hidden)",
         "cancelled end_of_auction #3 3@10.00 left 0 (hidden)", "phase_changed 0"});
    call(CallKind::intraday).expect({"phase_changed 2"});
    market.uncross();
    call(CallKind::closing).expect({"phase_changed 2", "rested #2>#2 @10.00 left 2 hidden"});
}

TEST_F(AuctionOrders, JoinARunningCallAtOnce) {
    call(CallKind::closing);
    market.buy(alice, 5, at_close).expect({"accepted #1 5@0.00 hidden"});
    market.buy(alice, 5, at(10.00), at_auction).expect({"accepted #2 5@10.00 hidden"});
    market.sell(bob, 5, at(10.00), at_close, imbalance_only)
        .expect({"accepted #3 5@10.00 pending"});
    market.buy(alice, 5, at_open).expect_rejected(Reason::not_in_phase);
}

TEST_F(AuctionOrders, DoNotTradeOutsideIt) {
    market.buy(alice, 5, at(10.00), at_close);
    market.sell(bob, 5, at(9.00)).expect({"accepted #2 5@9.00 shows 5"});
    market.buy(carol, 5, at_auction).expect({"accepted #3 5@0.00 pending"});
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

TEST_F(AuctionOrders, RankBehindDisplayedOrders) {
    call(CallKind::closing);
    market.buy(alice, 5, at(10.00), at_close);
    market.buy(bob, 5, at(10.00));
    market.sell(carol, 7, at(10.00));
    EXPECT_THAT(fills(market.uncross(), 3), ElementsAre(2, 5, 7));
}

TEST_F(AuctionOrders, WaitAgainAfterACallWithoutAuction) {
    market.buy(alice, 5, at(10.00), at_close);
    market.sell(bob, 5, at_close);
    call(CallKind::closing);
    call(CallKind::closing).expect({"phase_changed 2"});
    call(CallKind::reopening)
        .expect({"phase_changed 2", "rested #1>#1 @10.00 left 5 pending",
                 "rested #2>#2 @0.00 left 5 pending"});
    call(CallKind::closing);
    set_phase(Phase::pre_open, CallKind::closing)
        .expect({"phase_changed 1", "rested #1>#1 @10.00 left 5 pending",
                 "rested #2>#2 @0.00 left 5 pending"});
}

TEST_F(AuctionOrders, JoinAnInterruption) {
    PriceLimitDetails limits;
    limits.dynamic_corridor = {.basis_points = 100};
    limits.on_breach = OnBreach::interrupt;
    market.set_price_limits(limits);
    trade_at(10.00);
    set_phase(Phase::continuous, CallKind::closing, PhaseRestrictions::k_market_auction_orders);
    market.buy(alice, 5, at(10.00), at_auction);
    market.buy(alice, 5, at(10.00), at_close);
    market.sell(bob, 5, at(10.50));
    market.buy(carol, 5, at(10.50))
        .expect({"accepted #6 5@10.50", "phase_changed 2", "rested #6>#6 @10.50 left 5 shows 5",
                 "rested #3>#3 @10.00 left 5 hidden"});
    market.buy(alice, 5, at_auction).expect({"accepted #7 5@0.00 hidden"});
    market.uncross();
    // What is left of an IOC order is cancelled first.
    market.buy(alice, 5, at(10.00), at_auction);
    market.sell(bob, 5, at(11.50));
    market.buy(carol, 5, at(11.50), ioc)
        .expect({"accepted #10 5@11.50", "phase_changed 2",
                 "cancelled price_band #10 5@11.50 left 0", "rested #8>#8 @10.00 left 5 hidden"});
}

TEST_F(AuctionOrders, AreTakenInTheirPhases) {
    market.buy(alice, 5, at(10.00), at_open).expect_rejected(Reason::not_in_phase);
    call(CallKind::intraday);
    market.buy(alice, 5, at(10.00), at_open).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 5, at(10.00), at_close).expect({"accepted #1 5@10.00 pending"});
    market.uncross(Phase::at_last);
    market.buy(alice, 5, at(10.00), at_close).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 5, at(10.00), at_auction).expect({"accepted #2 5@10.00 pending"});
    set_phase(Phase::closed, CallKind::closing);
    market.buy(alice, 5, at(10.00), at_auction).expect_rejected(Reason::not_in_phase);
    market.set_state(TradingState::halted);
    market.buy(alice, 5, at(10.00), at_auction).expect_rejected(Reason::instrument_halted);
}

TEST_F(AuctionOrders, AreNothingElse) {
    const auto refused = [&](const auto&... terms) {
        market.buy(alice, 5, at_close, terms...).expect_rejected(Reason::invalid_combination);
    };
    refused(stop(10.00));
    refused(at(10.00), stop(10.00));
    refused(at(10.00), hidden);
    refused(at(10.00), post_only);
    refused(at(10.00), post_only_reprice);
    refused(at(10.00), showing(1));
    refused(at(10.00), at_least(1));
    refused(at_least(1));
    refused(at(10.00), flag(CommandFlags::k_pegged | CommandFlags::k_hidden));
    refused(imbalance_only);
    market.buy(alice, 5, at(10.00), imbalance_only).expect_rejected(Reason::invalid_combination);
    market.buy(alice, 5, at(10.00), ioc, imbalance_only)
        .expect_rejected(Reason::invalid_combination);
}

TEST_F(AuctionOrders, AreReplacedWhereTheyAre) {
    market.buy(alice, 5, at(10.00), at_close);
    market.buy(bob, 5, at(10.00), at_close);
    market.replace(alice, 1, 3, at(10.00)).expect({"replaced #1>#1 @10.00 left 3 pending"});
    call(CallKind::closing)
        .expect({"phase_changed 2", "rested #1>#1 @10.00 left 3 hidden",
                 "rested #2>#2 @10.00 left 5 hidden"});
    market.replace(alice, 1, 9, at(10.00)).expect({"replaced #1>#3 @10.00 left 9 hidden"});
    market.sell(carol, 8, at(10.00));
    EXPECT_THAT(fills(market.uncross(), 4), ElementsAre(0, 5, 3, 8));
}

TEST_F(AuctionOrders, WithANewLimitAreTheLastToJoin) {
    market.buy(alice, 5, at(10.00), at_close);
    market.buy(bob, 5, at_close);
    market.replace(alice, 1, 5, at(10.10)).expect({"replaced #1>#3 @10.10 left 5 pending"});
    market.replace(bob, 2, 6).expect({"replaced #2>#4 @0.00 left 6 pending"});
    market.replace(bob, 4, 5, stop(10.00)).expect_rejected(Reason::invalid_stop_price);
    call(CallKind::closing)
        .expect({"phase_changed 2", "rested #3>#3 @10.10 left 5 hidden",
                 "rested #4>#4 @0.00 left 6 hidden"});
}

TEST_F(AuctionOrders, KeepTheirConditionWhenReplaced) {
    market.sell(alice, 5, at(10.00), at_close, imbalance_only);
    market.replace(alice, 1, 8, at(9.00));
    call(CallKind::closing).expect({"phase_changed 2"});
    market.replace(alice, 2, 7, at(9.00)).expect({"replaced #2>#2 @9.00 left 7 pending"});
    market.replace(alice, 2, 9, at(9.00)).expect({"replaced #2>#3 @9.00 left 9 pending"});
}

TEST_F(AuctionOrders, AreCancelledWholeAndInPart) {
    market.buy(alice, 5, at(10.00), at_close);
    market.cancel_part(alice, 1, 2).expect({"cancelled requested #1 2@10.00 left 3 pending"});
    market.query(alice, 1).expect({"order_status #1 executed 0 @10.00 left 3 pending"});
    market.cancel(alice, 1).expect({"cancelled requested #1 3@10.00 left 0"});
    market.buy(alice, 5, at_close);
    market.buy(alice, 5, at(10.00), at_auction);
    market.mass_cancel().expect({"cancelled mass_cancel #2 5@0.00 left 0",
                                 "cancelled mass_cancel #3 5@10.00 left 0", "mass_cancelled 2"});
}

TEST_F(AuctionOrders, EndWithTheDay) {
    market.buy(alice, 5, at(10.00), at_close);
    market.buy(alice, 5, at(10.00), gtc);
    call(CallKind::intraday);
    market.sell(alice, 5, at_auction);
    market.end_day().expect({"expired end_of_day #3 5@0.00 left 0 (hidden)",
                             "expired end_of_day #1 5@10.00 left 0", "day_ended 2"});
}

TEST_F(AuctionOrders, OffsetOnlyTheSideThatHasMore) {
    call(CallKind::closing);
    market.buy(alice, 10, at(10.00));
    market.sell(bob, 4, at(10.00));
    market.sell(carol, 8, at(10.00), at_close, imbalance_only);
    market.sell(carol, 8, at(10.00), at_open, imbalance_only).expect_rejected(Reason::not_in_phase);
    market.buy(dave, 8, at(10.00), at_close, imbalance_only);
    market.uncross().expect(
        {"uncrossed 4@10.00 surplus 6", "executed #1 4@10.00 left 6 shows 6 in cross trade 2",
         "executed #2 4@10.00 left 0 in cross trade 2", "rested #3>#3 @10.00 left 8 hidden",
         "executed #1 6@10.00 left 0 in cross trade 3",
         "executed #3 6@10.00 left 2 hidden in cross trade 3",
         "cancelled end_of_auction #3 2@10.00 left 0 (hidden)",
         "cancelled end_of_auction #4 8@10.00 left 0", "phase_changed 0"});
}

TEST_F(AuctionOrders, OffsetTheSurplusOfABatch) {
    set_phase(Phase::call, CallKind::closing, 0, true);
    market.buy(alice, 10, at(10.00));
    market.buy(bob, 10, at(10.00), at_close);
    market.sell(carol, 10, at(10.00));
    market.sell(dave, 15, at(10.00), at_auction, imbalance_only);
    const Outcome outcome = market.uncross(Phase::call);
    EXPECT_THAT(fills(outcome, 4), ElementsAre(10, 10, 10, 10));
    EXPECT_EQ(outcome.last().kind, EventKind::phase_changed);
    EXPECT_EQ(market.position(dave), -10);
}

TEST_F(AuctionOrders, OfASealedCallMayBeReplaced) {
    call(CallKind::closing);
    market.buy(alice, 10, at(10.00), at_close);
    set_phase(Phase::call, CallKind::closing, 0, true);
    market.replace(alice, 1, 10, at(10.10)).expect({"replaced #1>#2 @10.10 left 10 hidden"});
}

TEST_F(AuctionOrders, AreNotTakenInRestrictedPhases) {
    using Restrictions = PhaseRestrictions;
    set_phase(Phase::continuous, CallKind::closing, Restrictions::k_market_auction_orders);
    market.buy(alice, 5, at_close).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 5, at(10.00), at_close).expect({"accepted #1 5@10.00 pending"});
    set_phase(Phase::continuous, CallKind::closing, Restrictions::k_limit_auction_orders);
    market.buy(alice, 5, at_close).expect({"accepted #2 5@0.00 pending"});
    market.buy(alice, 5, at(10.00), at_close).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 5, at(10.00), at_close, imbalance_only)
        .expect({"accepted #3 5@10.00 pending"});
    market.buy(alice, 5, at(10.00)).expect({"accepted #4 5@10.00 shows 5"});
    set_phase(Phase::call, CallKind::closing, 0x10).expect_rejected(Reason::invalid_state);
}

TEST_F(AuctionOrders, RestrictedChangesAreRefused) {
    using Restrictions = PhaseRestrictions;
    market.buy(alice, 5, at(10.00), at_close);
    market.buy(alice, 5, at(10.00));
    set_phase(Phase::continuous, CallKind::closing, Restrictions::k_auction_order_changes);
    market.cancel(alice, 1).expect_rejected(Reason::not_in_phase);
    market.cancel_part(alice, 1, 1).expect_rejected(Reason::not_in_phase);
    market.replace(alice, 1, 4, at(10.00)).expect_rejected(Reason::not_in_phase);
    market.replace(alice, 2, 4, at(10.00)).expect({"replaced #2>#2 @10.00 left 4 shows 4"});
    set_phase(Phase::continuous, CallKind::closing, Restrictions::k_changes);
    market.cancel(alice, 2).expect_rejected(Reason::not_in_phase);
    market.replace(alice, 2, 3, at(10.00)).expect_rejected(Reason::not_in_phase);
    market.query(alice, 2).expect({"order_status #2 executed 0 @10.00 left 4 shows 4"});
    EXPECT_EQ(market.mass_cancel().last().quantity, Quantity{2});
}

TEST_F(AuctionOrders, RestrictionsEndWithTheAuction) {
    set_phase(Phase::call, CallKind::closing, PhaseRestrictions::k_all);
    const std::uint64_t restricted = market.state_hash();
    market.buy(alice, 5, at_auction).expect_rejected(Reason::not_in_phase);
    call(CallKind::closing);
    EXPECT_NE(market.state_hash(), restricted);
    set_phase(Phase::call, CallKind::closing, PhaseRestrictions::k_all);
    market.uncross();
    market.buy(alice, 5, at_auction).expect({"accepted #1 5@0.00 pending"});
    market.cancel(alice, 1).expect({"cancelled requested #1 5@0.00 left 0"});
}

TEST_F(AuctionOrders, CountAgainstLimitsWhileTheyWait) {
    trade_at(10.00);
    LimitDetails limits{};
    limits.open_notional = 10 * price(10.00).value;
    market.set_limits(carol, limits);
    market.buy(carol, 10, at(10.00), at_close);
    market.buy(carol, 1, at(10.00), at_close).expect_rejected(Reason::limit_open_notional);
    market.cancel_part(carol, 3, 9);
    market.buy(carol, 9, at_close).expect({"accepted #4 9@0.00 pending"});
    market.buy(carol, 9, at(10.00)).expect({"accepted #5 9@10.00 shows 9"});
    market.buy(carol, 1, at(10.00)).expect_rejected(Reason::limit_open_notional);
}

TEST_F(AuctionOrders, CountAgainstTheCapacityOfExtensions) {
    EngineConfig config = Market::small();
    config.maximum_extensions = 1;
    Market small(config);
    small.buy(alice, 5, at(10.00), at_close);
    small.buy(alice, 5, at(10.00), at_close).expect_rejected(Reason::extensions_full);
    small.cancel(alice, 1);
    small.buy(alice, 5, at(10.00), at_close).expect({"accepted #2 5@10.00 pending"});
}

TEST_F(AuctionOrders, EndIfThereIsNoRoomForTheirPrice) {
    EngineConfig config = Market::small();
    config.maximum_levels = 8;
    Market small(config);
    small.leave_reference_out();
    for (int i = 0; i < 12; ++i) small.buy(alice, 1, at(5.00 + i), at_close);
    small.buy(bob, 1, at_close);
    const Outcome outcome = small.apply(phase_of(Phase::call, CallKind::closing));
    EXPECT_GT(outcome.count(EventKind::rested), 3U);
    EXPECT_EQ(outcome.count(EventKind::rested) + outcome.count(EventKind::cancelled), 13U);
    EXPECT_EQ(outcome.events()[outcome.events().size() - 2].reason, Reason::levels_full);
    EXPECT_EQ(outcome.last().order_type, OrderType::market) << "needs no price";
}

TEST_F(AuctionOrders, JoinAndEndInSlices) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market small(config);
    for (int i = 0; i < 100; ++i) {
        small.buy(alice, 2, at(10.00), at_close);
        small.sell(bob, 1, at(10.00), at_close, imbalance_only);
    }
    EXPECT_EQ(small.apply(phase_of(Phase::call, CallKind::closing)).count(EventKind::rested), 100U);
    small.sell(carol, 50, at(10.00));
    const Outcome outcome = small.uncross();
    EXPECT_EQ(outcome.events().front().quantity, Quantity{50});
    EXPECT_EQ(outcome.count(EventKind::executed), 2U * (25U + 100U));
    EXPECT_EQ(outcome.count(EventKind::cancelled), 25U);
    EXPECT_EQ(small.position(alice), 150);
}

}  // namespace
}  // namespace damrak::auction_order_test
