// Cancel, replace and query of one order (rule book, section 11).
#pragma once

#include <algorithm>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/checks.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/linked_orders.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

// end_order() for plain orders of ordinary instruments and participants with usual open values.
DAMRAK_HOT void cancel_plain(EngineState& engine, InstrumentState& in, OrderIndex index,
                             ParticipantId owner, OrderIdMap::Key key) {
    const Order& order = engine.store.order(index);
    const OrderId id = order.id;
    const OrderAttributes terms = order.terms();
    const Quantity quantity = order.quantity;
    const Price price = in.price_at(order.tick);  // above zero
    const InstrumentId instrument = order.instrument;
    in.orders_hash -= hash_of<Shape::plain>(engine, order);
    engine.accounts.remove_open<true>(owner, order.account, terms.side(), quantity,
                                      price.value * quantity.value);
    in.book.remove(engine.store, index);
    forget<Shape::plain>(engine, index, key);
    engine.emit(make_event(
        EventHead::of(EventKind::cancelled, CommandKind::cancel_order, terms, Reason::requested, 0),
        {.instrument = instrument,
         .participant = owner,
         .order_id = id,
         .price = price,
         .quantity = quantity}));
}

// Of any order, whole or in part.
DAMRAK_COLD inline Reason cancel_special(EngineState& engine, InstrumentState& in, OrderIndex index,
                                         const Command& command, OrderIdMap::Key key) {
    if (const Reason reason = check_changes(in, engine.store.order(index)); reason != Reason::none)
        return reason;
    if (command.quantity.value < 0) return Reason::invalid_quantity;
    if (!in.on_lot(command.quantity)) return Reason::quantity_off_lot;
    const bool whole = command.quantity.value == 0 ||
                       command.quantity >= open_of(engine, engine.store.order(index));
    if (whole)
        end_order(engine, in, index, EventKind::cancelled, Reason::requested, key);
    else
        cancel_part(engine, in, index, command.quantity, Reason::requested);
    release_stopped(engine, in);
    return Reason::none;
}

inline Reason cancel_order(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (command.flags != 0) return Reason::invalid_flags;
    OrderIndex index = 0;
    if (const Reason reason = find_own(engine, command, key, index); reason != Reason::none)
        return reason;
    if (command.quantity.value == 0 && in->is_ordinary() && engine.store.order(index).is_plain() &&
        !engine.accounts.participant(command.participant).exceeds) [[likely]] {
        cancel_plain(engine, *in, index, command.participant, key);
        release_stopped(engine, *in);
        return Reason::none;
    }
    return cancel_special(engine, *in, index, command, key);
}

// The id of an order after it lost its priority.
DAMRAK_HOT OrderId replaced_id(EngineState& engine, InstrumentState& in, const Command& command) {
    if (engine.config.order_id_source == OrderIdSource::command || command.new_order_id) [[likely]]
        return command.new_order_id;
    return has_private_id(engine, command.order_id) ? engine.next_private_id(command.instrument)
                                                    : in.next_public_id(command.instrument);
}

inline void rename(EngineState& engine, OrderIndex index, OrderId id) {
    Order& order = engine.store.order(index);
    engine.store.ids.erase(engine.store.ids.key_of(order.instrument, order.id), index);
    order.id = id;
    engine.store.ids.insert(engine.store.ids.key_of(order.instrument, id), index);
    if (order.extension == 0) return;
    tell_other(engine, index);
    if (engine.store.extension(order.extension).expire_time.value != 0)
        engine.expiries.refresh(engine.store, index);
}

inline void replace_in_place(EngineState& engine, InstrumentState& in, OrderIndex index,
                             Quantity open) {
    const Order& order = engine.store.order(index);
    if (const Quantity less = open_of(engine, order) - open; less.value > 0)
        take_away(engine, in, index, less);
    Event event = event_of(engine, in, order, EventKind::replaced, Reason::none);
    event.reference = order.id.value;
    engine.emit(event);
}

inline void replace_anew(EngineState& engine, InstrumentState& in, OrderIndex index,
                         const Command& command, Quantity open, Tick tick, bool repriced) {
    const bool stop = is_stop(engine.store.order(index).terms().type());
    const bool waits = waits_for_other(engine, engine.store.order(index));
    const Tick stop_tick = in.tick_of(stop_price_of(in, engine.store.order(index), command));
    Incoming order = withdraw(engine, in, index);
    order.open = open;
    order.minimum = std::min(order.minimum, open);
    // A pegged order does not stand at the limit that was asked for.
    order.repriced = repriced || order.peg.follows != PegReference::none;
    if (order.peg.follows != PegReference::none) order.peg.limit = in.tick_of(command.price);
    order.id = replaced_id(engine, in, command);
    if (order.id != order.entry_id) rename(engine, index, order.id);
    order.set_limit(tick);
    if (is_for_auctions(order.terms.time_in_force()))
        enter_auction_order(engine, order, EventKind::replaced, order.id.value);
    else if (waits)
        wait_for_other(engine, order, EventKind::replaced, order.id.value, stop_tick);
    else if (stop)
        enter_stop(engine, order, EventKind::replaced, order.id.value, stop_tick);
    else
        enter(engine, order, EventKind::replaced, order.id.value);
}

