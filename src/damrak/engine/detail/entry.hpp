// How an order enters (rule book, section 4) and comes to rest.
#pragma once

#include <algorithm>

#include <damrak/engine/engine.hpp>

namespace damrak {

template <class Sink>
Reason Engine<Sink>::new_order(const Command& command) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (const Reason reason = check_new(command, *in); reason != Reason::none) return reason;

    const Price at =
        reference_price(*in, command.order_type, command.price, command.order.stop_price);
    AccountIndex account = accounts_.find(command.participant, command.instrument);
    if (const Reason reason =
            accounts_.check(command.participant, account, command.side,
                            {command.quantity, at.value * command.quantity.value, 1}, {});
        reason != Reason::none)
        return reason;
    if (const Reason reason = check_room(command, account); reason != Reason::none) return reason;

    Incoming order{.in = in,
                   .participant = command.participant,
                   .terms = OrderAttributes(command.side, command.order_type, command.time_in_force,
                                            command.self_trade_prevention),
                   .open = command.quantity};
    Tick tick = in->tick_of(command.price);
    if (command.flags != 0) [[unlikely]] {
        if (has_flag(command, CommandFlags::k_hidden)) order.terms.set(OrderAttributes::k_hidden);
        if (has_flag(command, CommandFlags::k_post_only))
            order.terms.set(OrderAttributes::k_post_only);
        if (has_flag(command, CommandFlags::k_post_only_reprice))
            order.terms.set(OrderAttributes::k_post_only_reprice);
        if (const Reason reason = check_post_only(*in, order.terms, tick, order.repriced);
            reason != Reason::none)
            return reason;
    }
    if (order.repriced) [[unlikely]] {
        const std::int64_t value = in->price_of(tick).value * command.quantity.value;
        if (const Reason reason = accounts_.check(command.participant, account, command.side,
                                                  {command.quantity, value, 1}, {});
            reason != Reason::none)
            return reason;
    }
    order.set_limit(tick);
    order.account =
        account != 0 ? account : accounts_.open(command.participant, command.instrument);
    order.id = order.entry_id =
        config_.order_id_source == OrderIdSource::command
            ? command.order_id
            : OrderId{allocated_id(command.instrument, in->next_order_number())};
    order.display = command.order.display_quantity;
    order.minimum = command.order.minimum_quantity;
    order.expire_time = command.order.expire_time;
    in->ever_used = true;

    if (is_stop(command.order_type)) [[unlikely]]
        enter_stop(order, EventKind::accepted, command.client_order_id.value,
                   in->tick_of(command.order.stop_price));
    else
        enter(order, EventKind::accepted, command.client_order_id.value);
    more_ = cascade(*in);
    return Reason::none;
}

template <class Sink>
void Engine<Sink>::enter(Incoming& order, EventKind kind, std::uint64_t reference) {
    InstrumentState& in = *order.in;
    const bool may_rest = order.terms.type() == OrderType::limit &&
                          !is_immediate(order.terms.time_in_force()) && order.has_room;
    const bool crosses = in.book.side(order.resting_side()).best_key() <= order.limit_key;
    if (!crosses && may_rest) [[likely]] {
        if (order.minimum.value > 0) [[unlikely]]
            order.terms.set(OrderAttributes::k_held);
        const Quantity ordered = order.open;
        rest(order);
        Event event = event_of(in, store_.order(order.index), kind, Reason::none);
        if (order.repriced) event.flags |= EventFlags::k_repriced;
        emit_entry(event, order, reference, ordered);
        return;
    }
    emit_entry(event_of(order, kind, Reason::none), order, reference, order.open);
    if (crosses) return enter_crossing(order, may_rest);
    drop_remainder(order, order.terms.time_in_force() == TimeInForce::fok ? Reason::fill_or_kill
                          : order.minimum.value > 0                       ? Reason::minimum_quantity
                                                                          : order.reason_to_drop());
}

// `accepted`, or what stands in its place for a replaced or triggered order.
template <class Sink>
void Engine<Sink>::emit_entry(Event event, const Incoming& order, std::uint64_t reference,
                              Quantity ordered) {
    event.order_id = order.entry_id;
    event.reference = reference;
    if (event.kind == EventKind::accepted) event.quantity = ordered;
    emit(event);
}

