// Cancel, replace and query of one order (rule book, section 11).
#pragma once

#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

inline Reason Engine::cancel_order(const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (command.flags != 0) return Reason::invalid_flags;
    OrderIndex index = 0;
    if (const Reason reason = find_own(command, key, index); reason != Reason::none) return reason;
    if (command.quantity.value == 0) [[likely]] {
        if (store_.order(index).is_plain()) [[likely]]
            cancel_plain(*in, index, command.participant, key);
        else
            cancel_special(*in, index, key);
        release_stopped(*in);
        return Reason::none;
    }
    if (command.quantity.value < 0) return Reason::invalid_quantity;
    if (!in->on_lot(command.quantity)) return Reason::quantity_off_lot;
    if (command.quantity >= open_of(store_.order(index)))
        cancel_special(*in, index, key);
    else
        cancel_part(*in, index, command.quantity, Reason::requested);
    release_stopped(*in);
    return Reason::none;
}

// The short way of end_order().
DAMRAK_HOT void Engine::cancel_plain(InstrumentState& in, OrderIndex index, ParticipantId owner,
                                     OrderIdMap::Key key) {
    const Order& order = store_.order(index);
    const OrderId id = order.id;
    const OrderAttributes terms = order.terms();
    const Quantity quantity = order.quantity;
    const Price price = in.price_of(order.tick);
    const InstrumentId instrument = order.instrument;
    in.orders_hash -= hash_of<Shape::plain>(order);
    accounts_.remove_open(owner, order.account, terms.side(), quantity,
                          price.value * quantity.value);
    in.book.remove(store_, index);
    forget<Shape::plain>(index, key);
    emit(detail::make_event(detail::EventHead::of(EventKind::cancelled, CommandKind::cancel_order,
                                                  terms, Reason::requested, 0),
                            {.instrument = instrument,
                             .participant = owner,
                             .order_id = id,
                             .price = price,
                             .quantity = quantity}));
}

DAMRAK_COLD inline void Engine::cancel_special(InstrumentState& in, OrderIndex index,
                                               OrderIdMap::Key key) {
    end_order(in, index, EventKind::cancelled, Reason::requested, key);
}

inline Reason Engine::replace_order(const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if ((command.flags & ~CommandFlags::k_replace_bits) != 0) return Reason::invalid_flags;
    OrderIndex index = 0;
    if (const Reason reason = find_own(command, key, index); reason != Reason::none) return reason;
    return store_.order(index).is_plain() ? replace<Shape::plain>(*in, index, command)
                                          : replace<Shape::any>(*in, index, command);
}

template <Shape k_shape>
inline Reason Engine::replace(InstrumentState& in, OrderIndex index, const Command& command) {
    const Order& order = store_.order(index);
    const OrderAttributes terms = order.terms();
    Quantity open;
    Tick tick = 0;
    if (const Reason reason = check_replace<k_shape>(command, in, order, open, tick);
        reason != Reason::none)
        return reason;

    const bool same_stop = k_shape == Shape::plain || !terms.waiting() ||
                           in.price_of(order.tick) == command.order.stop_price;
    const bool in_place = limit_price<k_shape>(in, order) == command.price && same_stop &&
                          open <= open_of<k_shape>(order) &&
                          !has_flag(command, CommandFlags::k_lose_priority);
    if (in_place) {
        replace_in_place(in, index, open);
    } else if (!store_.has_room_for_price()) {
        return Reason::levels_full;
    } else if (check_share(command.participant, is_short_of_prices()) != Reason::none) {
        return Reason::anonymous_share;
    } else if (k_shape == Shape::plain) {
        const Side resting = opposite(terms.side());
        if (in.book.side(resting).best_key() > price_key(resting, tick) && !in.unusual())
            [[likely]] {
            move_plain(in, index, command, open, tick);
            return Reason::none;
        }
        replace_anew(in, index, command, open, tick, false);
    } else {
        bool repriced = false;
        if (const Reason reason = check_post_only(in, terms, open, tick, repriced);
            reason != Reason::none)
            return reason;
        if (repriced)
            if (const Reason reason = check_exposure<k_shape>(in, order, open, in.price_of(tick));
                reason != Reason::none)
                return reason;
        replace_anew(in, index, command, open, tick, repriced);
    }
    cascade(in);
    return Reason::none;
}

