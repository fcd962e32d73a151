// Open orders: their value, the totals and the hash that follow them, and their removal from
// memory.
#pragma once

#include <algorithm>
#include <cstdlib>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

// Whether the feeds give the order an id of their own whenever they show it.
[[nodiscard]] inline bool has_private_id(const EngineState& engine, OrderId id) {
    return engine.config.order_id_source == OrderIdSource::engine_apart && is_private(id);
}

// The same, of an order that the feeds show or will show: it has an extension for that id.
// `is_sealed`: a call hides it, and it is displayed afterwards.
[[nodiscard]] inline bool needs_public_id(const EngineState& engine, OrderId id,
                                          OrderAttributes terms, bool is_sealed) {
    return has_private_id(engine, id) && terms.type() == OrderType::limit &&
           !is_immediate(terms.time_in_force()) &&
           (is_sealed || !terms.has(OrderAttributes::k_hidden));
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT Quantity reserve_of(const EngineState& engine, const Order& order) {
    if (k_shape == Shape::plain || order.extension == 0) return Quantity{0};
    return engine.store.extension(order.extension).reserve;
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT Quantity open_of(const EngineState& engine, const Order& order) {
    return order.quantity + reserve_of<k_shape>(engine, order);
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT Price limit_price(const EngineState& engine, const InstrumentState& in,
                             const Order& order) {
    if constexpr (k_shape == Shape::plain) return in.price_at(order.tick);
    const bool waiting = order.terms().waiting();
    return in.price_of(waiting ? engine.store.extension(order.extension).limit_tick : order.tick);
}

// What a quantity counts in limits. A price below zero counts without its sign.
DAMRAK_HOT std::int64_t value_at(Price price, Quantity quantity) {
    return std::abs(price.value) * quantity.value;
}

// The open value of a quantity: at the limit, else at the stop price. `plain` is for plain orders
// of ordinary instruments.
template <Shape k_shape = Shape::any>
DAMRAK_HOT std::int64_t value_of(const EngineState& engine, const InstrumentState& in,
                                 const Order& order, Quantity quantity) {
    if constexpr (k_shape == Shape::plain) return in.price_at(order.tick).value * quantity.value;
    const bool at_limit = order.terms().waiting() && has_limit(order.terms().type());
    const Tick tick = at_limit ? engine.store.extension(order.extension).limit_tick : order.tick;
    return value_at(in.price_of(tick), quantity);
}

// What only the order itself tells about its quote or link.
[[nodiscard]] constexpr std::int64_t hashed(Listing listing) {
    return listing >= Listing::quote ? static_cast<std::int64_t>(listing) : 0;
}

// Linear in the quantities, times a key made of everything else: it costs one multiplication more
// than the key. The hash of an instrument is the sum over its open orders.
template <Shape k_shape = Shape::any>
DAMRAK_HOT std::uint64_t hash_of(const EngineState& engine, const Order& order) {
    const std::uint64_t owner = engine.accounts.account(order.account).hash_key;
    const std::uint64_t key =
        mix(order.id.value ^ owner,
            order.rank ^ static_cast<std::uint64_t>(order.tick) * 0x9FB21C651E98DF25U) |
        1U;
    const std::uint64_t hash =
        key * static_cast<std::uint64_t>(order.quantity.value) +
        (key ^ 0xD1B54A32D192ED03U) * static_cast<std::uint64_t>(order.executed.value);
    if (k_shape == Shape::plain || order.extension == 0) return hash;
    const OrderExtension& extension = engine.store.extension(order.extension);
    std::uint64_t more = key;
    for (const std::int64_t word :
         {extension.reserve.value, extension.display_quantity.value,
          static_cast<std::int64_t>(extension.public_id.value), extension.minimum.value,
          extension.limit_tick ^ static_cast<std::int64_t>(extension.peg) << 61 ^
              static_cast<std::int64_t>(extension.to_limit) << 60 ^
              static_cast<std::int64_t>(extension.listing == Listing::trailing) << 59 ^
              hashed(extension.listing) << 53 ^
              static_cast<std::int64_t>(extension.imbalance_only) << 58,
          extension.expire_time.value})
        more = mix(more ^ 0xABC98388FB8FAC03U, static_cast<std::uint64_t>(word) + 11);
    return hash + more;
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT void add_tallies(EngineState& engine, InstrumentState& in, OrderIndex index) {
    const Order& order = engine.store.order(index);
    const ParticipantId owner = engine.owner_of(order);
    const Side side = order.terms().side();
    const Quantity open = open_of<k_shape>(engine, order);
    const std::int64_t value = value_of<k_shape>(engine, in, order, open);
    if constexpr (k_shape == Shape::plain)
        engine.accounts.add_checked(owner, order.account, side, open, value);
    else
        engine.accounts.add_open(owner, order.account, side, open, value);
    in.orders_hash += hash_of<k_shape>(engine, order);
}

inline void remove_tallies(EngineState& engine, InstrumentState& in, OrderIndex index) {
    const Order& order = engine.store.order(index);
    const Quantity open = open_of(engine, order);
    engine.accounts.remove_open(engine.owner_of(order), order.account, order.terms().side(), open,
                                value_of(engine, in, order, open));
    in.orders_hash -= hash_of(engine, order);
}

// Counts one order more, or less, that rests under a condition.
DAMRAK_COLD inline void count_aside(EngineState& engine, InstrumentState& in, OrderIndex index,
                                    std::uint32_t more) {
    const Order& order = engine.store.order(index);
    in.aside_orders += more;
    in.stopped_at = {};  // other orders may wait for it, or meet it
    if (order.terms().has(OrderAttributes::k_held)) {
        engine.accounts.account(order.account).held_orders += more;
        return;
    }
    if (order.terms().type() == OrderType::market) return;  // collected; nothing stopped it
    in.stopped_orders += more;
    Progress& progress = engine.progress;
    if (more != 1) {
        if (progress.latest_stopped == index) progress.latest_stopped = 0;
    } else if (index != progress.turning || progress.latest_stopped == 0) {
        progress.latest_stopped = index;  // an order in its turn had waited before
    }
}

// Whether it waits for its auction, outside the book and the stops.
[[nodiscard]] inline bool awaits_auction(const Order& order) {
    return order.terms().waiting() && is_for_auctions(order.terms().time_in_force());
}

// Removes an order from the book or the stops; it keeps its slot in memory and its id.
inline void unqueue(EngineState& engine, InstrumentState& in, OrderIndex index) {
    remove_tallies(engine, in, index);
    const Order& order = engine.store.order(index);
    if (awaits_auction(order)) [[unlikely]]
        return;
    if (order.terms().waiting()) [[unlikely]]
        return in.stops.remove(engine.store, index);
    if (order.terms().has(OrderAttributes::k_aside)) [[unlikely]] {
        count_aside(engine, in, index, -1U);
        in.book.take_aside(engine.store, index);
    } else {
        in.book.remove(engine.store, index, reserve_of(engine, order));
    }
}

[[nodiscard]] inline bool is_pegged(const EngineState& engine, const Order& order) {
    return order.extension != 0 &&
           engine.store.extension(order.extension).peg != PegReference::none;
}

[[nodiscard]] inline bool is_trailing(const EngineState& engine, const Order& order) {
    return order.extension != 0 &&
           engine.store.extension(order.extension).listing == Listing::trailing;
}

// Whether it waits until the order that it is linked to is filled.
[[nodiscard]] inline bool waits_for_other(const EngineState& engine, const Order& order) {
    return order.extension != 0 &&
           engine.store.extension(order.extension).listing == Listing::waits_for_other;
}

[[nodiscard]] inline OrderExtension& extension_of(EngineState& engine, OrderIndex index) {
    return engine.store.extension(engine.store.order(index).extension);
}
[[nodiscard]] inline const OrderExtension& extension_of(const EngineState& engine,
                                                        OrderIndex index) {
    return engine.store.extension(engine.store.order(index).extension);
}

[[nodiscard]] inline OrderList& list_of(EngineState& engine, InstrumentState& in, Listing listing) {
    switch (listing) {
        case Listing::auction:
            return in.auction_orders;
        case Listing::trailing:
            return in.trailing;
        case Listing::pegged:
            return in.pegs;
        default:
            return engine.progress.due;
    }
}

[[nodiscard]] constexpr bool follows_market(Listing listing) {
    return listing == Listing::pegged || listing == Listing::trailing;
}

inline void note_lists(const EngineState& engine, InstrumentState& in) {
    in.note_lists();
    in.follows_orders |= engine.progress.due.first != 0;
}

// Puts an order that has its extension at the end of a list.
DAMRAK_COLD inline void enlist(EngineState& engine, OrderIndex index, Listing listing) {
    const Order& order = engine.store.order(index);
    InstrumentState& in = engine.instrument_of(order);
    OrderList& list = list_of(engine, in, listing);
    OrderExtension& extension = engine.store.extension(order.extension);
    extension.listing = listing;
    extension.next = 0;
    extension.previous = list.last;
    (list.last != 0 ? extension_of(engine, list.last).next : list.first) = index;
    list.last = index;
    note_lists(engine, in);
    if (follows_market(listing)) ++engine.accounts.account(order.account).following_orders;
}

// Takes an order out of the list that it is in.
DAMRAK_COLD inline void delist(EngineState& engine, OrderIndex index) {
    const Order& order = engine.store.order(index);
    InstrumentState& in = engine.instrument_of(order);
    OrderExtension& extension = engine.store.extension(order.extension);
    OrderList& list = list_of(engine, in, extension.listing);
    const OrderIndex next = extension.next;
    const OrderIndex previous = extension.previous;
    (previous != 0 ? extension_of(engine, previous).next : list.first) = next;
    (next != 0 ? extension_of(engine, next).previous : list.last) = previous;
    if (in.pegs.to_move == index) in.pegs.to_move = next;
    note_lists(engine, in);
    if (follows_market(extension.listing))
        --engine.accounts.account(order.account).following_orders;
    extension.listing = Listing::none;
    extension.peg = PegReference::none;
}

// An order that leaves is no longer part of a link, a quote or a list. It is not in the hash. In
// linked_orders.cpp.
void detach(EngineState& engine, OrderIndex index);

DAMRAK_HOT void release_extension(EngineState& engine, OrderIndex index) {
    Order& order = engine.store.order(index);
    if (order.extension == 0) [[likely]]
        return;
    const OrderExtension& extension = engine.store.extension(order.extension);
    if (extension.expire_time.value != 0) engine.expiries.erase(engine.store, index);
    if (extension.listing != Listing::none) detach(engine, index);
    engine.store.extension_pool.give_back(order.extension);
    order.extension = 0;
}

template <Shape k_shape = Shape::any>
DAMRAK_HOT void forget(EngineState& engine, OrderIndex index, OrderIdMap::Key key) {
    engine.store.ids.erase(key, index);
    if (k_shape == Shape::any) release_extension(engine, index);
    engine.store.order_pool.give_back(index);
}

// Reduces the open quantity, the reserve first. Some quantity remains, in its place.
DAMRAK_COLD inline void take_away(EngineState& engine, InstrumentState& in, OrderIndex index,
                                  Quantity quantity) {
    Order& order = engine.store.order(index);
    in.orders_hash -= hash_of(engine, order);
    engine.accounts.change_open(engine.owner_of(order), order.account, order.terms().side(),
                                -quantity, -value_of(engine, in, order, quantity));
    const Quantity from_reserve = std::min(reserve_of(engine, order), quantity);
    if (from_reserve.value > 0) {
        engine.store.extension(order.extension).reserve -= from_reserve;
        in.book.reduce_reserve(engine.store, index, from_reserve);
    }
    if (order.terms().has(OrderAttributes::k_aside)) {
        in.book.take_aside(engine.store, index);
        order.quantity -= quantity;
        in.book.put_aside(engine.store, index);
        in.stopped_at = {};  // it may require less now
    } else if (awaits_auction(order)) {
        order.quantity -= quantity;
    } else {
        in.book.reduce(engine.store, index, quantity - from_reserve);
    }
    in.orders_hash += hash_of(engine, order);
}

// Calls `f(index)` for the auction orders by time of entry, those in the book too, until it returns
// false, and returns whether it reached the end. `f` may remove the order that it is called for.
template <class F>
bool for_each_auction_order(const EngineState& engine, const InstrumentState& in, F&& f) {
    for (OrderIndex index = in.auction_orders.first; index != 0;) {
        const OrderIndex next = extension_of(engine, index).next;
        if (!f(index)) return false;
        index = next;
    }
    return true;
}

// Calls `f(index)` in visiting order until it returns false. Returns whether it reached the end.
template <class F>
bool visit_orders(EngineState& engine, InstrumentState& in, F&& f) {
    return in.book.for_each_order(engine.store, Side::buy, f) &&
           in.book.for_each_order(engine.store, Side::sell, f) &&
           in.stops.for_each(engine.store, f) &&
           for_each_auction_order(engine, in, [&](OrderIndex index) {
               return !awaits_auction(engine.store.order(index)) || f(index);
           });
}

}  // namespace damrak::detail
