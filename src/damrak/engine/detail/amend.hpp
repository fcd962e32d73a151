// Cancel, replace and query of one order (rule book, section 11).
#pragma once

#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

template <class Sink>
Reason Engine<Sink>::cancel_order(const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (command.flags != 0) return Reason::invalid_flags;
    OrderIndex index = 0;
    if (const Reason reason = find_own(command, key, index); reason != Reason::none) return reason;
    if (command.quantity.value == 0) [[likely]] {
        if (store_.order(index).is_plain()) [[likely]]
            end_order<Shape::plain>(*in, index, EventKind::cancelled, Reason::requested, key);
        else
            end_order(*in, index, EventKind::cancelled, Reason::requested, key);
        return Reason::none;
    }
    if (command.quantity.value < 0) return Reason::invalid_quantity;
    if (!in->on_lot(command.quantity)) return Reason::quantity_off_lot;
    if (command.quantity >= open_of(store_.order(index)))
        end_order(*in, index, EventKind::cancelled, Reason::requested, key);
    else
        cancel_part(*in, index, command.quantity, Reason::requested);
    return Reason::none;
}

template <class Sink>
Reason Engine<Sink>::replace_order(const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if ((command.flags & ~CommandFlags::k_replace_bits) != 0) return Reason::invalid_flags;
    OrderIndex index = 0;
    if (const Reason reason = find_own(command, key, index); reason != Reason::none) return reason;
    const Order& order = store_.order(index);
    Quantity open;
    if (const Reason reason = check_replace(command, *in, order, open); reason != Reason::none)
        return reason;

    const OrderAttributes terms = order.terms();
    const bool same_stop = !terms.waiting() || in->price_of(order.tick) == command.order.stop_price;
    const bool in_place = limit_price(*in, order) == command.price && same_stop &&
                          open <= open_of(order) &&
                          !has_flag(command, CommandFlags::k_lose_priority);
    if (in_place) {
        replace_in_place(*in, index, open);
    } else {
        if (!store_.has_room_for_price()) return Reason::levels_full;
        Tick tick = in->tick_of(command.price);
        bool repriced = false;
        if (const Reason reason = check_post_only(*in, terms, tick, repriced);
            reason != Reason::none)
            return reason;
        if (repriced)
            if (const Reason reason = check_exposure(*in, order, open, in->price_of(tick));
                reason != Reason::none)
                return reason;
        replace_anew(*in, index, command, open, tick, repriced);
    }
    more_ = cascade(*in);
    return Reason::none;
}

template <class Sink>
void Engine<Sink>::replace_in_place(InstrumentState& in, OrderIndex index, Quantity open) {
    const Order& order = store_.order(index);
    if (const Quantity less = open_of(order) - open; less.value > 0) take_away(in, index, less);
    Event event = event_of(in, order, EventKind::replaced, Reason::none);
    event.reference = order.id.value;
    emit(event);
}

template <class Sink>
void Engine<Sink>::replace_anew(InstrumentState& in, OrderIndex index, const Command& command,
                                Quantity open, Tick tick, bool repriced) {
    const bool stop = store_.order(index).terms().waiting();
    Incoming order = withdraw(in, index);
    order.open = open;
    order.minimum = std::min(order.minimum, open);
    order.repriced = repriced;
    order.id = config_.order_id_source == OrderIdSource::command || command.new_order_id
                   ? command.new_order_id
                   : OrderId{allocated_id(command.instrument, in.next_order_number())};
    if (order.id != order.entry_id) rename(index, order.id);
    order.set_limit(tick);
    if (stop)
        enter_stop(order, EventKind::replaced, order.id.value,
                   in.tick_of(command.order.stop_price));
    else
        enter(order, EventKind::replaced, order.id.value);
}

template <class Sink>
void Engine<Sink>::rename(OrderIndex index, OrderId id) {
    Order& order = store_.order(index);
    store_.ids.erase(store_.ids.key_of(order.instrument, order.id), index);
    order.id = id;
    store_.ids.insert(store_.ids.key_of(order.instrument, id), index);
    if (order.extension != 0 && store_.extension(order.extension).expire_time.value != 0)
        expiries_.refresh(store_, index);
}

template <class Sink>
Reason Engine<Sink>::query_order(const Command& command, OrderIdMap::Key key) {
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
