// Price-time matching (rule book, sections 5 to 7), and match(), which chooses the way of matching
// once for an incoming order; the rest of the engine does not depend on it.
#pragma once

#include <algorithm>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/allocation.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/combinations.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/linked_orders.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/detail/quotes.hpp>

namespace damrak::detail {

// Emits both sides of a trade, the resting one first.
DAMRAK_HOT void emit_trade(EngineState& engine, const Incoming& order, const Order& maker,
                           const Trade& trade) {
    const InstrumentId instrument = maker.instrument;
    engine.emit(make_event(EventHead::of(EventKind::executed, engine.progress.command,
                                         maker.terms(), Reason::none, trade.flags),
                           {.instrument = instrument,
                            .participant = trade.owner,
                            .order_id = maker.id,
                            .reference = trade.id.value,
                            .price = trade.price,
                            .quantity = trade.fill,
                            .remaining = trade.left,
                            .displayed = trade.displayed}));
    const auto hidden = order.terms.has(OrderAttributes::k_hidden) ? EventFlags::k_hidden : 0;
    engine.emit(make_event(
        EventHead::of(EventKind::executed, engine.progress.command, order.terms, Reason::none,
                      static_cast<EventFlags::Bits>(EventFlags::k_aggressor | hidden)),
        {.instrument = instrument,
         .participant = order.participant,
         .order_id = order.id,
         .reference = trade.id.value,
         .price = trade.price,
         .quantity = trade.fill,
         .remaining = trade.open}));
}

DAMRAK_COLD inline void elect_stops(EngineState& engine, InstrumentState& in) {
    in.stops.elect(
        engine.store, in.last_trade,
        [&](OrderIndex index) { in.orders_hash -= hash_of(engine, engine.store.order(index)); },
        [&](OrderIndex index) {
            Order& order = engine.store.order(index);
            OrderAttributes terms = order.terms();
            terms.clear(OrderAttributes::k_pending);
            terms.set(OrderAttributes::k_elected);
            order.set_terms(terms);
            order.set_arrival(in.book.next_arrival());
            if (engine.store.extension(order.extension).listing == Listing::trailing)
                delist(engine, index);
            in.orders_hash += hash_of(engine, order);
        });
}

// Handles the consequences of a trade at this price.
DAMRAK_HOT void note_trade(EngineState& engine, InstrumentState& in, Tick tick) {
    in.last_trade = tick;
    if (in.follows_trades) [[unlikely]] {
        Progress& progress = engine.progress;
        progress.highest_trade = std::max(progress.highest_trade, tick);
        progress.lowest_trade =
            progress.lowest_trade == 0 ? tick : std::min(progress.lowest_trade, tick);
    }
    if (in.stops.reaches(tick)) [[unlikely]]
        elect_stops(engine, in);
}

// A held order that trades becomes a plain hidden one. It stays outside the queues until its turn.
DAMRAK_COLD inline void release_hold(EngineState& engine, InstrumentState& in, OrderIndex index) {
    Order& order = engine.store.order(index);
    count_aside(engine, in, index, -1U);
    OrderAttributes terms = order.terms();
    terms.clear(OrderAttributes::k_held);
    terms.set(OrderAttributes::k_hidden);
    order.set_terms(terms);
    count_aside(engine, in, index, 1);
    OrderExtension& extension = engine.store.extension(order.extension);
    extension.minimum = Quantity{0};
    if (extension.expire_time.value == 0) release_extension(engine, index);
}

// Displays the next slice of an iceberg, at the end of the queue and under a new public id.
DAMRAK_COLD inline void refresh(EngineState& engine, InstrumentState& in, OrderIndex index) {
    Order& order = engine.store.order(index);
    OrderExtension& extension = engine.store.extension(order.extension);
    const Quantity slice = std::min(extension.display_quantity, extension.reserve);
    extension.reserve -= slice;
    extension.public_id = in.next_public_id(order.instrument);
    in.book.requeue(engine.store, index, slice);
    Event event = event_of(engine, in, order, EventKind::refreshed, Reason::none);
    event.reference = extension.public_id.value;
    engine.emit(event);
}

// Takes a resting order that is about to trade this quantity out of the hash.
DAMRAK_HOT void begin_fill(EngineState& engine, InstrumentState& in, const Order& order,
                           Quantity fill) {
    if (order.extension == 0) [[likely]]
        in.orders_hash -= hash_of<Shape::plain>(engine, order);
    else
        begin_fill_of_extended(engine, in, order, fill);
}

// What is left of an order that has traded this quantity is open again.
DAMRAK_HOT void end_fill(EngineState& engine, InstrumentState& in, OrderIndex index,
                         Quantity fill) {
    const Order& order = engine.store.order(index);
    if (order.extension != 0) [[unlikely]]
        cut_other(engine, index, fill);
    in.orders_hash += hash_of(engine, order);
}

// Trades at the limit of the resting order, or at the price of a recording. `fill` is at most what
// either of the two has to trade.
template <bool k_with_aside, bool k_recorded = false>
inline bool trade_with(EngineState& engine, Incoming& order, OrderIndex index, Quantity fill,
                       Tick recorded = 0) {
    InstrumentState& in = *order.in;
    Order& maker = engine.store.order(index);
    const Side side = maker.terms().side();
    const Tick tick = k_recorded ? recorded : maker.tick;
    const Price price = in.price_at(tick);
    const ParticipantId owner = engine.owner_of(maker);
    const bool hidden = maker.terms().undisplayed();
    const bool aside = k_with_aside && maker.terms().has(OrderAttributes::k_aside);

    begin_fill(engine, in, maker, fill);
    if constexpr (k_with_aside) {
        if (aside) in.book.take_aside(engine.store, index);
        if (maker.terms().has(OrderAttributes::k_held)) release_hold(engine, in, index);
    }
    maker.executed += fill;
    order.executed += fill;
    order.open -= fill;
    engine.accounts.trade(maker.account, side, fill);
    engine.accounts.trade(order.account, order.terms.side(), fill);
    if (aside)
        maker.quantity -= fill;
    else
        in.book.reduce(engine.store, index, fill);

    const Quantity left = open_of(engine, maker);
    const bool filled = left.value == 0;
    const bool slice_used = maker.quantity.value == 0;
    const int on_book = filled ? 0 : EventFlags::k_on_book;
    emit_trade(
        engine, order, maker,
        {.id = {allocated_id(maker.instrument, ++in.trade_number)},
         .owner = owner,
         .price = price,
         .fill = fill,
         .open = order.open,
         .left = left,
         .displayed = hidden ? Quantity{0} : maker.quantity,
         .flags = static_cast<EventFlags::Bits>(on_book | (hidden ? EventFlags::k_hidden : 0))});

    const std::int64_t value = value_at(k_recorded ? in.price_at(maker.tick) : price, fill);
    if (filled) {
        engine.accounts.remove_open(owner, maker.account, side, fill, value);
        if (aside)
            count_aside(engine, in, index, -1U);
        else
            in.book.remove(engine.store, index);
        forget(engine, index, engine.key_of(maker));
    } else {
        engine.accounts.change_open(owner, maker.account, side, -fill, -value);
        if (aside) in.book.put_aside(engine.store, index);
        if (slice_used) [[unlikely]]
            refresh(engine, in, index);
        end_fill(engine, in, index, fill);
    }
    note_trade(engine, in, tick);
    return slice_used && !filled;
}

// Trades with a resting order at its price. True if its next slice moved to the end of the queue.
inline bool trade(EngineState& engine, Incoming& order, OrderIndex index) {
    const Order& maker = engine.store.order(index);
    const Quantity fill = std::min(order.open, maker.quantity);
    if (maker.terms().has(OrderAttributes::k_aside)) [[unlikely]]
        return trade_with<true>(engine, order, index, fill);
    return trade_with<false>(engine, order, index, fill);
}

inline bool prevent_self_trade(EngineState& engine, Incoming& order, OrderIndex index, Walk& walk) {
    InstrumentState& in = *order.in;
    const auto cancel_resting = [&] {
        end_order(engine, in, index, EventKind::cancelled, Reason::self_trade,
                  engine.key_of(engine.store.order(index)));
    };
    switch (order.terms.self_trade_prevention()) {
        case SelfTradePrevention::none:
            break;
        case SelfTradePrevention::cancel_oldest:
            cancel_resting();
            break;
        case SelfTradePrevention::cancel_both:
            cancel_resting();
            [[fallthrough]];
        case SelfTradePrevention::cancel_newest:
            cancel_incoming(engine, order, order.open, Reason::self_trade);
            return walk.stop(Matched::cancelled);
        case SelfTradePrevention::decrement_and_cancel: {
            const Quantity open = open_of(engine, engine.store.order(index));
            const Quantity smaller = std::min(order.open, open);
            if (smaller == open)
                cancel_resting();
            else
                cancel_part(engine, in, index, smaller, Reason::self_trade);
            cancel_incoming(engine, order, smaller, Reason::self_trade);
            if (order.open.value == 0) return walk.stop(Matched::cancelled);
            break;
        }
        case SelfTradePrevention::skip_own:
            walk.passed_own |= !engine.store.order(index).terms().has(OrderAttributes::k_held);
            break;
    }
    return true;
}

// Handles one resting order: skips it, prevents a self-trade, or trades. Result as in
// match_queue().
inline bool visit(EngineState& engine, Incoming& order, OrderIndex index, Walk& walk) {
    const Order& resting = engine.store.order(index);
    walk.refreshed = false;
    if (resting.account == order.account &&
        order.terms.self_trade_prevention() != SelfTradePrevention::none)
        return prevent_self_trade(engine, order, index, walk);
    walk.refreshed = trade(engine, order, index);
    return true;
}

// False if matching stops here; `walk.end` then says why.
inline bool match_queue(EngineState& engine, Incoming& order, LevelIndex queue, Walk& walk) {
    OrderIndex index = engine.store.level(queue).head;
    while (index != 0 && order.open.value > 0) {
        if (engine.events_left() < k_event_margin) return walk.stop(Matched::out_of_events);
        const OrderIndex next = engine.store.order(index).next;
        if (!visit(engine, order, index, walk)) return false;
        // A refreshed order that was the last one is its own successor.
        index = walk.refreshed && next == 0 ? index : next;
    }
    return true;
}

// As match_queue(). What is behind the last trade is not looked at.
inline bool match_undisplayed(EngineState& engine, Incoming& order, PriceKey key, LevelIndex hidden,
                              Walk& walk) {
    bool is_filled = false;
    const bool all_seen = for_each_undisplayed(
        engine, order.in->book, order.resting_side(), key, hidden, [&] { return order.open; },
        [&](OrderIndex index) {
            is_filled = order.open.value == 0;
            if (is_filled) return false;
            if (engine.events_left() < k_event_margin) return walk.stop(Matched::out_of_events);
            return visit(engine, order, index, walk);
        });
    return all_seen || is_filled;
}

// Matching when orders may have to be skipped: walks the queues, and stops after a level in which
// own orders were skipped.
DAMRAK_COLD inline Matched match_choosing(EngineState& engine, Incoming& order) {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    auto at = book.side(resting).best();
    AsideOrders::Place behind;
    while (order.open.value > 0) {
        const PriceKey key = std::min(
            at.key, aside_key(engine, book.aside(resting).first(engine.store, behind, order.open)));
        if (key > order.limit_key) break;
        Walk walk;
        // The displayed level outlives its last order while it has a hidden companion.
        const LevelIndex hidden = at.key == key ? engine.store.level(at.level).companion : 0;
        if (at.key == key && !match_queue(engine, order, at.level, walk)) return walk.end;
        if (!match_undisplayed(engine, order, key, hidden, walk)) return walk.end;
        if (walk.passed_own) return Matched::stopped;
        if (at.key == key) at = book.side(resting).next(engine.store.nodes, key);
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
    }
    return Matched::done;
}

// Whether take_level() may be used for the best level.
inline bool takes_level(const EngineState& engine, const Incoming& order, const Level& level) {
    return level.total <= order.open && level.companion == 0 && level.reserve.value == 0 &&
           std::uint64_t{level.count} * 2 + k_event_margin <= engine.events_left();
}

// Trades with all orders of the best level, none of which has a reserve: the same as trade() for
// each, without maintaining a queue that disappears as a whole.
inline void take_level(EngineState& engine, Incoming& order, Side resting) {
    InstrumentState& in = *order.in;
    const Tick tick = tick_of(resting, in.book.side(resting).best_key());
    const Price price = in.price_at(tick);
    Quantity taken{0};
    in.book.take_best(engine.store, resting, [&](OrderIndex index) {
        const Order& maker = engine.store.order(index);
        const AccountIndex account = maker.account;
        const ParticipantId owner = engine.owner_of(maker);
        const Quantity fill = maker.quantity;
        taken += fill;
        begin_fill(engine, in, maker, fill);
        engine.accounts.trade(account, resting, fill);
        engine.accounts.remove_open(owner, account, resting, fill, value_at(price, fill));
        emit_trade(engine, order, maker,
                   {.id = {allocated_id(maker.instrument, ++in.trade_number)},
                    .owner = owner,
                    .price = price,
                    .fill = fill,
                    .open = order.open - taken});
        forget(engine, index, engine.key_of(maker));
    });
    order.executed += taken;
    order.open -= taken;
    engine.accounts.trade(order.account, order.terms.side(), taken);
    note_trade(engine, in, tick);
}

// Matching when the first order at the best price always trades.
inline Matched match_fronts(EngineState& engine, Incoming& order) {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    while (order.open.value > 0 && book.side(resting).best_key() <= order.limit_key) {
        if (takes_level(engine, order, engine.store.level(book.side(resting).best_level()))) {
            take_level(engine, order, resting);
            continue;
        }
        if (engine.events_left() < k_event_margin) [[unlikely]]
            return Matched::out_of_events;
        trade(engine, order, book.front(engine.store, resting));
    }
    return Matched::done;
}

// Whether a resting order may belong to the same owner, so that its self-trade rule applies.
inline bool may_meet_own(const EngineState& engine, const Incoming& order) {
    if (order.terms.self_trade_prevention() == SelfTradePrevention::none) return false;
    const auto side = static_cast<std::size_t>(order.resting_side());
    return engine.accounts.account(order.account).open_orders[side] > 0;
}

// Whether some resting order may have to be skipped, or must not trade with this one.
inline bool needs_choice(const EngineState& engine, const Incoming& order) {
    return order.in->aside_orders > 0 || may_meet_own(engine, order);
}

// With the orders of its own instrument.
inline Matched match_own_book(EngineState& engine, Incoming& order) {
    if (order.in->shares()) [[unlikely]]
        return match_sharing(engine, order);
    return needs_choice(engine, order) ? match_choosing(engine, order)
                                       : match_fronts(engine, order);
}

inline Matched match(EngineState& engine, Incoming& order) {
    if (order.in->ruled && order.in->combined()) [[unlikely]]
        return match_combined(engine, order);
    return match_own_book(engine, order);
}

}  // namespace damrak::detail
