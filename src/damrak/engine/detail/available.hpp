// The quantity that is available to an incoming order (rule book, section 6).
#pragma once

#include <algorithm>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

// Totals of levels suffice where no order could be passed over or prevented.
DAMRAK_COLD inline bool Engine::available(const Incoming& order, Quantity needed) const {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    const bool choice = needs_choice(order);
    Supply supply{.events = bounded() ? std::int64_t{events_left()} - k_event_margin
                                      : std::numeric_limits<std::int64_t>::max()};
    AsideOrders::Place behind;
    for (auto at = book.side(resting).best();;) {
        const OrderIndex aside =
            book.aside(resting).first(store_, behind, order.open - supply.quantity);
        const PriceKey key = std::min(at.key, key_of(aside));
        if (key > order.limit_key) return false;
        LevelIndex hidden = 0;
        if (at.key == key) {
            hidden = store_.level(at.level).companion;
            count_queue(order, at.level, choice, supply);
            at = book.side(resting).next(store_.nodes, key);
        }
        if (key_of(aside) == key)
            count_undisplayed(order, key, hidden, supply);
        else if (hidden != 0)
            count_queue(order, hidden, choice, supply);
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
        if (bounded() && (supply.events < 0 || supply.skips > config_.maximum_skips)) return false;
        if (supply.quantity >= needed) return true;
        if (supply.final || supply.own_in_level) return false;
    }
}

inline void Engine::count_queue(const Incoming& order, LevelIndex queue, bool choice,
                                Supply& supply) const {
    const Level& level = store_.level(queue);
    if (choice || level.reserve.value > 0) return count_supply(order, queue, supply);
    supply.events -= 3 * std::int64_t{level.count};
    supply.quantity += level.total;
}

inline void Engine::count_supply(const Incoming& order, LevelIndex queue, Supply& supply) const {
    const bool counted = !supply.final;
    Quantity slices_ahead;
    Quantity all;
    for_each_in_queue(store_, queue, [&](OrderIndex index) {
        const Order& resting = store_.order(index);
        supply.events -= 3 * slices_of(resting);
        const bool held = resting.terms().has(OrderAttributes::k_held);
        const bool own = note_own(order, resting, supply);
        if (own || held) {
            if (!supply.final && (held || supply.own_in_level)) ++supply.skips;
            return true;
        }
        if (!supply.final) slices_ahead += resting.quantity;
        all += open_of(resting);
        return true;
    });
    if (counted) supply.quantity += supply.final ? slices_ahead : all;
}

// The same behind the displayed orders of a price, where some are aside and none has a reserve.
inline void Engine::count_undisplayed(const Incoming& order, PriceKey key, LevelIndex hidden,
                                      Supply& supply) const {
    for_each_undisplayed(
        order.in->book, order.resting_side(), key, hidden,
        [&] { return order.open - supply.quantity; },
        [&](OrderIndex index) {
            const Order& resting = store_.order(index);
            if (!supply.final && !note_own(order, resting, supply))
                supply.quantity += resting.quantity;
            return !supply.final && supply.quantity < order.open;
        });
}

// Whether the resting order is the incoming one's own, and what then follows from its rule.
inline bool Engine::note_own(const Incoming& order, const Order& resting, Supply& supply) const {
    const SelfTradePrevention rule = order.terms.self_trade_prevention();
    if (resting.account != order.account || rule == SelfTradePrevention::none) return false;
    if (rule == SelfTradePrevention::skip_own)
        supply.own_in_level |= bounded() || !resting.terms().has(OrderAttributes::k_held);
    else if (rule != SelfTradePrevention::cancel_oldest)
        supply.final = true;
    return true;
}

// How often an order could still trade as it is refreshed.
inline std::int64_t Engine::slices_of(const Order& order) const {
    const std::int64_t reserve = reserve_of(order).value;
    if (reserve == 0) return 1;
    const std::int64_t slice = store_.extension(order.extension).display_quantity.value;
    return 1 + (reserve + slice - 1) / slice;
}

}  // namespace damrak
