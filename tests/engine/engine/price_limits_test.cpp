// docs/rule-book/price-limits.md: where trades are allowed, what happens at the edge, auctions
// within a band, and the choices of venues.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::price_limits_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Margin = PriceLimitDetails::Margin;

constexpr Margin k_two_percent{.basis_points = 200};

/// The last trade is at 100.00.
struct PriceLimits : ::testing::Test {
    PriceLimits() {
        market.sell(bob, 1, at(100.00));
        market.buy(alice, 1, at(100.00));
    }
    void set(OnBreach on_breach) {
        market.set_price_limits({.dynamic_corridor = k_two_percent, .on_breach = on_breach})
            .expect({"price_limits_set 0"});
    }
    void offer_three_prices() {
        market.sell(bob, 50, at(101.00));
        market.sell(bob, 50, at(102.00));
        market.sell(bob, 50, at(103.00));
    }
    Market market;
};

// The example of T7's market model.
TEST_F(PriceLimits, InterruptTradingAtTheFirstPriceOutside) {
    set(OnBreach::interrupt);
    offer_three_prices();
    market.buy(alice, 120)
        .expect({"accepted #6 120@0.00", "executed #3 50@101.00 left 0 trade 2",
                 "executed #6 50@101.00 left 70 takes trade 2",
                 "executed #4 50@102.00 left 0 trade 3",
                 "executed #6 50@102.00 left 20 takes trade 3", "phase_changed 2",
                 "rested #6>#6 @0.00 left 20 hidden"});
    EXPECT_EQ(market.engine().instrument(InstrumentId{1})->call, CallKind::interruption);
    // The order takes part in the call.
    market.uncross().expect(
        {"uncrossed 20@103.00 surplus 30", "executed #6 20@103.00 left 0 (hidden) in cross trade 5",
         "executed #5 20@103.00 left 30 shows 30 in cross trade 5", "phase_changed 0"});
}

