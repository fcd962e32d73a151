// Entry of an order (rule book, section 4): it enters, matches, and comes to rest.
#pragma once

#include <algorithm>
#include <utility>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/available.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/linked_orders.hpp>
#include <damrak/engine/detail/matching.hpp>
#include <damrak/engine/detail/pegs.hpp>
#include <damrak/engine/detail/price_limits.hpp>
#include <damrak/engine/detail/trailing_stops.hpp>

namespace damrak::detail {

DAMRAK_COLD inline void extend(EngineState& engine, Incoming& order, Order& resting) {
    const bool fresh = resting.extension == 0;
    if (fresh) {
        resting.extension = engine.store.extension_pool.take();
        engine.store.extension(resting.extension) = {};
    }
    OrderExtension& extension = engine.store.extension(resting.extension);
    // Undisplayed orders have no slices.
    if (order.display.value > 0 && !order.terms.undisplayed())
        resting.quantity = std::min(order.open, order.display);
    extension.reserve = order.open - resting.quantity;
    extension.display_quantity = order.display;
    const bool is_shown = !order.terms.undisplayed() && !order.terms.waiting();
    if (!order.keeps_public_id)
        extension.public_id = is_shown && has_private_id(engine, order.id)
                                  ? order.in->next_public_id(order.in->id())
                                  : order.id;
    order.id = extension.public_id;  // from now on it is only for the feeds
    if (!is_link(extension.listing))
        extension.minimum = order.terms.has(OrderAttributes::k_held) ? order.minimum : Quantity{0};
    extension.limit_tick = order.terms.waiting() ? order.tick : order.peg.limit;
    extension.expire_time = order.expire_time;
    extension.imbalance_only = order.imbalance_only;
    if (order.peg.follows != PegReference::none) {
        extension.set_offset(order.peg.offset);
        if (fresh) enlist_peg(engine, order);
    }
    extension.to_limit = order.to_limit;
    if (order.trail != 0) {
        extension.set_offset(order.trail);
        if (fresh) enlist(engine, order.index, Listing::trailing);
    }
    if (fresh && order.expire_time.value != 0) engine.expiries.insert(engine.store, order.index);
}

// Whether the order keeps its extension for a link or as a side of a quote.
inline bool keeps_extension(const EngineState& engine, const Order& order) {
    if (order.extension == 0) return false;
    const Listing listing = engine.store.extension(order.extension).listing;
    return listing == Listing::quote || is_link(listing);
}

DAMRAK_COLD inline void settle_extension(EngineState& engine, Incoming& order, Order& resting,
                                         bool wanted) {
    if (resting.extension != 0) cut_other(engine, order.index, order.executed - resting.executed);
    if (wanted || keeps_extension(engine, resting))
        extend(engine, order, resting);
    else
        release_extension(engine, order.index);
}

// Allocates memory and an extension for an order before it enters, because a link or a quote refers
// to it from then on.
DAMRAK_COLD inline OrderExtension& prepare(EngineState& engine, Incoming& order) {
    order.index = engine.store.order_pool.take();
    Order& prepared = engine.store.order(order.index);
    prepared = {};
    prepared.id = order.id;
    prepared.rank = order.terms.bits();
    prepared.account = order.account;
    prepared.instrument = order.in->id();
    prepared.extension = engine.store.extension_pool.take();
    engine.store.ids.insert(order.key, order.index);
    OrderExtension& extension = engine.store.extension(prepared.extension) = {};
    extension.expire_time = order.expire_time;
    if (order.expire_time.value != 0) engine.expiries.insert(engine.store, order.index);
    return extension;
}

// Allocates memory for the order if it has none yet, and an extension if it needs one.
template <Shape k_shape = Shape::any>
DAMRAK_HOT Order& settle(EngineState& engine, Incoming& order) {
    if (order.index == 0) [[likely]] {
        order.index = engine.store.order_pool.take();
        Order& fresh = engine.store.order(order.index);
        fresh.id = order.id;
        fresh.instrument = order.in->id();
        fresh.extension = 0;
        engine.store.ids.insert(order.key, order.index);
    }
    Order& resting = engine.store.order(order.index);
    resting.quantity = order.open;
    resting.tick = order.tick;
    resting.rank = order.terms.bits();
    resting.account = order.account;
    if (k_shape == Shape::plain) {
        resting.executed = order.executed;
        return resting;
    }
    const bool extended = order.terms.has(OrderAttributes::k_pending | OrderAttributes::k_held) ||
                          order.display.value > 0 || order.expire_time.value != 0 ||
                          order.peg.follows != PegReference::none || order.to_limit ||
                          is_for_auctions(order.terms.time_in_force()) ||
                          needs_public_id(engine, order.id, order.terms, order.in->sealed);
    if (extended || resting.extension != 0) [[unlikely]]
        settle_extension(engine, order, resting, extended);
    resting.executed = order.executed;
    return resting;
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT void rest(EngineState& engine, Incoming& order) {
    InstrumentState& in = *order.in;
    const Order& resting = settle<k_shape>(engine, order);
    if (k_shape == Shape::any && order.terms.has(OrderAttributes::k_aside)) [[unlikely]] {
        count_aside(engine, in, order.index, 1);
        in.book.add_aside(engine.store, order.index);
    } else {
        in.book.add(engine.store, order.index, reserve_of<k_shape>(engine, resting));
    }
    if (k_shape == Shape::any && in.ruled) [[unlikely]]
        note_top(engine, in, order.index);
    add_tallies<k_shape>(engine, in, order.index);
}

// Whether the remainder of the order may rest.
DAMRAK_HOT bool may_rest(const Incoming& order) {
    return order.terms.type() == OrderType::limit && !is_immediate(order.terms.time_in_force()) &&
           order.has_room;
}

inline void rest_remainder(EngineState& engine, Incoming& order) {
    rest(engine, order);
    const Order& resting = engine.store.order(order.index);
    Event event = event_of(engine, *order.in, resting, EventKind::rested, Reason::none);
    event.reference = order.id.value;
    engine.emit(event);
}

// Whether the order is displayed once it rests, under an id that its own does not tell.
inline bool comes_into_sight(const EngineState& engine, const Incoming& order) {
    return has_private_id(engine, order.id) && !order.terms.undisplayed();
}

// Comes to rest after its entry event, as `rested` tells the public id.
DAMRAK_COLD inline void come_into_sight(EngineState& engine, Incoming& order, EventKind kind,
                                        std::uint64_t reference) {
    Event event = event_of(engine, order, kind, Reason::none);
    if (order.repriced) event.flags |= EventFlags::k_repriced;
    emit_entry(engine, event, order, reference);
    rest_remainder(engine, order);
}

// At prices that are not allowed, where it trades with nobody: its own orders may end there, or end
// or stop it.
DAMRAK_COLD inline Matched meet_own_beyond(EngineState& engine, Incoming& order) {
    const PriceKey allowed = std::exchange(order.limit_key, order.own_key);
    const Matched matched = match_own_book(engine, order);
    order.limit_key = allowed;
    return matched;
}

// Matches, and treats the remainder; a full slice leaves the rest to the next one.
inline void match_incoming(EngineState& engine, Incoming& order) {
    bool stopped = false;
    Matched matched = match(engine, order);
    if (matched == Matched::done && order.open.value > 0 && order.limit_key < order.own_key)
        [[unlikely]] {
        if (breaches(engine, order)) return breach(engine, order);
        matched = meet_own_beyond(engine, order);
    }
    switch (matched) {
        case Matched::done:
            break;
        case Matched::cancelled:
            return abandon(engine, order);
        case Matched::stopped:
            stopped = order.open.value > 0;
            break;
        case Matched::out_of_events:
            engine.progress.suspended.order = order;
            return engine.suspend(Work::matching, *order.in);
    }
    if (order.open.value == 0) return finish(engine, order);
    if (!may_rest(order)) return drop_remainder(engine, order, order.reason_to_drop());
    if (stopped && !settle_own_cross(engine, order))
        return drop_remainder(engine, order, Reason::own_order);
    rest_remainder(engine, order);
}

DAMRAK_COLD inline void enter_crossing(EngineState& engine, Incoming& order) {
    if (order.terms.time_in_force() == TimeInForce::fok && !available(engine, order, order.open))
        return drop_remainder(engine, order, Reason::fill_or_kill);
    if (order.minimum.value > 0) [[unlikely]] {
        if (!available(engine, order, order.minimum)) {
            if (!may_rest(order)) return drop_remainder(engine, order, Reason::minimum_quantity);
            hold(order);
            return rest_remainder(engine, order);
        }
        order.minimum = Quantity{0};
    }
    match_incoming(engine, order);
}

// Comes to rest without trading. Market orders rest outside the queues, without a price; in a
// sealed call nothing is displayed.
DAMRAK_COLD inline void collect(EngineState& engine, Incoming& order, EventKind kind,
                                std::uint64_t reference) {
    if (order.terms.type() == OrderType::market)
        order.terms.set(OrderAttributes::k_aside);
    else if (order.minimum.value > 0)
        hold(order);
    else if (order.in->sealed)
        order.terms.set(OrderAttributes::k_hidden);
    if (comes_into_sight(engine, order)) return come_into_sight(engine, order, kind, reference);
    rest(engine, order);
    Event event = event_of(engine, *order.in, engine.store.order(order.index), kind, Reason::none);
    emit_entry(engine, event, order, reference);
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT void enter(EngineState& engine, Incoming& order, EventKind kind,
                      std::uint64_t reference) {
    if (k_shape == Shape::any && !order.in->is_ordinary()) [[unlikely]] {
        if (order.in->collects()) return collect(engine, order, kind, reference);
        limit_prices(engine, order);
        if (order.in->combination == CombinationKind::basket)
            return enter_basket(engine, order, kind, reference);
    }
    const bool rests = may_rest(order);
    bool crosses = touch(engine, *order.in, order.resting_side(), order.open) <= order.own_key;
    if (k_shape == Shape::any && order.in->ruled) [[unlikely]]
        crosses |= implied_touch(engine, taker_of(order)) <= order.own_key;
    if (!crosses && rests) [[likely]] {
        if (k_shape == Shape::any && order.minimum.value > 0) hold(order);
        if (k_shape == Shape::any && comes_into_sight(engine, order)) [[unlikely]]
            return come_into_sight(engine, order, kind, reference);
        rest<k_shape>(engine, order);
        Event event = event_of<k_shape>(engine, *order.in, engine.store.order(order.index), kind,
                                        Reason::none);
        if (k_shape == Shape::any && order.repriced) event.flags |= EventFlags::k_repriced;
        return emit_entry(engine, event, order, reference);
    }
    Event event = event_of(engine, order, kind, Reason::none);
    if (k_shape == Shape::any && order.repriced) event.flags |= EventFlags::k_repriced;
    emit_entry(engine, event, order, reference);
    if (crosses) return enter_crossing(engine, order);
    drop_remainder(engine, order,
                   order.terms.time_in_force() == TimeInForce::fok ? Reason::fill_or_kill
                   : order.minimum.value > 0                       ? Reason::minimum_quantity
                                                                   : order.reason_to_drop());
}

}  // namespace damrak::detail
