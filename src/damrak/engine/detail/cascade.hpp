// Stop orders: entry, election and the cascade (rule book, section 10).
#pragma once

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

// A stop whose price was reached already is triggered at once; any other waits.
DAMRAK_COLD inline void Engine::enter_stop(Incoming order, EventKind kind, std::uint64_t reference,
                                           Tick stop_tick) {
    InstrumentState& in = *order.in;
    const bool buy = order.terms.side() == Side::buy;
    const bool reached =
        in.last_trade != 0 && (buy ? in.last_trade >= stop_tick : in.last_trade <= stop_tick);
    if (reached) {
        Event event = event_of(order, kind, Reason::none);
        emit_entry(event, order, reference);
        return trigger(order);
    }
    order.terms.set(OrderAttributes::k_pending);
    Order& waiting = settle(order);
    waiting.tick = stop_tick;
    in.stops.add(store_, order.index, in.book.next_arrival());
    add_tallies(in, order.index);
    Event event = event_of(in, waiting, kind, Reason::none);
    emit_entry(event, order, reference);
}

// From here on it is as its market or limit order would be.
DAMRAK_COLD inline void Engine::trigger(Incoming order) {
    order.terms.clear(OrderAttributes::k_pending | OrderAttributes::k_elected);
    order.terms.set_type(has_limit(order.terms.type()) ? OrderType::limit : OrderType::market);
    order.set_limit(order.tick);
    order.entry_id = order.id;
    order.has_room = store_.has_room_for_price();
    enter(order, EventKind::triggered, 0);
}

DAMRAK_COLD inline void Engine::elect_stops(InstrumentState& in) {
    in.stops.elect(
        store_, in.last_trade,
        [&](OrderIndex index) { in.orders_hash -= hash_of(store_.order(index)); },
        [&](OrderIndex index) {
            Order& order = store_.order(index);
            OrderAttributes terms = order.terms();
            terms.clear(OrderAttributes::k_pending);
            terms.set(OrderAttributes::k_elected);
            order.set_terms(terms);
            order.set_arrival(in.book.next_arrival());
            in.orders_hash += hash_of(order);
        });
}

// Stopped orders that need no longer be, and elected stops, each of which may bring about more.
DAMRAK_HOT void Engine::cascade(InstrumentState& in) {
    if (in.has_waiting()) [[unlikely]]
        take_turns(in);
}

DAMRAK_COLD inline void Engine::take_turns(InstrumentState& in) {
    if (in.state != TradingState::trading || work_ != Work::none) return;
    for (;;) {
        const OrderIndex released = next_released(in);
        const OrderIndex first = released != 0 ? released : in.stops.first_elected(store_);
        if (first == 0) break;
        if (bounded()) {
            left_work_ = 2 * events_used() > config_.maximum_events;
            if (left_work_) return;
        } else if (events_left() < k_event_margin) {
            return suspend(Work::cascade, in);
        }
        turning_ = released;
        if (released != 0)
            enter_again(withdraw(in, first));
        else
            trigger(withdraw(in, first));
        if (work_ != Work::none) return;
    }
    latest_stopped_ = 0;
    turning_ = 0;
}

// Takes an open order out of its queue, to enter again in its place in memory.
inline Engine::Incoming Engine::withdraw(InstrumentState& in, OrderIndex index) {
    const Order& order = store_.order(index);
    Incoming again{&in, order.id, order.terms(), order.account, owner_of(order), open_of(order)};
    again.tick = order.tick;
    again.executed = order.executed;
    again.index = index;
    if (order.extension != 0) {
        const OrderExtension& extension = store_.extension(order.extension);
        again.display = extension.display_quantity;
        again.minimum = extension.minimum;
        again.expire_time = extension.expire_time;
        if (order.terms().waiting()) again.tick = extension.limit_tick;
    }
    unqueue(in, index);
    again.terms.clear(k_conditional | OrderAttributes::k_pending | OrderAttributes::k_elected);
    return again;
}

inline Reason Engine::continue_cascade(const Command& command) {
    InstrumentState* const in = find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    cascade(*in);
    return Reason::none;
}

}  // namespace damrak
