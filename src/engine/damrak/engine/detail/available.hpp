// The quantity that is available to an incoming order (rule book, section 6).
#pragma once

#include <algorithm>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/matching.hpp>

namespace damrak::detail {

// Whether the resting order has the same owner and a self-trade rule applies. Records the
// consequence of the rule.
inline bool note_own(const Incoming& order, const Order& resting, Supply& supply) {
    const SelfTradePrevention rule = order.terms.self_trade_prevention();
    if (resting.account != order.account || rule == SelfTradePrevention::none) return false;
    if (rule == SelfTradePrevention::skip_own)
        supply.own_in_level |= !resting.terms().has(OrderAttributes::k_held);
    else if (rule != SelfTradePrevention::cancel_oldest)
        supply.final = true;
    return true;
}

// Where the orders of a queue share, an own one keeps the incoming order from all of them. Looks at
// no more orders than the incoming one would trade with.
inline void count_supply(const EngineState& engine, const Incoming& order, LevelIndex queue,
                         bool shared, Supply& supply) {
    const bool counted = !supply.final;
    Quantity slices_ahead;
    Quantity all;
    for_each_in_queue(engine.store, queue, [&](OrderIndex index) {
        const Order& resting = engine.store.order(index);
        if (note_own(order, resting, supply)) return true;
        if (!supply.final && !shared) slices_ahead += resting.quantity;
        all += open_of(engine, resting);
        return !supply.final && supply.quantity + slices_ahead < order.open;
    });
    if (counted) supply.quantity += supply.final ? slices_ahead : all;
}

inline void count_queue(const EngineState& engine, const Incoming& order, LevelIndex queue,
                        bool choice, bool shared, Supply& supply) {
    if (choice) return count_supply(engine, order, queue, shared, supply);
    const Level& level = engine.store.level(queue);
    supply.quantity += level.total + level.reserve;
}

// The same for the undisplayed orders of a price, if some are outside the queues. None of them has
// a reserve.
inline void count_undisplayed(const EngineState& engine, const Incoming& order, PriceKey key,
                              LevelIndex hidden, Supply& supply) {
    for_each_undisplayed(
        engine, order.in->book, order.resting_side(), key, hidden,
        [&] { return order.open - supply.quantity; },
        [&](OrderIndex index) {
            const Order& resting = engine.store.order(index);
            if (!supply.final && !note_own(order, resting, supply))
                supply.quantity += resting.quantity;
            return !supply.final && supply.quantity < order.open;
        });
}

// Totals of levels suffice if no order could be skipped or prevented from trading.
DAMRAK_COLD inline bool available(const EngineState& engine, const Incoming& order,
                                  Quantity needed) {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    const bool choice = needs_choice(engine, order);
    Supply supply;
    AsideOrders::Place behind;
    for (auto at = book.side(resting).best();;) {
        const OrderIndex aside =
            book.aside(resting).first(engine.store, behind, order.open - supply.quantity);
        const PriceKey key = std::min(at.key, aside_key(engine, aside));
        if (key > order.limit_key) return false;
        LevelIndex hidden = 0;
        if (at.key == key) {
            hidden = engine.store.level(at.level).companion;
            count_queue(engine, order, at.level, choice, order.in->shares(), supply);
            at = book.side(resting).next(engine.store.nodes, key);
        }
        if (aside_key(engine, aside) == key)
            count_undisplayed(engine, order, key, hidden, supply);
        else if (hidden != 0)
            count_queue(engine, order, hidden, choice, false, supply);
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
        if (supply.quantity >= needed) return true;
        if (supply.final || supply.own_in_level) return false;
    }
}

}  // namespace damrak::detail
