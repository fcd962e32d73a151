// How an order enters (rule book, section 4) and comes to rest.
#pragma once

#include <algorithm>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

// Nearly all orders are plain limit orders, and nearly all of those come to rest: they take the
// short way. Plain market orders take the same, and so do those that cross, up to an Incoming.
inline Reason Engine::new_order(const Command& command, OrderIdMap::Key key) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const OrderAttributes terms = OrderAttributes::of_head(head_of(command));
    if (is_plain<OrderType::limit>(command, terms)) [[likely]]
        return new_plain_order<OrderType::limit>(*in, command, terms, key);
    if (is_plain<OrderType::market>(command, terms))
        return new_plain_order<OrderType::market>(*in, command, terms, key);
    return new_special_order(*in, command, key);
}

template <OrderType k_type>
DAMRAK_HOT Reason Engine::new_plain_order(InstrumentState& in, const Command& command,
                                          OrderAttributes terms, OrderIdMap::Key key) {
    constexpr bool k_limit = k_type == OrderType::limit;
    if (const Reason reason = check_standing(command.participant, in); reason != Reason::none)
        return reason;
    if (const Reason reason = in.check_quantity(command.quantity); reason != Reason::none)
        return reason;
    Tick tick = 0;
    if constexpr (k_limit) {
        if (const Reason reason = in.check_price(command.price, Reason::invalid_price, tick);
            reason != Reason::none)
            return reason;
    } else if (command.price != Price{}) {
        return Reason::invalid_price;
    }
    if (const Reason reason = check_id(command, key); reason != Reason::none) return reason;
    AccountIndex account = find_account(in, command.participant);
    const Price at = reference_price(in, k_type, command.price, {});
    const Accounts::Exposure wanted{command.quantity, at.value * command.quantity.value, 1};
    if (const Reason reason =
            accounts_.check(command.participant, account, command.side, wanted, {});
        reason != Reason::none)
        return reason;
    if (const Reason reason = check_room(account, command.participant); reason != Reason::none)
        return reason;

    const OrderId id = admit(in, command, key, account);
    const Side resting = opposite(terms.side());
    const bool rests = k_limit && in.book.side(resting).best_key() > price_key(resting, tick) &&
                       !is_immediate(terms.time_in_force()) && !in.unusual();
    if (rests) [[likely]] {
        rest_plain(in, command, terms, id, key, account, tick, wanted.value);
    } else {
        enter_plain(in, command, terms, id, key, account, tick);
        cascade(in);
    }
    return Reason::none;
}

// From here on the order is in: it has its account, and its id where the engine gives them.
DAMRAK_HOT OrderId Engine::admit(InstrumentState& in, const Command& command, OrderIdMap::Key& key,
                                 AccountIndex& account) {
    if (account == 0) [[unlikely]] {
        in.ever_used = true;
        account = accounts_.open(command.participant, command.instrument);
    }
    if (config_.order_id_source == OrderIdSource::command) return command.order_id;
    const OrderId id{allocated_id(command.instrument, in.next_order_number())};
    key = store_.ids.key_of(command.instrument, id);
    return id;
}

DAMRAK_HOT void Engine::rest_plain(InstrumentState& in, const Command& command,
                                   OrderAttributes terms, OrderId id, OrderIdMap::Key key,
                                   AccountIndex account, Tick tick, std::int64_t value) {
    const ParticipantId participant = command.participant;
    const Quantity quantity = command.quantity;
    accounts_.add_open(participant, account, terms.side(), quantity, value);
    const OrderIndex index = store_.order_pool.take();
    store_.ids.insert(key, index);
    const Order& order = store_.order(index) = {.id = id,
                                                .quantity = quantity,
                                                .executed = Quantity{0},
                                                .tick = tick,
                                                .rank = in.book.next_rank(terms),
                                                .next = 0,
                                                .previous = 0,
                                                .level = 0,
                                                .account = account,
                                                .extension = 0,
                                                .instrument = command.instrument};
    in.orders_hash += hash_of<Shape::plain>(order);
    in.book.add_ranked<Shape::plain>(store_, index, terms, tick);
    emit(detail::make_event(detail::EventHead::of(EventKind::accepted, CommandKind::new_order,
                                                  terms, Reason::none, EventFlags::k_on_book),
                            {.instrument = command.instrument,
                             .participant = participant,
                             .order_id = id,
                             .reference = command.client_order_id.value,
                             .price = command.price,
                             .quantity = quantity,
                             .remaining = quantity,
                             .displayed = quantity}));
}

