// Orders that rest aside of the queues (rule book, sections 5, 7 and 10): held for a minimum
// quantity, or stopped by their own side's rule. None of them is displayed.
#pragma once

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

inline PriceKey Engine::key_of(OrderIndex aside) const {
    return aside == 0 ? k_no_price : AsideOrders::place_of(store_, aside).key;
}

// The best price at which a side trades with so much, as a key: k_no_price if there is none.
DAMRAK_HOT PriceKey Engine::touch(const InstrumentState& in, Side side, Quantity open) const {
    const PriceKey best = in.book.side(side).best_key();
    if (in.aside_orders == 0) [[likely]]
        return best;
    return std::min(best, key_of(in.book.aside(side).first(store_, {}, open)));
}

// The order is to rest until its minimum quantity can trade.
DAMRAK_COLD inline void Engine::hold(Incoming& order) const {
    order.terms.set(OrderAttributes::k_held);
    if (!bounded()) order.terms.set(OrderAttributes::k_aside);
}

// The orders behind the displayed ones of a price, in time: those of the hidden queue, and those
// aside that trade with what `open()` says at each. `f(index)` until it returns false, which is
// then returned; the order it is called for may be removed meanwhile.
template <class Open, class F>
bool Engine::for_each_undisplayed(const OrderBook& book, Side side, PriceKey key, LevelIndex hidden,
                                  Open&& open, F&& f) const {
    OrderIndex next = hidden == 0 ? 0 : store_.level(hidden).head;
    AsideOrders::Place behind{key, 0};
    for (;;) {
        const OrderIndex aside = book.aside(side).first(store_, behind, open());
        const bool any_aside = key_of(aside) == key;
        if (next == 0 && !any_aside) return true;
        const bool take_aside = any_aside && (next == 0 || store_.order(aside).arrival() <
                                                               store_.order(next).arrival());
        if (take_aside) behind = AsideOrders::place_of(store_, aside);
        const OrderIndex index = take_aside ? aside : std::exchange(next, store_.order(next).next);
        if (!f(index)) return false;
    }
}

// Orders have left the instrument: what they stopped takes its turn. False: the slice is full, and
// the next one goes on with what `behind` says when that is done.
inline bool Engine::release_stopped(InstrumentState& in, Work behind) {
    if (in.stopped_orders == 0) [[likely]]
        return true;
    cascade(in);
    if (work_ == Work::none) return true;
    behind_ = behind;
    suspended_.in = &in;
    return false;
}

// What a command does when the turns that it brought about are taken.
inline void Engine::go_on_behind() {
    switch (std::exchange(behind_, Work::none)) {
        case Work::orders:
            return go_on_ending();
        case Work::expiry:
            if (in_steps_ == nullptr) expire();
            return;
        default:
            return;
    }
}

// A stopped order that need not wait any longer. All that wait on a side have one owner, whose
// orders make the best price of the other side, so that nothing is due until that price changes, or
// who is aside.
// Only what this command stopped may be another's.
DAMRAK_COLD inline OrderIndex Engine::next_released(InstrumentState& in) const {
    if (in.stopped_orders == 0 || !store_.has_room_for_price()) return 0;
    for (const Side side : {Side::buy, Side::sell}) {
        PriceKey& stopped_at = in.stopped_at[static_cast<std::size_t>(side)];
        const PriceKey best = touch(in, opposite(side), Quantity{0});
        if (best == stopped_at) continue;
        const AsideOrders& aside = in.book.aside(side);
        const Order& latest = store_.order(latest_stopped_);
        const bool has_latest =
            latest_stopped_ != 0 && latest.instrument == in.id() && latest.terms().side() == side;
        for (const OrderIndex index :
             {aside.first(store_, {}, Quantity{0}), aside.last(store_, Quantity{0}),
              has_latest ? latest_stopped_ : 0})
            if (index != 0 && !must_wait(in, index)) return index;
        stopped_at = best;
    }
    return 0;
}

// Whether the order would be stopped again before it trades: own orders that are held stop nothing.
DAMRAK_COLD inline bool Engine::must_wait(const InstrumentState& in, OrderIndex index) const {
    const Order& order = store_.order(index);
    if (order.terms().self_trade_prevention() != SelfTradePrevention::skip_own) return false;
    const Side resting = opposite(order.terms().side());
    const AsideOrders& aside = in.book.aside(resting);
    const auto open = [&] { return order.quantity; };
    bool any_own = false;
    const auto is_own = [&](OrderIndex other) {
        const Order& met = store_.order(other);
        any_own |= !met.terms().has(OrderAttributes::k_held);
        return met.account == order.account;
    };
    AsideOrders::Place behind;
    for (auto at = in.book.side(resting).best();;
         at = in.book.side(resting).next(store_.nodes, behind.key)) {
        const PriceKey key = std::min(at.key, key_of(aside.first(store_, behind, order.quantity)));
        if (key > price_key(resting, order.tick)) return false;
        const LevelIndex hidden = at.key == key ? store_.level(at.level).companion : 0;
        if (at.key == key && !for_each_in_queue(store_, at.level, is_own)) return false;
        if (!for_each_undisplayed(in.book, resting, key, hidden, open, is_own)) return false;
        if (any_own) return true;
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
    }
}

// As if it were incoming, with nothing told of its entry.
DAMRAK_COLD inline void Engine::enter_again(Incoming order) {
    order.set_limit(order.tick);
    match_incoming(order);
}

}  // namespace damrak