// The short way of replace_anew(), for an order that meets none on the other side.
DAMRAK_HOT void Engine::move_plain(InstrumentState& in, OrderIndex index, const Command& command,
                                   Quantity open, Tick tick) {
    Order& order = store_.order(index);
    const OrderAttributes terms = order.terms();
    const Price price = command.price;
    const ParticipantId participant = command.participant;
    const OrderId old_id = order.id;
    const OrderId id = replaced_id(in, command);
    accounts_.change_open(
        participant, order.account, terms.side(), open - order.quantity,
        price.value * open.value - value_of<Shape::plain>(in, order, order.quantity));
    in.orders_hash -= hash_of<Shape::plain>(order);
    in.book.remove(store_, index);
    if (id != old_id) [[unlikely]]
        rename(index, id);
    order.quantity = open;
    order.tick = tick;
    order.rank = in.book.next_rank(terms);
    in.orders_hash += hash_of<Shape::plain>(order);
    in.book.add_ranked<Shape::plain>(store_, index, terms, tick);
    emit(detail::make_event(detail::EventHead::of(EventKind::replaced, CommandKind::replace_order,
                                                  terms, Reason::none, EventFlags::k_on_book),
                            {.instrument = command.instrument,
                             .participant = participant,
                             .order_id = old_id,
                             .reference = id.value,
                             .price = price,
                             .remaining = open,
                             .displayed = open}));
}

// What an order is called after it lost its place.
DAMRAK_HOT OrderId Engine::replaced_id(InstrumentState& in, const Command& command) {
    if (config_.order_id_source == OrderIdSource::command || command.new_order_id) [[likely]]
        return command.new_order_id;
    return OrderId{allocated_id(command.instrument, in.next_order_number())};
}

inline void Engine::replace_in_place(InstrumentState& in, OrderIndex index, Quantity open) {
    const Order& order = store_.order(index);
    if (const Quantity less = open_of(order) - open; less.value > 0) take_away(in, index, less);
    Event event = event_of(in, order, EventKind::replaced, Reason::none);
    event.reference = order.id.value;
    emit(event);
}

inline void Engine::replace_anew(InstrumentState& in, OrderIndex index, const Command& command,
                                 Quantity open, Tick tick, bool repriced) {
    const bool stop = store_.order(index).terms().waiting();
    Incoming order = withdraw(in, index);
    order.open = open;
    order.minimum = std::min(order.minimum, open);
    order.repriced = repriced;
    order.id = replaced_id(in, command);
    if (order.id != order.entry_id) rename(index, order.id);
    order.set_limit(tick);
    if (stop)
        enter_stop(order, EventKind::replaced, order.id.value,
                   in.tick_of(command.order.stop_price));
    else
        enter(order, EventKind::replaced, order.id.value);
}

inline void Engine::rename(OrderIndex index, OrderId id) {
    Order& order = store_.order(index);
    store_.ids.erase(store_.ids.key_of(order.instrument, order.id), index);
    order.id = id;
    store_.ids.insert(store_.ids.key_of(order.instrument, id), index);
    if (order.extension != 0 && store_.extension(order.extension).expire_time.value != 0)
        expiries_.refresh(store_, index);
}

inline Reason Engine::query_order(const Command& command, OrderIdMap::Key key) {
    const InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    OrderIndex index = 0;
    if (const Reason reason = find_own(command, key, index); reason != Reason::none) return reason;
    const Order& order = store_.order(index);
    Event event = event_of(*in, order, EventKind::order_status, Reason::none);
    event.reference = command.client_order_id.value;
    event.quantity = order.executed;
    emit(event);
    return Reason::none;
}

}  // namespace damrak