DAMRAK_COLD inline void Engine::enter_plain(InstrumentState& in, const Command& command,
                                            OrderAttributes terms, OrderId id, OrderIdMap::Key key,
                                            AccountIndex account, Tick tick) {
    Incoming order{&in, id, terms, account, command.participant, command.quantity};
    order.key = key;
    order.set_limit(tick);
    enter<Shape::plain>(order, EventKind::accepted, command.client_order_id.value);
}

DAMRAK_COLD inline Reason Engine::new_special_order(InstrumentState& in, const Command& command,
                                                    OrderIdMap::Key key) {
    if (const Reason reason = check_special(command, in); reason != Reason::none) return reason;
    if (const Reason reason = check_id(command, key); reason != Reason::none) return reason;
    AccountIndex account = find_account(in, command.participant);
    const Price at =
        reference_price(in, command.order_type, command.price, command.order.stop_price);
    if (const Reason reason =
            accounts_.check(command.participant, account, command.side,
                            {command.quantity, at.value * command.quantity.value, 1}, {});
        reason != Reason::none)
        return reason;
    if (!may_be_held(command, account)) return Reason::limit_held_orders;
    if (const Reason reason = check_room_special(command, account); reason != Reason::none)
        return reason;

    OrderAttributes terms = OrderAttributes::of_head(head_of(command));
    if (has_flag(command, CommandFlags::k_hidden)) terms.set(OrderAttributes::k_hidden);
    if (has_flag(command, CommandFlags::k_post_only)) terms.set(OrderAttributes::k_post_only);
    if (has_flag(command, CommandFlags::k_post_only_reprice))
        terms.set(OrderAttributes::k_post_only_reprice);
    Tick tick = in.tick_of(command.price);
    bool repriced = false;
    if (const Reason reason = check_post_only(in, terms, command.quantity, tick, repriced);
        reason != Reason::none)
        return reason;
    if (repriced) {
        const std::int64_t value = in.price_of(tick).value * command.quantity.value;
        if (const Reason reason = accounts_.check(command.participant, account, command.side,
                                                  {command.quantity, value, 1}, {});
            reason != Reason::none)
            return reason;
    }

    const OrderId id = admit(in, command, key, account);
    Incoming order{&in, id, terms, account, command.participant, command.quantity};
    order.key = key;
    order.repriced = repriced;
    order.set_limit(tick);
    order.display = command.order.display_quantity;
    order.minimum = command.order.minimum_quantity;
    order.expire_time = command.order.expire_time;
    if (is_stop(command.order_type))
        enter_stop(order, EventKind::accepted, command.client_order_id.value,
                   in.tick_of(command.order.stop_price));
    else
        enter(order, EventKind::accepted, command.client_order_id.value);
    cascade(in);
    return Reason::none;
}

template <Shape k_shape>
DAMRAK_HOT void Engine::enter(Incoming& order, EventKind kind, std::uint64_t reference) {
    const bool rests = may_rest(order);
    const bool crosses = touch(*order.in, order.resting_side(), order.open) <= order.limit_key;
    if (!crosses && rests) [[likely]] {
        if (k_shape == Shape::any && order.minimum.value > 0) hold(order);
        rest<k_shape>(order);
        Event event = event_of<k_shape>(*order.in, store_.order(order.index), kind, Reason::none);
        if (k_shape == Shape::any && order.repriced) event.flags |= EventFlags::k_repriced;
        return emit_entry(event, order, reference);
    }
    Event event = event_of(order, kind, Reason::none);
    emit_entry(event, order, reference);
    if (crosses) return enter_crossing(order);
    drop_remainder(order, order.terms.time_in_force() == TimeInForce::fok ? Reason::fill_or_kill
                          : order.minimum.value > 0                       ? Reason::minimum_quantity
                                                                          : order.reason_to_drop());
}

// `accepted`, or what stands in its place for a replaced or triggered order.
DAMRAK_HOT void Engine::emit_entry(Event& event, const Incoming& order, std::uint64_t reference) {
    event.order_id = order.entry_id;
    event.reference = reference;
    if (event.kind == EventKind::accepted) event.quantity = order.open;
    emit(event);
}

// Whether what is left of it may come to rest.
DAMRAK_HOT bool Engine::may_rest(const Incoming& order) {
    return order.terms.type() == OrderType::limit && !is_immediate(order.terms.time_in_force()) &&
           order.has_room;
}

