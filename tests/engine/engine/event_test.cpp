// The fields of events: rule book, section 3, and the table of domain/event.hpp.

#include <map>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::event_test {
namespace {

using namespace terms;

struct EventFields : ::testing::Test {
    Market market;
};

TEST_F(EventFields, OfAnAcceptedOrderNameItsTerms) {
    const Event event = market.sell(bob, 100, at(10.00), gtc, client_id(77), hidden).last();
    EXPECT_EQ(event, (Event{.kind = EventKind::accepted,
                            .command = CommandKind::new_order,
                            .side = Side::sell,
                            .order_type = OrderType::limit,
                            .time_in_force = TimeInForce::gtc,
                            .flags = EventFlags::k_on_book | EventFlags::k_hidden,
                            .instrument = InstrumentId{1},
                            .participant = bob,
                            .order_id = OrderId{1},
                            .reference = 77,
                            .price = price(10.00),
                            .quantity = Quantity{100},
                            .remaining = Quantity{100}}));
}

// "`rejected` repeats the fields of the command as they came; its other fields are zero."
TEST_F(EventFields, OfARejectRepeatTheCommand) {
    const Event event =
        market
            .buy({99}, -5, at(-3), client_id(77), id(8), in(9), ioc, rule(SelfTradePrevention{200}))
            .last();
    EXPECT_EQ(event, (Event{.kind = EventKind::rejected,
                            .command = CommandKind::new_order,
                            .side = Side::buy,
                            .order_type = OrderType::limit,
                            .time_in_force = TimeInForce::ioc,
                            .reason = Reason::unknown_instrument,
                            .instrument = InstrumentId{9},
                            .participant = ParticipantId{99},
                            .order_id = OrderId{8},
                            .reference = 77,
                            .price = price(-3),
                            .quantity = Quantity{-5}}));
}

TEST_F(EventFields, OfBothSidesOfATradeNameTheirOwners) {
    market.sell(bob, 100, at(10.00), gtc, client_id(1));
    const Outcome outcome = market.buy(alice, 30, at(10.05), ioc, client_id(2));
    EXPECT_EQ(outcome.events()[1], (Event{.kind = EventKind::executed,
                                          .command = CommandKind::new_order,
                                          .side = Side::sell,
                                          .time_in_force = TimeInForce::gtc,
                                          .flags = EventFlags::k_on_book,
                                          .instrument = InstrumentId{1},
                                          .participant = bob,
                                          .order_id = OrderId{1},
                                          .reference = 1,
                                          .price = price(10.00),
                                          .quantity = Quantity{30},
                                          .remaining = Quantity{70},
                                          .displayed = Quantity{70}}));
    EXPECT_EQ(outcome.events()[2], (Event{.kind = EventKind::executed,
                                          .command = CommandKind::new_order,
                                          .side = Side::buy,
                                          .time_in_force = TimeInForce::ioc,
                                          .flags = EventFlags::k_aggressor,
                                          .instrument = InstrumentId{1},
                                          .participant = alice,
                                          .order_id = OrderId{2},
                                          .reference = 1,
                                          .price = price(10.00),
                                          .quantity = Quantity{30}}));
}

TEST_F(EventFields, CarryTheKindOfTheCommandThatCausedThem) {
    market.buy(alice, 10, at(9.00), stop(10.00));
    market.sell(bob, 5, at(10.00));
    market.buy(carol, 10, at(9.50));
    const Outcome outcome = market.replace(carol, 3, 10, at(10.00));
    for (const Event& event : outcome.events())
        EXPECT_EQ(event.command, CommandKind::replace_order);
    EXPECT_EQ(outcome.count(EventKind::triggered), 1U);
}

TEST_F(EventFields, AboutAnInstrumentHaveNoOtherFields) {
    EXPECT_EQ(market.set_state(TradingState::halted).last(),
              (Event{.kind = EventKind::trading_state_changed,
                     .command = CommandKind::set_trading_state,
                     .instrument = InstrumentId{1},
                     .quantity = Quantity{1}}));
    EXPECT_EQ(market.add_instrument(2, Market::stock()).last(),
              (Event{.kind = EventKind::instrument_added,
                     .command = CommandKind::add_instrument,
                     .instrument = InstrumentId{2}}));
    EXPECT_EQ(market.add_tick_band(100, 0.05, 2).last(),
              (Event{.kind = EventKind::tick_band_added,
                     .command = CommandKind::add_tick_band,
                     .instrument = InstrumentId{2}}));
}

TEST_F(EventFields, AboutAParticipantHaveNoOtherFields) {
    EXPECT_EQ(market.set_limits(bob, {.open_orders = 5}).last(),
              (Event{.kind = EventKind::limits_set,
                     .command = CommandKind::set_limits,
                     .participant = bob}));
    EXPECT_EQ(market.set_state(bob, ParticipantState::blocked).events()[0],
              (Event{.kind = EventKind::participant_state_changed,
                     .command = CommandKind::set_participant_state,
                     .participant = bob,
                     .quantity = Quantity{1}}));
}

TEST_F(EventFields, OfAMassCancelRepeatTheSelectionOfTheCommand) {
    market.buy(alice, 1, at(10.00));
    const auto of_alice = [](Command& command) { command.participant = alice; };
    EXPECT_EQ(market.mass_cancel(in(1), of_alice).last(),
              (Event{.kind = EventKind::mass_cancelled,
                     .command = CommandKind::mass_cancel,
                     .instrument = InstrumentId{1},
                     .participant = alice,
                     .quantity = Quantity{1}}));
}

// The events are sufficient to rebuild the public book: after each command the sum of `displayed`
// over the orders on the book equals the depth of the book.
TEST_F(EventFields, AreEnoughToRebuildTheDepth) {
    struct Shown {
        Side side{};
        Price price{};
        Quantity quantity{};
    };
    std::map<OrderId, Shown> shown;
    const auto follow = [&](const Outcome& outcome) {
        for (const Event& event : outcome.events()) {
            if (event.kind == EventKind::rejected || !event.order_id) continue;
            if (event.kind == EventKind::replaced) shown.erase(event.order_id);
            const OrderId order =
                event.kind == EventKind::replaced ? event.new_order_id() : event.order_id;
            if (has_flag(event, EventFlags::k_on_book)) {
                // An execution has the price of the trade, which is also that of the resting order.
                shown[order] = {event.side, event.price, event.displayed};
            } else {
                shown.erase(order);
            }
        }
        for (const Side side : {Side::buy, Side::sell}) {
            std::map<Price, std::pair<Quantity, int>> levels;
            for (const auto& [order, it] : shown) {
                if (it.side != side || it.quantity.value == 0) continue;
                levels[it.price].first += it.quantity;
                ++levels[it.price].second;
            }
            std::vector<std::string> lines;
            for (const auto& [at_price, level] : levels)
                lines.push_back(std::to_string(level.first.value) + "@" + price_text(at_price) +
                                " (" + std::to_string(level.second) + ")");
            if (side == Side::buy) std::ranges::reverse(lines);
            EXPECT_EQ(market.depth(side), lines);
        }
    };
    follow(market.sell(bob, 100, at(10.00), showing(10)));
    follow(market.sell(carol, 20, at(10.00)));
    follow(market.sell(carol, 20, at(10.00), hidden));
    follow(market.sell(carol, 20, at(10.01), at_least(5)));
    follow(market.buy(alice, 40, at(10.00)));
    follow(market.buy(alice, 15, at(9.99), stop(10.00)));
    follow(market.replace(bob, 1, 200, at(10.02)));
    follow(market.replace(carol, 3, 5, at(10.00)));
    follow(market.buy(alice, 300, at(10.02), skip_own));
    follow(market.sell(dave, 7, at(10.00), post_only_reprice));
    follow(market.cancel_part(dave, 12, 3));
    follow(market.mass_cancel());
}

// Conservation: of every order, quantity = filled + cancelled + remaining.
TEST_F(EventFields, AddUpToTheQuantityOfTheOrder) {
    market.buy(alice, 100, at(10.00), showing(30));
    std::int64_t gone = 0;
    const auto count = [&](const Outcome& outcome) {
        for (const Event& event : outcome.events()) {
            if (event.order_id != OrderId{1}) continue;
            if (event.kind == EventKind::executed || event.kind == EventKind::cancelled)
                gone += event.quantity.value;
            EXPECT_EQ(event.remaining.value, 100 - gone);
        }
    };
    count(market.sell(bob, 12, at(10.00)));
    count(market.cancel_part(alice, 1, 5));
    count(market.sell(bob, 50, at(9.00)));
    count(market.sell(alice, 8, at(9.00), decrement));
    count(market.cancel(alice, 1));
    EXPECT_EQ(gone, 100);
}

}  // namespace
}  // namespace damrak::event_test
