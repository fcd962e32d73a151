// The events of orders, rejections and administration (rule book, section 3).
#pragma once

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

DAMRAK_HOT Event event_of(const EngineState& engine, const Incoming& order, EventKind kind,
                          Reason reason) {
    return {.kind = kind,
            .command = engine.progress.command,
            .side = order.terms.side(),
            .order_type = order.terms.type(),
            .time_in_force = order.terms.time_in_force(),
            .reason = reason,
            .flags = order.terms.has(OrderAttributes::k_hidden) ? EventFlags::k_hidden
                                                                : EventFlags::Bits{0},
            .instrument = order.in->id(),
            .participant = order.participant,
            .order_id = order.id,
            .price = order.in->price_of(order.tick),
            .remaining = order.open};
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT Event event_of(const EngineState& engine, const InstrumentState& in, const Order& order,
                          EventKind kind, Reason reason) {
    const OrderAttributes terms = order.terms();
    Event event{.kind = kind,
                .command = engine.progress.command,
                .side = terms.side(),
                .order_type = terms.type(),
                .time_in_force = terms.time_in_force(),
                .reason = reason,
                .flags = EventFlags::k_on_book,
                .instrument = order.instrument,
                .participant = engine.owner_of(order),
                .order_id = order.id,
                .price = limit_price<k_shape>(engine, in, order),
                .remaining = open_of<k_shape>(engine, order),
                .displayed = order.quantity};
    if (k_shape == Shape::plain) return event;
    if (terms.waiting()) {
        event.flags = EventFlags::k_waiting;
        if (terms.has(OrderAttributes::k_hidden)) event.flags |= EventFlags::k_hidden;
        event.displayed = Quantity{0};
    } else if (terms.undisplayed()) {
        event.flags |= EventFlags::k_hidden;
        if (terms.has(OrderAttributes::k_held)) event.flags |= EventFlags::k_held;
        event.displayed = Quantity{0};
    }
    return event;
}

// `accepted`, or the corresponding event of a replaced or triggered order.
DAMRAK_HOT void emit_entry(EngineState& engine, Event& event, const Incoming& order,
                           std::uint64_t reference) {
    event.order_id = order.entry_id;
    event.reference = reference;
    if (event.kind == EventKind::accepted) event.quantity = order.open;
    engine.emit(event);
}

inline void emit_reject(EngineState& engine, const Command& command, Reason reason) {
    engine.emit({.kind = EventKind::rejected,
                 .command = command.kind,
                 .side = command.side,
                 .order_type = command.order_type,
                 .time_in_force = command.time_in_force,
                 .reason = reason,
                 .instrument = command.instrument,
                 .participant = command.participant,
                 .order_id = command.order_id,
                 .reference = command.client_order_id.value,
                 .price = command.price,
                 .quantity = command.quantity});
}

inline void emit_plain(EngineState& engine, EventKind kind, InstrumentId instrument,
                       ParticipantId participant, std::int64_t quantity,
                       std::int64_t remaining = 0) {
    engine.emit({.kind = kind,
                 .command = engine.progress.command,
                 .instrument = instrument,
                 .participant = participant,
                 .quantity = Quantity{quantity},
                 .remaining = Quantity{remaining}});
}

}  // namespace damrak::detail