TEST_F(PriceLimits, InterruptBeforeAnyTrade) {
    set(OnBreach::interrupt);
    market.sell(bob, 50, at(102.01));
    market.buy(alice, 10, at(103.00))
        .expect(
            {"accepted #4 10@103.00", "phase_changed 2", "rested #4>#4 @103.00 left 10 shows 10"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@103.00 (1)"));
}

/// An own offer at 103.00, where no trade is allowed, and perhaps one of somebody else behind it.
struct OwnBeyondCase {
    SelfTradePrevention rule;
    bool others;
    Phase phase;           ///< afterwards
    std::int64_t offered;  ///< by its owner
    std::size_t bids;
};

class OwnBeyond : public ::testing::TestWithParam<OwnBeyondCase> {};

// PL-7: only an order that would trade interrupts trading.
TEST_P(OwnBeyond, InterruptsOnlyWhatWouldTrade) {
    Market market;
    market.sell(bob, 1, at(100.00));
    market.buy(carol, 1, at(100.00));
    market.set_price_limits({.dynamic_corridor = k_two_percent, .on_breach = OnBreach::interrupt});
    market.sell(alice, 10, at(103.00));
    if (GetParam().others) market.sell(bob, 10, at(104.00));
    market.buy(alice, 15, at(105.00), rule(GetParam().rule));
    EXPECT_EQ(market.engine().instrument(InstrumentId{1})->phase, GetParam().phase);
    const std::size_t others = GetParam().others ? 1 : 0;
    EXPECT_EQ(market.depth(Side::sell).size() - others, GetParam().offered != 0 ? 1U : 0U);
    EXPECT_EQ(market.depth(Side::buy).size(), GetParam().bids);
}

INSTANTIATE_TEST_SUITE_P(
    Rules, OwnBeyond,
    ::testing::Values(
        OwnBeyondCase{SelfTradePrevention::none, false, Phase::call, 10, 1},
        OwnBeyondCase{SelfTradePrevention::cancel_newest, false, Phase::continuous, 10, 0},
        OwnBeyondCase{SelfTradePrevention::cancel_newest, true, Phase::continuous, 10, 0},
        OwnBeyondCase{SelfTradePrevention::cancel_oldest, false, Phase::continuous, 0, 1},
        OwnBeyondCase{SelfTradePrevention::cancel_oldest, true, Phase::call, 10, 1},
        OwnBeyondCase{SelfTradePrevention::cancel_both, true, Phase::continuous, 0, 0},
        OwnBeyondCase{SelfTradePrevention::decrement_and_cancel, false, Phase::continuous, 0, 1},
        OwnBeyondCase{SelfTradePrevention::decrement_and_cancel, true, Phase::call, 10, 1},
        OwnBeyondCase{SelfTradePrevention::skip_own, false, Phase::continuous, 10, 0},
        OwnBeyondCase{SelfTradePrevention::skip_own, true, Phase::continuous, 10, 0}));

TEST_F(PriceLimits, LookPastOwnOrdersForTheFirstPrice) {
    market.set_price_band(price(99.00), price(110.00));
    market.set_price_limits({.on_breach = OnBreach::interrupt});
    market.sell(alice, 5, at(98.00));
    market.sell(bob, 5, at(99.00));
    market.buy(alice, 5, at(99.00), rule(SelfTradePrevention::cancel_oldest))
        .expect({"accepted #5 5@99.00", "cancelled self_trade #3 5@98.00 left 0",
                 "executed #4 5@99.00 left 0 trade 2", "executed #5 5@99.00 left 0 takes trade 2"});
}

TEST_F(PriceLimits, LookPastOwnHeldOrders) {
    set(OnBreach::interrupt);
    market.sell(alice, 10, at(103.00), at_least(1));
    market.buy(alice, 10, at(103.00), rule(SelfTradePrevention::skip_own));
    EXPECT_EQ(market.engine().instrument(InstrumentId{1})->phase, Phase::continuous);
}

TEST_F(PriceLimits, MeetOwnOrdersFirstWhereOrdersShare) {
    set(OnBreach::interrupt);
    market.set_allocation({.steps = {AllocationStep::pro_rata}});
    market.sell(bob, 10, at(103.00));
    market.sell(alice, 10, at(103.00));
    market.buy(alice, 10, at(103.00), rule(SelfTradePrevention::cancel_newest))
        .expect({"accepted #5 10@103.00", "cancelled self_trade #5 10@103.00 left 0"});
}

TEST_F(PriceLimits, AreInclusiveAndHoldOnBothSides) {
    set(OnBreach::interrupt);
    market.buy(bob, 10, at(97.99));
    market.buy(bob, 10, at(98.00));
    market.sell(alice, 10, at(98.00))
        .expect({"accepted #5 10@98.00", "executed #4 10@98.00 left 0 trade 2",
                 "executed #5 10@98.00 left 0 takes trade 2"});
}

// The corridor moves with the last trade of an order, not with each of its trades.
TEST_F(PriceLimits, StayWhileAnOrderTrades) {
    set(OnBreach::cancel);
    offer_three_prices();
    EXPECT_EQ(market.buy(alice, 120, at(103.00)).count(EventKind::executed), 4U);
    market.buy(alice, 20, at(103.00))
        .expect({"accepted #7 20@103.00", "executed #5 20@103.00 left 30 shows 30 trade 4",
                 "executed #7 20@103.00 left 0 takes trade 4"});
}

TEST_F(PriceLimits, CancelTheRestAtTheEdge) {
    set(OnBreach::cancel);
    offer_three_prices();
    const Outcome outcome = market.buy(alice, 120, at(110.00));
    EXPECT_EQ(outcome.count(EventKind::executed), 4U);
    EXPECT_EQ(outcome.events().back().kind, EventKind::cancelled);
    EXPECT_EQ(outcome.events().back().reason, Reason::price_band);
    EXPECT_EQ(outcome.events().back().quantity, Quantity{20});
    // Orders that meet nobody rest at their limits.
    EXPECT_EQ(market.buy(alice, 5, at(102.50)).events().front().price, price(102.50));
}

TEST_F(PriceLimits, MoveARestingOrderToTheEdge) {
    set(OnBreach::rest);
    market.buy(alice, 10, at(105.00)).expect({"accepted #3 10@102.00 shows 10 repriced"});
    market.sell(bob, 10, at(95.00))
        .expect({"accepted #4 10@98.00 repriced", "executed #3 10@102.00 left 0 trade 2",
                 "executed #4 10@102.00 left 0 takes trade 2"});
}

TEST_F(PriceLimits, CancelWhatMayNotRestAtTheEdge) {
    set(OnBreach::rest);
    offer_three_prices();
    EXPECT_EQ(market.buy(alice, 120, at(103.00), ioc).events().back().reason, Reason::price_band);
    EXPECT_THAT(market.depth(Side::buy), IsEmpty());
}

// A fill-or-kill order needs all of its quantity at allowed prices.
TEST_F(PriceLimits, KillWhatCannotBeFilledWithinThem) {
    set(OnBreach::interrupt);
    offer_three_prices();
    EXPECT_EQ(market.buy(alice, 120, at(103.00), fok).events().back().reason, Reason::fill_or_kill);
    EXPECT_EQ(market.buy(alice, 100, at(103.00), fok).count(EventKind::executed), 4U);
}

TEST_F(PriceLimits, HaveAStaticCorridorAroundAReference) {
    market.set_price_limits({.static_corridor = k_two_percent, .on_breach = OnBreach::cancel});
    market.sell(bob, 10, at(103.00));
    EXPECT_EQ(market.buy(alice, 1, at(103.00)).count(EventKind::executed), 2U);
    market.set_price_band({}, {}, price(100.00)).expect({"price_band_set 0"});
    EXPECT_EQ(market.buy(alice, 1, at(103.00)).events().back().reason, Reason::price_band);
    // An auction sets the reference again.
    market.set_phase(Phase::call);
    market.buy(alice, 1, at(103.00));
    market.uncross();
    EXPECT_EQ(market.buy(alice, 1, at(103.00)).count(EventKind::executed), 2U);
}

TEST_F(PriceLimits, StopACascadeOfStops) {
    set(OnBreach::interrupt);
    market.sell(bob, 1, at(101.00));
    market.sell(bob, 5, at(103.00));
    market.buy(carol, 5, stop(101.00));
    market.buy(dave, 5, stop(101.00));
    const Outcome outcome = market.buy(alice, 1, at(101.00));
    EXPECT_EQ(outcome.count(EventKind::triggered), 2U);
    market.cancel(carol, 5);
    EXPECT_EQ(market.engine().instrument(InstrumentId{1})->phase, Phase::continuous);
}

TEST(PriceBand, CancelsTheOrdersThatItNoLongerAllows) {
    Market market;
    market.buy(alice, 10, at(10.00));
    market.buy(alice, 10, at(9.00));
    market.sell(bob, 10, at(11.00));
    market.set_price_band(price(8.00), price(9.50))
        .expect({"price_band_set 0", "cancelled price_band #1 10@10.00 left 0"});
    market.set_price_band(price(12.00), price(13.00))
        .expect({"price_band_set 0", "cancelled price_band #3 10@11.00 left 0"});
}

TEST(PriceBand, LeavesThemUntilACallEndsWhereNothingTrades) {
    for (const Phase phase : {Phase::pre_open, Phase::call, Phase::closed}) {
        Market market;
        market.buy(alice, 10, at(10.00));
        market.set_phase(phase);
        market.set_price_band(price(8.00), price(9.50)).expect({"price_band_set 0"});
        market.set_phase(Phase::call);
        EXPECT_EQ(market.uncross().count(EventKind::cancelled), 1U);
    }
}

TEST(PriceBand, RefusesLimitsThroughIt) {
    Market market;
    market.set_price_limits({.on_breach = OnBreach::cancel});
    market.set_price_band(price(9.00), price(11.00));
    market.buy(alice, 1, at(11.01)).expect_rejected(Reason::outside_price_band);
    market.sell(alice, 1, at(8.99)).expect_rejected(Reason::outside_price_band);
    EXPECT_FALSE(market.buy(alice, 1, at(8.00)).rejected());
    const std::uint64_t order = market.sell(alice, 1, at(11.50)).id();
    market.replace(alice, order, 1, at(8.00)).expect_rejected(Reason::outside_price_band);
}

TEST(PriceBand, HoldsInAnAuction) {
    Market market;
    market.set_price_limits({.on_breach = OnBreach::interrupt});
    market.set_price_band(price(9.50), price(10.50));
    market.set_phase(Phase::call);
    market.buy(alice, 10, at(11.00));
    market.sell(bob, 5, at(9.00));
    // Both limits are outside; the buyers, who are left over, pay the highest price of the band.
    market.uncross().expect({"uncrossed 5@10.50 surplus 5",
                             "executed #1 5@10.50 left 5 shows 5 in cross trade 2",
                             "executed #2 5@10.50 left 0 in cross trade 2",
                             "cancelled price_band #1 5@11.00 left 0", "phase_changed 0"});
}

// Whatever the number of orders that leave, the events of a slice do not exceed it.
TEST(PriceBand, CancelsInSlices) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    for (std::size_t orders = 1; orders <= 20; ++orders) {
        Market market(config);
        market.set_price_band(price(9.00), price(10.00));
        market.set_phase(Phase::call);
        for (std::size_t i = 0; i < orders; ++i) market.buy(alice, 1, at(11.00));
        EXPECT_EQ(market.uncross().count(EventKind::cancelled), orders);
    }
}

TEST(TradingAtLast, HasOnePrice) {
    Market market;
    market.set_phase(Phase::at_last).expect_rejected(Reason::not_in_phase);
    market.set_phase(Phase::call);
    market.set_phase(Phase::at_last).expect_rejected(Reason::not_in_phase);
    market.buy(alice, 10, at(10.00));
    market.sell(bob, 5, at(10.00));
    market.sell(bob, 5, at(10.20));
    market.uncross(Phase::at_last);
    market.sell(carol, 2, at(9.90))
        .expect({"accepted #4 2@10.00 repriced", "executed #1 2@10.00 left 3 shows 3 trade 3",
                 "executed #4 2@10.00 left 0 takes trade 3"});
    market.buy(carol, 2, at(10.50)).expect({"accepted #5 2@10.00 shows 2 repriced"});
    EXPECT_FALSE(market.set_phase(Phase::at_last).rejected());
    EXPECT_FALSE(market.set_phase(Phase::continuous).rejected());
}

TEST(TradingAtLast, DoesNotTradeWithoutAPrice) {
    Market market;
    market.set_phase(Phase::call);
    market.sell(bob, 5, at(10.00));
    market.uncross(Phase::at_last);
    EXPECT_EQ(market.buy(alice, 5, at(10.00)).events().back().reason, Reason::price_band);
}

TEST(MarketCollar, BoundsWhatAMarketOrderPays) {
    Market market;
    market.set_price_limits({.market_collar = {.at_least = 5'000}});
    market.sell(bob, 10, at(10.00));
    market.sell(bob, 10, at(10.50));
    market.sell(bob, 10, at(10.51));
    const Outcome outcome = market.buy(alice, 30);
    EXPECT_EQ(outcome.count(EventKind::executed), 4U);
    EXPECT_EQ(outcome.events().back().reason, Reason::unfilled_remainder);
}

TEST(MarketCollar, IsThePriceThatLimitsCount) {
    Market market;
    market.set_price_limits({.market_collar = {.at_least = 5'000}});
    market.sell(bob, 10, at(10.00));
    LimitDetails limits;
    limits.order_notional = price(10.49).value * 10;
    market.set_limits(alice, limits);
    market.buy(alice, 10).expect_rejected(Reason::limit_order_notional);
    limits.order_notional = price(10.50).value * 10;
    market.set_limits(alice, limits);
    EXPECT_FALSE(market.buy(alice, 10).rejected());
}

TEST_F(PriceLimits, RefuseMistakenLimits) {
    market.set_price_limits({.entry_limit = {.basis_points = 1'000}});
    market.buy(alice, 1, at(110.01)).expect_rejected(Reason::price_through_limit);
    market.sell(alice, 1, at(89.99)).expect_rejected(Reason::price_through_limit);
    EXPECT_FALSE(market.buy(alice, 1, at(89.00)).rejected());
    EXPECT_FALSE(market.buy(alice, 1, stop(105.00), at(111.00)).rejected());
}

TEST_F(PriceLimits, RefuseStopsThatAreReached) {
    market.set_price_limits({.refuse_reached_stops = 1});
    market.buy(alice, 1, stop(100.00)).expect_rejected(Reason::stop_reached);
    const std::uint64_t order = market.buy(alice, 1, stop(101.00)).id();
    market.replace(alice, order, 1, stop(99.00)).expect_rejected(Reason::stop_reached);
}

// CA-10: orders that no possible price reaches have no part in the price.
TEST_F(PriceLimits, GiveMarketOrdersTheReferenceWhereNoLimitIsInTheBand) {
    market.set_price_band(price(95.00), price(105.00));
    market.set_phase(Phase::call);
    market.buy(alice, 5, at(90.00));
    market.buy(alice, 10);
    market.sell(bob, 10);
    EXPECT_EQ(event_line(market.uncross().events().front()), "uncrossed 10@100.00 surplus 0");
}

// PL-11, PL-14: a collar of an auction refuses nothing in its call.
TEST_F(PriceLimits, CountLimitsThroughACollarAsItsEdge) {
    set(OnBreach::cancel);
    market.set_phase(Phase::call);
    Command collar{};
    collar.kind = CommandKind::set_price_band;
    collar.instrument = InstrumentId{1};
    collar.price_band = {.lower = price(95.00), .upper = price(105.00)};
    market.apply(collar);
    market.buy(alice, 5, at(110.00)).expect_rejected(Reason::outside_price_band);
    collar.flags = CommandFlags::k_auction_collar;
    market.apply(collar);
    market.buy(alice, 5, at(110.00)).expect({"accepted #3 5@110.00 shows 5"});
    market.sell(bob, 2, at(105.00));
    market.uncross().expect({"uncrossed 2@105.00 surplus 3",
                             "executed #3 2@105.00 left 3 shows 3 in cross trade 3",
                             "executed #4 2@105.00 left 0 in cross trade 3",
                             "cancelled price_band #3 3@110.00 left 0", "phase_changed 0"});
    market.buy(alice, 5, at(110.00)).expect_rejected(Reason::outside_price_band);
}

TEST(OwnCross, IsRefusedOrRepricedByVenue) {
    for (const OnOwnCross choice : {OnOwnCross::refuse, OnOwnCross::reprice}) {
        Market market;
        market.set_price_limits({.on_own_cross = choice});
        market.sell(alice, 10, at(10.00));
        const Outcome outcome =
            market.buy(alice, 5, at(10.05), rule(SelfTradePrevention::skip_own));
        if (choice == OnOwnCross::refuse)
            EXPECT_EQ(outcome.events().back().reason, Reason::own_order);
        else
            EXPECT_THAT(market.depth(Side::buy), ElementsAre("5@9.99 (1)"));
    }
}

TEST(PriceLimitCommands, CheckTheirNumbers) {
    Market market;
    market.set_price_limits({.entry_limit = {.basis_points = 10'001}})
        .expect_rejected(Reason::invalid_rules);
    market.set_price_limits({.on_breach = static_cast<OnBreach>(3)})
        .expect_rejected(Reason::invalid_rules);
    market.set_price_limits({.on_own_cross = static_cast<OnOwnCross>(3)})
        .expect_rejected(Reason::invalid_rules);
    market.set_price_limits({.refuse_reached_stops = 2}).expect_rejected(Reason::invalid_rules);
    market.set_price_band(price(-1.00), price(1.00)).expect_rejected(Reason::invalid_rules);
    market.set_price_band(price(2.00), price(1.00)).expect_rejected(Reason::invalid_rules);
    market.set_price_band({}, {}, price(-1.00)).expect_rejected(Reason::invalid_rules);
    Command unknown{};
    unknown.instrument = InstrumentId{3};
    for (const CommandKind kind : {CommandKind::set_price_limits, CommandKind::set_price_band}) {
        unknown.kind = kind;
        market.apply(unknown).expect_rejected(Reason::unknown_instrument);
    }
}

}  // namespace
}  // namespace damrak::price_limits_test
