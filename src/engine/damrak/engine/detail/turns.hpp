// Turns of waiting orders: elected stops, and orders that an own order stopped (rule book, section
// 10). A turn may cause further ones.
#pragma once

#include <algorithm>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/linked_orders.hpp>
#include <damrak/engine/detail/next_trade.hpp>

namespace damrak::detail {

// Triggers a stop, or an order that waited for another one: from now on it is a market or limit
// order.
DAMRAK_COLD inline void trigger(EngineState& engine, Incoming order) {
    order.terms.clear(OrderAttributes::k_pending | OrderAttributes::k_elected);
    const Listing listing =
        order.index != 0 ? extension_of(engine, order.index).listing : Listing::none;
    if (listing == Listing::trailing) delist(engine, order.index);
    if (listing == Listing::one_cancels_other) end_other(engine, order.index);
    order.terms.set_type(has_limit(order.terms.type()) ? OrderType::limit : OrderType::market);
    order.trail = 0;
    order.set_limit(order.tick);
    order.entry_id = order.id;
    order.has_room = engine.store.has_room_for_price();
    enter(engine, order, EventKind::triggered, 0);
}

// A stop whose price was already reached is triggered at once; any other waits, and all wait while
// orders collect.
DAMRAK_COLD inline void enter_stop(EngineState& engine, Incoming order, EventKind kind,
                                   std::uint64_t reference, Tick stop_tick) {
    InstrumentState& in = *order.in;
    const bool buy = order.terms.side() == Side::buy;
    const bool reached =
        in.last_trade != 0 && (buy ? in.last_trade >= stop_tick : in.last_trade <= stop_tick);
    if (reached && !in.collects()) {
        Event event = event_of(engine, order, kind, Reason::none);
        emit_entry(engine, event, order, reference);
        return trigger(engine, order);
    }
    order.terms.set(OrderAttributes::k_pending);
    Order& waiting = settle(engine, order);
    waiting.tick = stop_tick;
    in.stops.add(engine.store, order.index, in.book.next_arrival());
    add_tallies(engine, in, order.index);
    Event event = event_of(engine, in, waiting, kind, Reason::none);
    emit_entry(engine, event, order, reference);
}

// The turn of an elected order. A stop that waited for another order waits for its price from now
// on.
DAMRAK_COLD inline void take_turn(EngineState& engine, Incoming order) {
    Listing& listing = extension_of(engine, order.index).listing;
    const bool awake = listing == Listing::awake;
    if (awake) listing = Listing::none;
    if (!awake || !is_stop(order.terms.type())) return trigger(engine, order);
    if (engine.store.has_room_for_price())
        return enter_stop(engine, order, EventKind::triggered, 0,
                          engine.store.order(order.index).tick);
    Event event = event_of(engine, order, EventKind::triggered, Reason::none);
    emit_entry(engine, event, order, 0);
    drop_remainder(engine, order, Reason::levels_full);
}

// A new or replaced order waits until another one is filled.
DAMRAK_COLD inline void wait_for_other(EngineState& engine, Incoming& order, EventKind kind,
                                       std::uint64_t reference, Tick stop_tick) {
    InstrumentState& in = *order.in;
    order.terms.set(OrderAttributes::k_pending);
    Order& waiting = settle(engine, order);
    waiting.tick = is_stop(order.terms.type()) ? stop_tick : order.tick;
    in.stops.add_dependent(engine.store, order.index, in.book.next_arrival());
    add_tallies(engine, in, order.index);
    Event event = event_of(engine, in, waiting, kind, Reason::none);
    emit_entry(engine, event, order, reference);
}

// Whether the order would be stopped again before it trades. Own held orders stop nothing.
DAMRAK_COLD inline bool must_wait(const EngineState& engine, const InstrumentState& in,
                                  OrderIndex index) {
    const Order& order = engine.store.order(index);
    return next_trade(engine, {.in = &in,
                               .side = order.terms().side(),
                               .rule = order.terms().self_trade_prevention(),
                               .account = order.account,
                               .open = order.quantity,
                               .limit = price_key(opposite(order.terms().side()), order.tick)})
        .at_own;
}

// A stopped order that need not wait any longer, or zero. All waiting orders of a side have one
// owner, whose orders make the best price of the other side. So none is due until that price or the
// set of orders outside the queues changes. Only the order that this command stopped may belong to
// another owner.
DAMRAK_COLD inline OrderIndex next_released(const EngineState& engine, InstrumentState& in) {
    if (in.stopped_orders == 0 || !engine.store.has_room_for_price()) return 0;
    for (const Side side : {Side::buy, Side::sell}) {
        const AsideOrders& aside = in.book.aside(side);
        if (aside.empty()) continue;
        PriceKey& stopped_at = in.stopped_at[static_cast<std::size_t>(side)];
        const PriceKey best = touch(engine, in, opposite(side), Quantity{0});
        if (best == stopped_at) continue;
        const Order& latest = engine.store.order(engine.progress.latest_stopped);
        const bool has_latest = engine.progress.latest_stopped != 0 &&
                                latest.instrument == in.id() && latest.terms().side() == side;
        const auto is_due = [&](OrderIndex index) {
            return index != 0 && !must_wait(engine, in, index);
        };
        const OrderIndex first = aside.first(engine.store, {}, AsideOrders::k_not_held);
        const OrderIndex last = aside.last(engine.store, AsideOrders::k_not_held);
        if (is_due(first)) return first;
        if (last != first && is_due(last)) return last;
        if (has_latest && engine.progress.latest_stopped != first &&
            engine.progress.latest_stopped != last && is_due(engine.progress.latest_stopped))
            return engine.progress.latest_stopped;
        stopped_at = best;
    }
    return 0;
}

// A displayed pegged order that enters again has another id in the feeds, which this returns.
DAMRAK_COLD inline OrderId renew_public_id(EngineState& engine, Incoming& order) {
    if (order.terms.has(OrderAttributes::k_hidden)) return order.id;
    OrderId& id = extension_of(engine, order.index).public_id;
    id = order.in->next_public_id(order.in->id());
    order.keeps_public_id = true;
    return id;
}

// Enters the order again, without an entry event.
DAMRAK_COLD inline void enter_again(EngineState& engine, Incoming order) {
    if (order.peg.follows != PegReference::none) renew_public_id(engine, order);
    order.set_limit(order.tick);
    if (!order.in->is_ordinary()) limit_prices(engine, order);
    match_incoming(engine, order);
}

// Takes an open order out of its queue, to enter again in the same slot of memory.
inline Incoming withdraw(EngineState& engine, InstrumentState& in, OrderIndex index) {
    const Order& order = engine.store.order(index);
    Incoming again{&in,
                   order.id,
                   order.terms(),
                   order.account,
                   engine.owner_of(order),
                   open_of(engine, order)};
    again.tick = order.tick;
    again.executed = order.executed;
    again.index = index;
    if (order.extension != 0) {
        const OrderExtension& extension = engine.store.extension(order.extension);
        again.display = extension.display_quantity;
        if (order.terms().has(OrderAttributes::k_held)) again.minimum = extension.minimum;
        again.expire_time = extension.expire_time;
        if (order.terms().waiting()) again.tick = extension.limit_tick;
        if (extension.peg != PegReference::none) again.peg = peg_of(engine, order);
        if (extension.listing == Listing::trailing) again.trail = extension.offset();
        again.to_limit = extension.to_limit;
        again.imbalance_only = extension.imbalance_only;
    }
    if (in.seals(order) || is_for_auctions(order.terms().time_in_force()))
        again.terms.clear(OrderAttributes::k_hidden);
    unqueue(engine, in, index);
    again.terms.clear(OrderAttributes::k_held | OrderAttributes::k_aside |
                      OrderAttributes::k_pending | OrderAttributes::k_elected);
    return again;
}

// Moves pegged orders to the prices that they follow, as if they came in there: the hidden ones up
// to the first that may trade, or one that may.
DAMRAK_COLD inline void move_pegs(EngineState& engine, InstrumentState& in, OrderIndex first) {
    const OrderIndex index = move_hidden(engine, in, first);
    if (index != first) return;
    const Order& pegged = engine.store.order(index);
    in.pegs.to_move = engine.store.extension(pegged.extension).next;
    const Tick tick = peg_tick(in, in.pegs.followed, peg_of(engine, pegged));
    if (tick == 0)
        return end_order(engine, in, index, EventKind::cancelled, Reason::peg_reference_gone,
                         engine.key_of(pegged));
    Incoming order = withdraw(engine, in, index);
    order.set_limit(tick);
    enter(engine, order, EventKind::rested, renew_public_id(engine, order).value);
}

DAMRAK_COLD inline void take_own_turns(EngineState& engine, InstrumentState& in) {
    if (engine.progress.work != Work::none) return;
    for (;;) {
        if (!settle_due(engine, in)) return engine.suspend(Work::cascade, in);
        follow_trades(engine, in);
        if (!in.trades()) break;
        const OrderIndex released = next_released(engine, in);
        const OrderIndex first = released != 0 ? released : in.stops.first_elected(engine.store);
        const OrderIndex moved = first == 0 && in.pegs.first != 0 ? next_to_move(engine, in) : 0;
        if ((first | moved) == 0) break;
        if (engine.events_left() < k_event_margin) return engine.suspend(Work::cascade, in);
        engine.progress.turning = released;
        if (moved != 0)
            move_pegs(engine, in, moved);
        else if (released != 0)
            enter_again(engine, withdraw(engine, in, first));
        else
            take_turn(engine, withdraw(engine, in, first));
        if (engine.progress.work != Work::none) return;
    }
    engine.progress.latest_stopped = 0;
    engine.progress.turning = 0;
}

// Those of the instrument, and then of orders at rest that wait for an implied price.
DAMRAK_COLD inline void take_turns_of(EngineState& engine, InstrumentState& in) {
    // The slice ended within a trade of the latter.
    if (engine.progress.across.waiting == 0) take_own_turns(engine, in);
    if (engine.progress.work == Work::none && in.combined() && !trade_waiting(engine, in))
        engine.suspend(Work::cascade, in);
}

// Those of the instrument, and then of others with whose orders an order of a combination traded.
DAMRAK_COLD inline void take_turns(EngineState& engine, InstrumentState& in) {
    take_turns_of(engine, in);
    while (engine.progress.work == Work::none && engine.combinations.any_due())
        take_turns_of(engine, begin_due_turns(engine));
}

// Runs the turns of released orders and elected stops; each may cause further ones.
DAMRAK_HOT void cascade(EngineState& engine, InstrumentState& in) {
    if (in.has_waiting()) [[unlikely]]
        take_turns(engine, in);
}

// Orders have left the instrument: the orders that they stopped take their turns. False if the
// slice is full; the next one continues with these turns and then with `behind`.
inline bool release_stopped(EngineState& engine, InstrumentState& in, Work behind = Work::none) {
    if (!in.follows_leaving()) [[likely]]
        return true;
    cascade(engine, in);
    if (engine.progress.work == Work::none) return true;
    engine.progress.behind = behind;
    return false;
}

}  // namespace damrak::detail