DAMRAK_COLD inline void Engine::enter_crossing(Incoming& order) {
    if (order.terms.time_in_force() == TimeInForce::fok && !available(order, order.open))
        return drop_remainder(order, Reason::fill_or_kill);
    if (order.minimum.value > 0) [[unlikely]] {
        if (!available(order, order.minimum)) {
            if (!may_rest(order)) return drop_remainder(order, Reason::minimum_quantity);
            hold(order);
            return rest_remainder(order);
        }
        order.minimum = Quantity{0};
    }
    match_incoming(order);
}

// From where it is: a full slice leaves it to the next one.
inline void Engine::match_incoming(Incoming& order) {
    switch (match(order)) {
        case Matched::done:
            break;
        case Matched::cancelled:
            return finish(order);
        case Matched::stopped:
            if (order.open.value > 0 && !bounded()) order.terms.set(OrderAttributes::k_aside);
            break;
        case Matched::out_of_events:
            if (bounded()) return drop_remainder(order, Reason::event_limit);
            order.skips = 0;  // those passed over are met again
            suspended_.order = order;
            return suspend(Work::matching, *order.in);
        case Matched::out_of_skips:
            return drop_remainder(order, Reason::skip_limit);
    }
    if (order.open.value == 0) return finish(order);
    if (!may_rest(order)) return drop_remainder(order, order.reason_to_drop());
    rest_remainder(order);
}

inline void Engine::rest_remainder(Incoming& order) {
    rest(order);
    const Order& resting = store_.order(order.index);
    Event event = event_of(*order.in, resting, EventKind::rested, Reason::none);
    event.reference = order.id.value;
    emit(event);
}

DAMRAK_COLD inline void Engine::drop_remainder(Incoming& order, Reason reason) {
    cancel_incoming(order, order.open, reason);
    finish(order);
}

// Takes from what an incoming order has open.
inline void Engine::cancel_incoming(Incoming& order, Quantity quantity, Reason reason) {
    order.open -= quantity;
    Event event = event_of(order, EventKind::cancelled, reason);
    event.quantity = quantity;
    emit(event);
}

// An order that ended on its way in gives back what it had before.
inline void Engine::finish(Incoming& order) {
    if (order.index != 0) [[unlikely]]
        forget(order.index, key_of(store_.order(order.index)));
}

// Gives the order its place in memory, where it has none yet, and what it needs there.
template <Shape k_shape>
DAMRAK_HOT Order& Engine::settle(Incoming& order) {
    if (order.index == 0) [[likely]] {
        order.index = store_.order_pool.take();
        Order& fresh = store_.order(order.index);
        fresh.id = order.id;
        fresh.instrument = order.in->id();
        fresh.extension = 0;
        store_.ids.insert(order.key, order.index);
    }
    Order& resting = store_.order(order.index);
    resting.quantity = order.open;
    resting.executed = order.executed;
    resting.tick = order.tick;
    resting.rank = order.terms.bits();
    resting.account = order.account;
    if (k_shape == Shape::plain) return resting;
    const bool extended = order.terms.has(OrderAttributes::k_pending | OrderAttributes::k_held) ||
                          order.display.value > 0 || order.expire_time.value != 0;
    if (extended) [[unlikely]]
        extend(order, resting);
    else
        release_extension(order.index);
    return resting;
}

DAMRAK_COLD inline void Engine::extend(Incoming order, Order& resting) {
    const bool fresh = resting.extension == 0;
    if (fresh) {
        resting.extension = store_.extension_pool.take();
        store_.extension(resting.extension) = {};
    }
    OrderExtension& extension = store_.extension(resting.extension);
    // What is not displayed has no slices.
    if (order.display.value > 0 && !order.terms.has(OrderAttributes::k_aside))
        resting.quantity = std::min(order.open, order.display);
    extension.reserve = order.open - resting.quantity;
    extension.display_quantity = order.display;
    extension.public_id = order.id;
    extension.minimum = order.terms.has(OrderAttributes::k_held) ? order.minimum : Quantity{0};
    extension.limit_tick = order.terms.waiting() ? order.tick : 0;
    extension.expire_time = order.expire_time;
    if (fresh && order.expire_time.value != 0) expiries_.insert(store_, order.index);
}

template <Shape k_shape>
DAMRAK_HOT void Engine::rest(Incoming& order) {
    InstrumentState& in = *order.in;
    const Order& resting = settle<k_shape>(order);
    if (k_shape == Shape::any && order.terms.has(k_conditional)) [[unlikely]]
        count_aside(in, order.index, 1);
    if (k_shape == Shape::any && order.terms.has(OrderAttributes::k_aside)) [[unlikely]]
        in.book.add_aside(store_, order.index);
    else
        in.book.add(store_, order.index, reserve_of<k_shape>(resting));
    add_tallies<k_shape>(in, order.index);
}

}  // namespace damrak