template <class Sink>
void Engine<Sink>::enter_crossing(Incoming& order, bool may_rest) {
    if (order.terms.time_in_force() == TimeInForce::fok && !available(order, order.open))
        return drop_remainder(order, Reason::fill_or_kill);
    if (order.minimum.value > 0) [[unlikely]] {
        if (!available(order, order.minimum)) {
            if (!may_rest) return drop_remainder(order, Reason::minimum_quantity);
            order.terms.set(OrderAttributes::k_held);
            return rest_remainder(order);
        }
        order.minimum = Quantity{0};
    }
    switch (match(order)) {
        case Matched::done:
            break;
        case Matched::cancelled:
            return finish(order);
        case Matched::out_of_events:
            return drop_remainder(order, Reason::event_limit);
        case Matched::out_of_skips:
            return drop_remainder(order, Reason::skip_limit);
    }
    if (order.open.value == 0) return finish(order);
    if (!may_rest) return drop_remainder(order, order.reason_to_drop());
    rest_remainder(order);
}

template <class Sink>
void Engine<Sink>::rest_remainder(Incoming& order) {
    rest(order);
    const Order& resting = store_.order(order.index);
    Event event = event_of(*order.in, resting, EventKind::rested, Reason::none);
    event.reference = order.id.value;
    emit(event);
}

template <class Sink>
void Engine<Sink>::drop_remainder(Incoming& order, Reason reason) {
    cancel_incoming(order, order.open, reason);
    finish(order);
}

// Takes from what an incoming order has open.
template <class Sink>
void Engine<Sink>::cancel_incoming(Incoming& order, Quantity quantity, Reason reason) {
    order.open -= quantity;
    Event event = event_of(order, EventKind::cancelled, reason);
    event.quantity = quantity;
    emit(event);
}

// An order that ended on its way in gives back what it had before.
template <class Sink>
void Engine<Sink>::finish(Incoming& order) {
    if (order.index != 0) [[unlikely]]
        forget(order.index);
}

// Gives the order its place in memory, where it has none yet, and what it needs there.
template <class Sink>
Order& Engine<Sink>::settle(Incoming& order) {
    if (order.index == 0) [[likely]] {
        order.index = store_.order_pool.take();
        Order& fresh = store_.order(order.index);
        fresh.id = order.id;
        fresh.instrument = order.in->definition().id;
        fresh.extension = 0;
        store_.ids.insert(store_.ids.key_of(fresh.instrument, order.id), order.index);
    }
    Order& resting = store_.order(order.index);
    resting.quantity = order.open;
    resting.executed = order.executed;
    resting.tick = order.tick;
    resting.attributes = order.terms.bits();
    resting.account = order.account;
    const bool extended = order.terms.has(OrderAttributes::k_pending | OrderAttributes::k_held) ||
                          order.display.value > 0 || order.expire_time.value != 0;
    if (extended) [[unlikely]]
        extend(order, resting);
    else
        release_extension(order.index);
    return resting;
}

template <class Sink>
void Engine<Sink>::extend(Incoming& order, Order& resting) {
    const bool fresh = resting.extension == 0;
    if (fresh) {
        resting.extension = store_.extension_pool.take();
        store_.extension(resting.extension) = {};
    }
    OrderExtension& extension = store_.extension(resting.extension);
    if (order.display.value > 0) resting.quantity = std::min(order.open, order.display);
    extension.reserve = order.open - resting.quantity;
    extension.display_quantity = order.display;
    extension.public_id = order.id;
    extension.minimum = order.terms.has(OrderAttributes::k_held) ? order.minimum : Quantity{0};
    extension.limit_tick = order.terms.waiting() ? order.tick : 0;
    extension.expire_time = order.expire_time;
    if (fresh && order.expire_time.value != 0) expiries_.insert(store_, order.index);
}

template <class Sink>
void Engine<Sink>::rest(Incoming& order) {
    InstrumentState& in = *order.in;
    const Order& resting = settle(order);
    if (order.terms.has(OrderAttributes::k_held)) [[unlikely]]
        ++in.held_orders;
    in.book.add(store_, order.index, reserve_of(resting));
    add_tallies(in, order.index);
}

}  // namespace damrak
