// Ends one order, resting or incoming, or a part of it.
#pragma once

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/linked_orders.hpp>
#include <damrak/engine/detail/orders.hpp>

namespace damrak::detail {

inline void end_order(EngineState& engine, InstrumentState& in, OrderIndex index, EventKind kind,
                      Reason reason, OrderIdMap::Key key) {
    const Order& order = engine.store.order(index);
    const OrderAttributes terms = order.terms();
    const bool hidden = terms.undisplayed();
    engine.emit({.kind = kind,
                 .command = engine.progress.command,
                 .side = terms.side(),
                 .order_type = terms.type(),
                 .time_in_force = terms.time_in_force(),
                 .reason = reason,
                 .flags = hidden ? EventFlags::k_hidden : EventFlags::Bits{0},
                 .instrument = order.instrument,
                 .participant = engine.owner_of(order),
                 .order_id = order.id,
                 .price = limit_price(engine, in, order),
                 .quantity = open_of(engine, order)});
    unqueue(engine, in, index);
    if (order.extension != 0) note_end(engine, index);
    forget(engine, index, key);
}

DAMRAK_COLD inline void cancel_part(EngineState& engine, InstrumentState& in, OrderIndex index,
                                    Quantity quantity, Reason reason) {
    take_away(engine, in, index, quantity);
    Event event = event_of(engine, in, engine.store.order(index), EventKind::cancelled, reason);
    event.quantity = quantity;
    engine.emit(event);
}

// Releases the memory of an incoming order that was filled, if it had any.
inline void finish(EngineState& engine, Incoming& order) {
    if (order.index != 0) [[unlikely]]
        forget(engine, order.index, engine.key_of(engine.store.order(order.index)));
}

// The same for one that ended otherwise.
DAMRAK_COLD inline void abandon(EngineState& engine, Incoming& order) {
    if (order.index != 0 && engine.store.order(order.index).extension != 0)
        note_end(engine, order.index);
    finish(engine, order);
}

// Reduces the open quantity of an incoming order.
inline void cancel_incoming(EngineState& engine, Incoming& order, Quantity quantity,
                            Reason reason) {
    order.open -= quantity;
    Event event = event_of(engine, order, EventKind::cancelled, reason);
    event.quantity = quantity;
    engine.emit(event);
}

DAMRAK_COLD inline void drop_remainder(EngineState& engine, Incoming& order, Reason reason) {
    cancel_incoming(engine, order, order.open, reason);
    abandon(engine, order);
}

}  // namespace damrak::detail
