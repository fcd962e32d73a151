// docs/rule-book/combinations.md: combinations and implied prices.
#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/combined_market.hpp"

namespace damrak::combination_test {
namespace {

using namespace combined;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The vectors of the CME.

TEST_F(Combined, AnAskAndABidMakeAnAskOfTheSpread) {
    market.sell(alice, 10, at(9'500));
    market.buy(bob, 5, at(9'450), in(2));
    const Outcome bought = market.buy(carol, 8, at(50), x());
    EXPECT_THAT(trades(bought),
                ElementsAre("A#1 5@9500.00 left 5 of X1", "B#1 5@9450.00 left 0 of X1",
                            "X#1 5@50.00 left 3 takes of X1"));
    EXPECT_THAT(market.depth(Side::buy, 4), ElementsAre("3@50.00 (1)"));
    for (const Event& event : bought.events())
        EXPECT_EQ(has_flag(event, EventFlags::k_implied), event.kind == EventKind::executed);
}

TEST_F(Combined, AnAskOfTheSpreadMakesOneOfItsFirstLeg) {
    market.sell(alice, 5, at(50), x());
    market.sell(bob, 5, at(9'450), in(2));
    EXPECT_THAT(trades(market.buy(carol, 5, at(9'499.99))), IsEmpty());
    EXPECT_THAT(trades(market.buy(carol, 5, at(9'500))),
                ElementsAre("X#1 5@50.00 left 0 of X1", "B#1 5@9450.00 left 0 of X1",
                            "A#2 5@9500.00 left 0 takes of X1"));
}

TEST_F(Combined, ABidOfTheSpreadMayBeBelowZero) {
    market.buy(alice, 15, at(4'150));
    market.sell(bob, 10, at(5'500), in(2));
    EXPECT_THAT(trades(market.sell(carol, 12, at(-1'350), x())),
                ElementsAre("A#1 10@4150.00 left 5 of X1", "B#1 10@5500.00 left 0 of X1",
                            "X#1 10@-1350.00 left 2 takes of X1"));
}

TEST_F(Combined, TheSecondLegHasImpliedPricesToo) {
    market.buy(alice, 5, at(100));
    market.sell(bob, 5, at(20), x());
    // B's bid is A's bid less X's ask.
    EXPECT_THAT(trades(market.sell(carol, 5, at(80), in(2))),
                ElementsAre("X#1 5@20.00 left 0 of X1", "A#1 5@100.00 left 0 of X1",
                            "B#1 5@80.00 left 0 takes of X1"));
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(20), x());
    EXPECT_THAT(trades(market.buy(carol, 5, at(80), in(2))),
                ElementsAre("X#2 5@20.00 left 0 of X2", "A#2 5@100.00 left 0 of X2",
                            "B#2 5@80.00 left 0 takes of X2"));
}

TEST_F(Combined, PositionsArePositionsInWhatWasTraded) {
    market.sell(alice, 10, at(100));
    market.buy(bob, 10, at(80), in(2));
    market.buy(carol, 10, at(20), x());
    EXPECT_EQ(market.position(alice, 1), -10);
    EXPECT_EQ(market.position(bob, 2), 10);
    EXPECT_EQ(market.position(carol, 4), 10);
}

// Priority.

TEST_F(Combined, OrdersOfItsOwnComeFirstAtAPrice) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    market.sell(dave, 3, at(20), x());
    EXPECT_THAT(trades(market.buy(carol, 4, at(20), x())),
                ElementsAre("X#1 3@20.00 left 0 of X1", "X#2 3@20.00 left 1 takes of X1",
                            "A#1 1@100.00 left 4 of X2", "B#1 1@80.00 left 4 of X2",
                            "X#2 1@20.00 left 0 takes of X2"));
}

TEST_F(Combined, ABetterPriceComesFirst) {
    market.sell(alice, 5, at(100));
    market.sell(alice, 5, at(101));
    market.buy(bob, 9, at(80), in(2));
    market.sell(dave, 3, at(20.50), x());
    EXPECT_THAT(trades(market.buy(carol, 10, at(21), x())),
                ElementsAre("A#1 5@100.00 left 0 of X1", "B#1 5@80.00 left 4 of X1",
                            "X#2 5@20.00 left 5 takes of X1", "X#1 3@20.50 left 0 of X2",
                            "X#2 3@20.50 left 2 takes of X2", "A#2 2@101.00 left 3 of X3",
                            "B#1 2@80.00 left 2 of X3", "X#2 2@21.00 left 0 takes of X3"));
}

TEST_F(Combined, OfTwoCombinationsTheBetterPriceTrades) {
    market.sell(alice, 5, at(20), x());  // A's ask: B's ask and 20
    market.buy(alice, 5, at(3), y());    // B's ask: C's ask and 3; B's bid: C's bid and 3
    market.sell(bob, 2, at(80), in(2));
    market.sell(bob, 9, at(78), in(3));
    // Only of the first generation: Y and C imply an ask of B, which implies nothing.
    EXPECT_THAT(trades(market.buy(carol, 5, at(100))),
                ElementsAre("X#1 2@20.00 left 3 of X1", "B#1 2@80.00 left 0 of X1",
                            "A#1 2@100.00 left 3 takes of X1"));
}

TEST_F(Combined, AnImpliedPriceTradesFromOrderToOrder) {
    market.sell(alice, 4, at(100));
    market.sell(dave, 6, at(100), showing(2));
    market.buy(bob, 9, at(80), in(2), hidden);
    EXPECT_THAT(trades(market.buy(carol, 9, at(20), x())),
                ElementsAre("A#1 4@100.00 left 0 of X1", "A#2 2@100.00 left 4 of X1",
                            "B#1 6@80.00 left 3 of X1", "X#1 6@20.00 left 3 takes of X1",
                            "A#2 2@100.00 left 2 of X2", "B#1 2@80.00 left 1 of X2",
                            "X#1 2@20.00 left 1 takes of X2", "A#2 1@100.00 left 1 of X3",
                            "B#1 1@80.00 left 0 of X3", "X#1 1@20.00 left 0 takes of X3"));
}

// What stands in the way.

TEST_F(Combined, NothingIsImpliedUnlessAllTradeContinuously) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    for (const std::uint32_t id : {1U, 2U}) {
        market.set_state(TradingState::halted, id);
        EXPECT_THAT(trades(market.buy(carol, 1, at(20), x(), ioc)), IsEmpty());
        market.set_state(TradingState::trading, id);
    }
    market.set_phase(Phase::call);
    EXPECT_THAT(trades(market.buy(carol, 1, at(20), x(), ioc)), IsEmpty());
    market.uncross();
    EXPECT_THAT(trades(market.buy(carol, 1, at(20), x(), ioc)), ::testing::SizeIs(3));
}

TEST_F(Combined, NothingIsImpliedThroughAPriceBand) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    market.set_price_band(price(1), price(99.99));
    EXPECT_THAT(trades(market.buy(carol, 1, at(20), x(), ioc)), IsEmpty());
}

TEST_F(Combined, OwnOrdersTakeNoPart) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    EXPECT_THAT(trades(market.buy(alice, 1, at(20), x(), ioc, cancel_newest)), IsEmpty());
    EXPECT_THAT(trades(market.buy(alice, 1, at(20), x(), ioc)), ::testing::SizeIs(3));
}

TEST_F(Combined, OrdersOutsideTheQueuesTakeNoPart) {
    market.sell(alice, 5, at(100), at_least(5));
    market.buy(bob, 5, at(80), in(2));
    EXPECT_THAT(trades(market.buy(carol, 5, at(20), x(), ioc)), IsEmpty());
    market.sell(dave, 5, at(101));
    EXPECT_THAT(trades(market.buy(carol, 5, at(21), x(), ioc)),
                ElementsAre("A#2 5@101.00 left 0 of X1", "B#1 5@80.00 left 0 of X1",
                            "X#2 5@21.00 left 0 takes of X1"));
}

TEST_F(Combined, AllOrNothingLooksAtItsOwnBook) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    market.buy(carol, 5, at(20), x(), fok)
        .expect({"accepted #3298534883329 5@20.00",
                 "cancelled fill_or_kill #3298534883329 5@20.00 left 0"});
    market.sell(dave, 5, at(21), x());
    // It trades at the better prices then.
    EXPECT_THAT(trades(market.buy(carol, 5, at(21), x(), fok)),
                ElementsAre("A#1 5@100.00 left 0 of X1", "B#1 5@80.00 left 0 of X1",
                            "X#3 5@20.00 left 0 takes of X1"));
}

TEST_F(Combined, PostOnlyKeepsOffImpliedPrices) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    market.buy(carol, 5, at(20), x(), post_only).expect_rejected(Reason::post_only_would_trade);
    market.buy(carol, 5, at(20), x(), post_only_reprice);
    EXPECT_THAT(market.depth(Side::buy, 4), ElementsAre("5@19.99 (1)"));
}

// Consequences.

TEST_F(Combined, AnOrderStoppedAtOwnOnesRestsBehindThoseOfItsBook) {
    market.sell(alice, 5, at(100));
    market.buy(alice, 5, at(80), in(2));  // they imply an ask of 20
    market.sell(bob, 5, at(110));
    market.sell(bob, 1, at(25), x());
    Command limits{};
    limits.kind = CommandKind::set_price_limits;
    limits.instrument = InstrumentId{4};
    limits.price_limits.on_own_cross = OnOwnCross::reprice;
    market.apply(limits);
    EXPECT_EQ(market.buy(bob, 1, at(30), x(), skip_own).events().back().price, price(24.99));
}

TEST_F(Combined, StopsOfTheLegsAreTriggered) {
    market.sell(alice, 5, at(100));
    market.buy(bob, 5, at(80), in(2));
    market.buy(dave, 2, stop(100));
    market.sell(dave, 3, at(79), in(2), stop(80));
    market.buy(bob, 3, at(79.50), in(2));
    const Outcome bought = market.buy(carol, 5, at(20), x());
    EXPECT_EQ(bought.count(EventKind::triggered), 2U);
    EXPECT_THAT(trades(bought),
                ElementsAre("A#1 5@100.00 left 0 of X1", "B#1 5@80.00 left 0 of X1",
                            "X#1 5@20.00 left 0 takes of X1", "B#3 3@79.50 left 0 of B1",
                            "B#2 3@79.50 left 0 takes of B1"));
}

TEST_F(Combined, TrailingStopsOfTheLegsFollow) {
    const auto trailing = [](Command& command) {
        command.flags |= CommandFlags::k_trailing;
        command.order.offset = price(4);
        command.order_type = OrderType::stop;
    };
    market.sell(alice, 1, at(100));
    market.buy(bob, 1, at(100));
    const std::uint64_t order = market.sell(dave, 5, trailing).id();
    market.sell(alice, 5, at(110));
    market.buy(bob, 5, at(80), in(2));
    market.buy(carol, 5, at(30), x());
    market.sell(alice, 1, at(106.01));
    market.buy(bob, 1, at(106.01));
    EXPECT_TRUE(has_flag(market.query(dave, order).last(), EventFlags::k_waiting));
    market.sell(alice, 1, at(106));
    EXPECT_EQ(market.buy(bob, 1, at(106)).count(EventKind::triggered), 1U);
}

TEST_F(Combined, OtherRatiosImplyAPriceOfTheSpreadAndOfLegsOfOne) {
    market.set_combination(6, CombinationKind::spread, {{a, 1}, {b, -2}, {c, 1}});
    market.sell(alice, 3, at(100));
    market.buy(bob, 3, at(60), in(2));
    market.buy(bob, 2, at(60), in(2));
    const OrderId ask = market.sell(alice, 9, at(50), in(3)).events().front().order_id;
    EXPECT_THAT(trades(market.buy(carol, 4, at(30), in(6))),
                ElementsAre("A#1 2@100.00 left 1 of Z1", "B#1 3@60.00 left 0 of Z1",
                            "B#2 1@60.00 left 1 of Z1", "C#1 2@50.00 left 7 of Z1",
                            "Z#1 2@30.00 left 2 takes of Z1"));
    market.cancel(alice, ask.value, in(3));
    // C's bid: Z's bid of 30, 60 for two of B, less A's ask of 100.
    market.buy(bob, 4, at(61), in(2));
    EXPECT_THAT(trades(market.sell(dave, 1, at(52), in(3))),
                ElementsAre("Z#1 1@30.00 left 1 of Z2", "A#1 1@100.00 left 0 of Z2",
                            "B#3 2@61.00 left 2 of Z2", "C#2 1@52.00 left 0 takes of Z2"));
}

// Set-up.

TEST_F(Combined, LegsMustFitTogether) {
    const auto refused = [&](CombinationKind kind,
                             std::initializer_list<CombinationDetails::Leg> legs) {
        market.set_combination(6, kind, legs).expect_rejected(Reason::invalid_legs);
    };
    refused(CombinationKind::none, {{a, 1}, {b, -1}});
    refused(CombinationKind{3}, {{a, 1}, {b, -1}});
    refused(CombinationKind::spread, {{a, 1}});
    refused(CombinationKind::spread, {{a, 1}, {a, -1}});
    refused(CombinationKind::spread, {{a, 1}, {{6}, -1}});
    refused(CombinationKind::spread, {{a, 1}, {{9}, -1}});
    refused(CombinationKind::spread, {{a, 1}, {{4}, -1}});
    refused(CombinationKind::spread, {{a, 1}, {b, 10'001}});
    refused(CombinationKind::spread, {{a, 1}, {b, -1}, {{}, 0}, {c, 1}});
    InstrumentDetails other = leg();
    other.shard_group = 2;
    market.add_instrument(7, other);
    other = leg();
    other.lot_size = Quantity{10};
    market.add_instrument(8, other);
    other = leg();
    other.tick_size = Price{50};
    market.add_instrument(9, other);
    other = leg();
    other.price_decimals = 2;
    market.add_instrument(10, other);
    for (const std::uint32_t id : {7U, 8U, 9U, 10U})
        refused(CombinationKind::spread, {{a, 1}, {{id}, -1}});
    market.set_combination(99, CombinationKind::spread, {{a, 1}, {b, -1}})
        .expect_rejected(Reason::unknown_instrument);
}

TEST_F(Combined, TheInstrumentMustBeUnused) {
    market.set_combination(4, CombinationKind::spread, {{b, 1}, {c, -1}})
        .expect_rejected(Reason::instrument_in_use);
    market.set_combination(1, CombinationKind::spread, {{b, 1}, {c, -1}})
        .expect_rejected(Reason::instrument_in_use);
    market.buy(alice, 1, at(1), in(6));
    market.set_combination(6, CombinationKind::spread, {{a, 1}, {c, -1}})
        .expect_rejected(Reason::instrument_in_use);
    // And its ticks stay as they are.
    for (const std::uint32_t id : {1U, 4U})
        market.add_tick_band(100, 0.05, id).expect_rejected(Reason::instrument_in_use);
}

TEST_F(Combined, ALegIsInAtMostEightCombinations) {
    market.add_instrument(7, leg());
    for (std::uint32_t id = 8; id < 16; ++id) {
        market.add_instrument(id, spread());
        market.set_combination(id, CombinationKind::spread, {{c, 1}, {{7}, -1}})
            .expect(id < 15
                        ? std::initializer_list<std::string_view>{"combination_set 0"}
                        : std::initializer_list<std::string_view>{"rejected combinations_full"});
    }
}

}  // namespace
}  // namespace damrak::combination_test