// replace_anew() for a plain order that meets no order on the other side.
DAMRAK_HOT void move_plain(EngineState& engine, InstrumentState& in, OrderIndex index,
                           const Command& command, Quantity open, Tick tick) {
    Order& order = engine.store.order(index);
    const OrderAttributes terms = order.terms();
    const Price price = command.price;
    const ParticipantId participant = command.participant;
    const OrderId old_id = order.id;
    const OrderId id = replaced_id(engine, in, command);
    engine.accounts.change_open(
        participant, order.account, terms.side(), open - order.quantity,
        price.value * open.value - value_of<Shape::plain>(engine, in, order, order.quantity));
    in.orders_hash -= hash_of<Shape::plain>(engine, order);
    in.book.remove(engine.store, index);
    if (id != old_id) [[unlikely]]
        rename(engine, index, id);
    order.quantity = open;
    order.tick = tick;
    order.rank = in.book.next_rank(terms);
    in.orders_hash += hash_of<Shape::plain>(engine, order);
    in.book.add_ranked<Shape::plain>(engine.store, index, terms, tick);
    engine.emit(make_event(EventHead::of(EventKind::replaced, CommandKind::replace_order, terms,
                                         Reason::none, EventFlags::k_on_book),
                           {.instrument = command.instrument,
                            .participant = participant,
                            .order_id = old_id,
                            .reference = id.value,
                            .price = price,
                            .remaining = open,
                            .displayed = open}));
}

template <Shape k_shape = Shape::any>
inline Reason replace(EngineState& engine, InstrumentState& in, OrderIndex index,
                      const Command& command) {
    const Order& order = engine.store.order(index);
    const OrderAttributes terms = order.terms();
    Quantity open;
    Tick tick = 0;
    if (const Reason reason = check_replace<k_shape>(engine, command, in, order, open, tick);
        reason != Reason::none)
        return reason;
    if (k_shape == Shape::any)
        if (const Reason reason = check_change(engine, order, tick); reason != Reason::none)
            return reason;

    const bool same_stop = k_shape == Shape::plain || !is_stop(terms.type()) ||
                           in.price_of(order.tick) == stop_price_of(in, order, command);
    const bool pegged = k_shape == Shape::any && is_pegged(engine, order);
    const Price limit = pegged ? in.price_of(engine.store.extension(order.extension).limit_tick)
                               : limit_price<k_shape>(engine, in, order);
    const bool in_place = limit == command.price && same_stop &&
                          open <= open_of<k_shape>(engine, order) &&
                          !has_flag(command, CommandFlags::k_lose_priority);
    if (in_place) {
        replace_in_place(engine, in, index, open);
    } else if (!engine.store.has_room_for_price()) {
        return Reason::levels_full;
    } else if (check_share(engine, command.participant, is_short_of_prices(engine)) !=
               Reason::none) {
        return Reason::anonymous_share;
    } else if (k_shape == Shape::plain) {
        const Side resting = opposite(terms.side());
        if (in.book.side(resting).best_key() > price_key(resting, tick) && !in.unusual())
            [[likely]] {
            move_plain(engine, in, index, command, open, tick);
            return Reason::none;
        }
        replace_anew(engine, in, index, command, open, tick, false);
    } else {
        // It could not be distinguished from the orders that the call hides.
        if (in.sealed && terms.has(OrderAttributes::k_hidden) && !in.seals(order) &&
            !is_for_auctions(terms.time_in_force()))
            return Reason::not_in_phase;
        if (pegged) {
            Peg peg = peg_of(engine, order);
            peg.limit = tick;
            if (const Reason reason = check_peg_price(engine, in, peg, tick);
                reason != Reason::none)
                return reason;
        }
        bool repriced = false;
        if (const Reason reason = check_post_only(engine, in, terms, open, tick, repriced);
            reason != Reason::none)
            return reason;
        const PriceTerms prices{.side = terms.side(),
                                .type = terms.type(),
                                .waits = is_stop(terms.type()) && !waits_for_other(engine, order),
                                .limit = pegged ? in.price_of(tick) : command.price,
                                .stop = stop_price_of(in, order, command)};
        if (const Reason reason = check_price_limits(in, prices); reason != Reason::none)
            return reason;
        if (repriced)
            if (const Reason reason =
                    check_exposure<k_shape>(engine, in, order, open, in.price_of(tick));
                reason != Reason::none)
                return reason;
        replace_anew(engine, in, index, command, open, tick, repriced);
    }
    cascade(engine, in);
    return Reason::none;
}

inline Reason replace_order(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if ((command.flags & ~CommandFlags::k_replace_bits) != 0) return Reason::invalid_flags;
    OrderIndex index = 0;
    if (const Reason reason = find_own(engine, command, key, index); reason != Reason::none)
        return reason;
    return engine.store.order(index).is_plain() && in->is_ordinary()
               ? replace<Shape::plain>(engine, *in, index, command)
               : replace<Shape::any>(engine, *in, index, command);
}

inline Reason query_order(EngineState& engine, const Command& command, OrderIdMap::Key key) {
    const InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    OrderIndex index = 0;
    if (const Reason reason = find_own(engine, command, key, index); reason != Reason::none)
        return reason;
    const Order& order = engine.store.order(index);
    Event event = event_of(engine, *in, order, EventKind::order_status, Reason::none);
    event.reference = command.client_order_id.value;
    event.quantity = order.executed;
    engine.emit(event);
    return Reason::none;
}

}  // namespace damrak::detail
