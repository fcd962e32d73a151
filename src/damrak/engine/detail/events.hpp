// Writing events (rule book, section 3).
#pragma once

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

DAMRAK_HOT void Engine::emit(const Event& event) { *next_event_++ = event; }

DAMRAK_HOT Event Engine::event_of(const Incoming& order, EventKind kind, Reason reason) const {
    return {.kind = kind,
            .command = command_,
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

template <Shape k_shape>
DAMRAK_HOT Event Engine::event_of(const InstrumentState& in, const Order& order, EventKind kind,
                                  Reason reason) const {
    const OrderAttributes terms = order.terms();
    Event event{.kind = kind,
                .command = command_,
                .side = terms.side(),
                .order_type = terms.type(),
                .time_in_force = terms.time_in_force(),
                .reason = reason,
                .flags = EventFlags::k_on_book,
                .instrument = order.instrument,
                .participant = owner_of(order),
                .order_id = order.id,
                .price = limit_price<k_shape>(in, order),
                .remaining = open_of<k_shape>(order),
                .displayed = order.quantity};
    if (k_shape == Shape::plain) return event;
    if (terms.waiting()) {
        event.flags = EventFlags::k_stop_pending;
        event.displayed = Quantity{0};
    } else if (terms.undisplayed()) {
        event.flags |= EventFlags::k_hidden;
        if (terms.has(OrderAttributes::k_held)) event.flags |= EventFlags::k_held;
        event.displayed = Quantity{0};
    }
    return event;
}

inline void Engine::emit_reject(const Command& command, Reason reason) {
    emit({.kind = EventKind::rejected,
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

inline void Engine::emit_plain(EventKind kind, InstrumentId instrument, ParticipantId participant,
                               std::int64_t quantity, std::int64_t remaining) {
    emit({.kind = kind,
          .command = command_,
          .instrument = instrument,
          .participant = participant,
          .quantity = Quantity{quantity},
          .remaining = Quantity{remaining}});
}

}  // namespace damrak
