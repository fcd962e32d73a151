// Resting orders that are kept out of the queues (rule book, sections 5, 7 and 10): held for a
// minimum quantity, or stopped by a self-trade rule. None of them is displayed.
#pragma once

#include <algorithm>
#include <utility>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

inline PriceKey aside_key(const EngineState& engine, OrderIndex aside) {
    return aside == 0 ? k_no_price : AsideOrders::place_of(engine.store, aside).key;
}

// The best price at which a side trades with the quantity `open`, as a key; k_no_price if there is
// none.
DAMRAK_HOT PriceKey touch(const EngineState& engine, const InstrumentState& in, Side side,
                          Quantity open) {
    const PriceKey best = in.book.side(side).best_key();
    if (in.aside_orders == 0) [[likely]]
        return best;
    return std::min(best, aside_key(engine, in.book.aside(side).first(engine.store, {}, open)));
}

// The order will rest until its minimum quantity can trade.
DAMRAK_COLD inline void hold(Incoming& order) {
    order.terms.set(OrderAttributes::k_held | OrderAttributes::k_aside);
}

// Calls `f(index)` for the undisplayed orders of a price in time order: those of the hidden queue,
// and those outside the queues that can trade with the quantity `open()`, which is called before
// each. Ends when `f` returns false, and returns whether it reached the end. `f` may remove the
// order it is called for.
template <class Open, class F>
bool for_each_undisplayed(const EngineState& engine, const OrderBook& book, Side side, PriceKey key,
                          LevelIndex hidden, Open&& open, F&& f) {
    OrderIndex next = hidden == 0 ? 0 : engine.store.level(hidden).head;
    AsideOrders::Place behind{key, 0};
    for (;;) {
        const OrderIndex aside = book.aside(side).first(engine.store, behind, open());
        const bool any_aside = aside_key(engine, aside) == key;
        if (next == 0 && !any_aside) return true;
        const bool take_aside = any_aside && (next == 0 || engine.store.order(aside).arrival() <
                                                               engine.store.order(next).arrival());
        if (take_aside) behind = AsideOrders::place_of(engine.store, aside);
        const OrderIndex index =
            take_aside ? aside : std::exchange(next, engine.store.order(next).next);
        if (!f(index)) return false;
    }
}

}  // namespace damrak::detail
