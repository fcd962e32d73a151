// Fills of resting orders outside the matching of one incoming order: in an auction, and across the
// books of a combination.
#pragma once

#include <algorithm>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/matching.hpp>

namespace damrak::detail {

// Takes what an order trades: from the displayed slice first, then from the reserve.
DAMRAK_COLD inline void fill(EngineState& engine, InstrumentState& in, OrderIndex index,
                             Quantity quantity) {
    Order& order = engine.store.order(index);
    begin_fill(engine, in, order, quantity);
    order.executed += quantity;
    engine.accounts.trade(order.account, order.terms().side(), quantity);
    const Quantity from_slice = std::min(order.quantity, quantity);
    const Quantity from_reserve = quantity - from_slice;
    if (from_reserve.value > 0) {
        engine.store.extension(order.extension).reserve -= from_reserve;
        in.book.reduce_reserve(engine.store, index, from_reserve);
    }
    if (order.terms().has(OrderAttributes::k_aside)) {
        in.book.take_aside(engine.store, index);
        order.quantity -= from_slice;
    } else {
        in.book.reduce(engine.store, index, from_slice);
    }
}

// The order leaves or stays in the book after its trade, with its next slice if it has one.
DAMRAK_COLD inline void settle_fill(EngineState& engine, InstrumentState& in, OrderIndex index,
                                    Quantity quantity) {
    const Order& order = engine.store.order(index);
    const Side side = order.terms().side();
    const bool aside = order.terms().has(OrderAttributes::k_aside);
    const ParticipantId owner = engine.owner_of(order);
    const std::int64_t value = value_at(in.price_of(order.tick), quantity);
    if (open_of(engine, order).value == 0) {
        engine.accounts.remove_open(owner, order.account, side, quantity, value);
        if (aside)
            count_aside(engine, in, index, -1U);
        else
            in.book.remove(engine.store, index);
        return forget(engine, index, engine.key_of(order));
    }
    engine.accounts.change_open(owner, order.account, side, -quantity, -value);
    if (aside)
        in.book.put_aside(engine.store, index);
    else if (order.quantity.value == 0)
        refresh(engine, in, index);
    end_fill(engine, in, index, quantity);
}

}  // namespace damrak::detail
