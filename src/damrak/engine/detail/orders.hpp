// Open orders: what they amount to, the tallies and the hash that follow them, and their end.
#pragma once

#include <algorithm>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

template <Shape k_shape>
DAMRAK_HOT Quantity Engine::reserve_of(const Order& order) const {
    if (k_shape == Shape::plain || order.extension == 0) return Quantity{0};
    return store_.extension(order.extension).reserve;
}

template <Shape k_shape>
DAMRAK_HOT Quantity Engine::open_of(const Order& order) const {
    return order.quantity + reserve_of<k_shape>(order);
}

template <Shape k_shape>
DAMRAK_HOT Price Engine::limit_price(const InstrumentState& in, const Order& order) const {
    const bool waiting = k_shape == Shape::any && order.terms().waiting();
    return in.price_of(waiting ? store_.extension(order.extension).limit_tick : order.tick);
}

// What an open quantity counts for in the open value: at the limit, else at the stop price.
template <Shape k_shape>
DAMRAK_HOT std::int64_t Engine::value_of(const InstrumentState& in, const Order& order,
                                         Quantity quantity) const {
    const bool at_limit =
        k_shape == Shape::any && order.terms().waiting() && has_limit(order.terms().type());
    const Tick tick = at_limit ? store_.extension(order.extension).limit_tick : order.tick;
    return in.price_of(tick).value * quantity.value;
}

// Linear in the quantities under a key made of all else, so that it costs one multiplication more
// than the key. Sums of these over the open orders make the hash of an instrument.
template <Shape k_shape>
DAMRAK_HOT std::uint64_t Engine::hash_of(const Order& order) const {
    const std::uint64_t owner = accounts_.account(order.account).hash_key;
    const std::uint64_t key =
        mix(order.id.value ^ owner,
            order.rank ^ static_cast<std::uint64_t>(order.tick) * 0x9FB21C651E98DF25U) |
        1U;
    const std::uint64_t hash =
        key * static_cast<std::uint64_t>(order.quantity.value) +
        (key ^ 0xD1B54A32D192ED03U) * static_cast<std::uint64_t>(order.executed.value);
    if (k_shape == Shape::plain || order.extension == 0) return hash;
    const OrderExtension& extension = store_.extension(order.extension);
    std::uint64_t more = key;
    for (const std::int64_t word :
         {extension.reserve.value, extension.display_quantity.value,
          static_cast<std::int64_t>(extension.public_id.value), extension.minimum.value,
          extension.limit_tick, extension.expire_time.value})
        more = mix(more ^ 0xABC98388FB8FAC03U, static_cast<std::uint64_t>(word) + 11);
    return hash + more;
}

template <Shape k_shape>
DAMRAK_HOT void Engine::add_tallies(InstrumentState& in, OrderIndex index) {
    const Order& order = store_.order(index);
    const Quantity open = open_of<k_shape>(order);
    accounts_.add_open(owner_of(order), order.account, order.terms().side(), open,
                       value_of<k_shape>(in, order, open));
    in.orders_hash += hash_of<k_shape>(order);
}

inline void Engine::remove_tallies(InstrumentState& in, OrderIndex index) {
    const Order& order = store_.order(index);
    const Quantity open = open_of(order);
    accounts_.remove_open(owner_of(order), order.account, order.terms().side(), open,
                          value_of(in, order, open));
    in.orders_hash -= hash_of(order);
}

// Out of the book or the stops; the order keeps its place in memory and its id.
inline void Engine::unqueue(InstrumentState& in, OrderIndex index) {
    remove_tallies(in, index);
    const Order& order = store_.order(index);
    if (order.terms().waiting()) [[unlikely]]
        return in.stops.remove(store_, index);
    if (order.terms().has(k_conditional)) [[unlikely]]
        count_aside(in, index, -1U);
    if (order.terms().has(OrderAttributes::k_aside)) [[unlikely]]
        in.book.take_aside(store_, index);
    else
        in.book.remove(store_, index, reserve_of(order));
}

// One order more, or less, that rests under a condition.
DAMRAK_COLD inline void Engine::count_aside(InstrumentState& in, OrderIndex index,
                                            std::uint32_t more) {
    const Order& order = store_.order(index);
    in.aside_orders += more;
    in.stopped_at = {};  // it may be what another one waits for, or meets
    if (order.terms().has(OrderAttributes::k_held)) {
        accounts_.account(order.account).held_orders += more;
        return;
    }
    in.stopped_orders += more;
    if (more != 1) {
        if (latest_stopped_ == index) latest_stopped_ = 0;
    } else if (index != turning_ || latest_stopped_ == 0) {
        latest_stopped_ = index;  // not in a turn: then it is one of those who waited before
    }
}

DAMRAK_HOT void Engine::release_extension(OrderIndex index) {
    Order& order = store_.order(index);
    if (order.extension == 0) [[likely]]
        return;
    if (store_.extension(order.extension).expire_time.value != 0) expiries_.erase(store_, index);
    store_.extension_pool.give_back(order.extension);
    order.extension = 0;
}

template <Shape k_shape>
DAMRAK_HOT void Engine::forget(OrderIndex index, OrderIdMap::Key key) {
    store_.ids.erase(key, index);
    if (k_shape == Shape::any) release_extension(index);
    store_.order_pool.give_back(index);
}

// Takes from what is open, the reserve first; something is left, in its place.
DAMRAK_COLD inline void Engine::take_away(InstrumentState& in, OrderIndex index,
                                          Quantity quantity) {
    Order& order = store_.order(index);
    in.orders_hash -= hash_of(order);
    accounts_.change_open(owner_of(order), order.account, order.terms().side(), -quantity,
                          -value_of(in, order, quantity));
    const Quantity from_reserve = std::min(reserve_of(order), quantity);
    if (from_reserve.value > 0) {
        store_.extension(order.extension).reserve -= from_reserve;
        in.book.reduce_reserve(store_, index, from_reserve);
    }
    if (order.terms().has(OrderAttributes::k_aside)) {
        in.book.take_aside(store_, index);
        order.quantity -= quantity;
        in.book.put_aside(store_, index);
        in.stopped_at = {};  // it may need less now
    } else {
        in.book.reduce(store_, index, quantity - from_reserve);
    }
    in.orders_hash += hash_of(order);
}

inline void Engine::end_order(InstrumentState& in, OrderIndex index, EventKind kind, Reason reason,
                              OrderIdMap::Key key) {
    const Order& order = store_.order(index);
    const OrderAttributes terms = order.terms();
    const bool hidden = terms.undisplayed();
    emit({.kind = kind,
          .command = command_,
          .side = terms.side(),
          .order_type = terms.type(),
          .time_in_force = terms.time_in_force(),
          .reason = reason,
          .flags = hidden ? EventFlags::k_hidden : EventFlags::Bits{0},
          .instrument = order.instrument,
          .participant = owner_of(order),
          .order_id = order.id,
          .price = limit_price(in, order),
          .quantity = open_of(order)});
    unqueue(in, index);
    forget(index, key);
}

DAMRAK_COLD inline void Engine::cancel_part(InstrumentState& in, OrderIndex index,
                                            Quantity quantity, Reason reason) {
    take_away(in, index, quantity);
    Event event = event_of(in, store_.order(index), EventKind::cancelled, reason);
    event.quantity = quantity;
    emit(event);
}

}  // namespace damrak
