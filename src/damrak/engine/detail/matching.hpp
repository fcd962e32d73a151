// Price-time matching (rule book, sections 5 to 7). Each matching policy is a case of match(),
// which is reached once for an incoming order; the rest of the engine does not know how orders
// match.
#pragma once

#include <algorithm>
#include <limits>

#include <damrak/base/inline.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/engine.hpp>

namespace damrak {

inline Engine::Matched Engine::match(Incoming& order) {
    switch (order.in->definition().policy) {
        case MatchingPolicy::price_time:
            break;
    }
    return needs_choice(order) ? match_choosing(order) : match_fronts(order);
}

// Whether some resting order might have to be passed over, or must not trade with this one.
inline bool Engine::needs_choice(const Incoming& order) const {
    if (order.in->aside_orders > 0) return true;
    if (order.terms.self_trade_prevention() == SelfTradePrevention::none) return false;
    const auto side = static_cast<std::size_t>(order.resting_side());
    return accounts_.account(order.account).open_orders[side] > 0;
}

// The first in the queue at the best price always trades.
inline Engine::Matched Engine::match_fronts(Incoming& order) {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    while (order.open.value > 0 && book.side(resting).best_key() <= order.limit_key) {
        const Level& level = store_.level(book.side(resting).best_level());
        if (level.total <= order.open && level.companion == 0 && level.reserve.value == 0 &&
            std::uint64_t{level.count} * 2 + k_event_margin <= events_left()) {
            take_level(order, resting);
            continue;
        }
        if (events_left() < k_event_margin) [[unlikely]]
            return Matched::out_of_events;
        trade(order, book.front(store_, resting));
    }
    return Matched::done;
}

// Trades with all orders of the best level, which hold nothing back: trade() for each, without the
// upkeep of a queue that goes as a whole.
inline void Engine::take_level(Incoming& order, Side resting) {
    InstrumentState& in = *order.in;
    const Tick tick = damrak::tick_of(resting, in.book.side(resting).best_key());
    const Price price = in.price_of(tick);
    Quantity taken{0};
    in.book.take_best(store_, resting, [&](OrderIndex index) {
        const Order& maker = store_.order(index);
        const AccountIndex account = maker.account;
        const ParticipantId owner = owner_of(maker);
        const Quantity fill = maker.quantity;
        taken += fill;
        in.orders_hash -= hash_of(maker);
        accounts_.trade(account, resting, fill);
        accounts_.remove_open(owner, account, resting, fill, price.value * fill.value);
        emit_trade(order, maker,
                   {.id = {allocated_id(maker.instrument, ++in.trade_number)},
                    .owner = owner,
                    .price = price,
                    .fill = fill,
                    .open = order.open - taken});
        forget(index, key_of(maker));
    });
    order.executed += taken;
    order.open -= taken;
    accounts_.trade(order.account, order.terms.side(), taken);
    note_trade(in, tick);
}

// Both sides of a trade, the resting one first.
DAMRAK_HOT void Engine::emit_trade(const Incoming& order, const Order& maker, const Trade& trade) {
    using detail::EventHead;
    const InstrumentId instrument = maker.instrument;
    emit(detail::make_event(
        EventHead::of(EventKind::executed, command_, maker.terms(), Reason::none, trade.flags),
        {.instrument = instrument,
         .participant = trade.owner,
         .order_id = maker.id,
         .reference = trade.id.value,
         .price = trade.price,
         .quantity = trade.fill,
         .remaining = trade.left,
         .displayed = trade.displayed}));
    const auto hidden = order.terms.has(OrderAttributes::k_hidden) ? EventFlags::k_hidden : 0;
    emit(detail::make_event(
        EventHead::of(EventKind::executed, command_, order.terms, Reason::none,
                      static_cast<EventFlags::Bits>(EventFlags::k_aggressor | hidden)),
        {.instrument = instrument,
         .participant = order.participant,
         .order_id = order.id,
         .reference = trade.id.value,
         .price = trade.price,
         .quantity = trade.fill,
         .remaining = trade.open}));
}

// What follows from a trade at this price.
DAMRAK_HOT void Engine::note_trade(InstrumentState& in, Tick tick) {
    in.last_trade = tick;
    if (in.stops.reaches(tick)) [[unlikely]]
        elect_stops(in);
}

// Orders may be passed over: walk the queues, and stop behind a level in which own ones were left.
DAMRAK_COLD inline Engine::Matched Engine::match_choosing(Incoming& order) {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    auto at = book.side(resting).best();
    AsideOrders::Place behind;
    while (order.open.value > 0) {
        const PriceKey key =
            std::min(at.key, key_of(book.aside(resting).first(store_, behind, order.open)));
        if (key > order.limit_key) break;
        Walk walk;
        // The displayed level outlives its last order while hidden ones hang on it.
        const LevelIndex hidden = at.key == key ? store_.level(at.level).companion : 0;
        if (at.key == key && !match_queue(order, at.level, walk)) return walk.end;
        if (!match_undisplayed(order, key, hidden, walk)) return walk.end;
        if (walk.passed_own) return Matched::stopped;
        if (at.key == key) at = book.side(resting).next(store_.nodes, key);
        behind = {key, std::numeric_limits<std::uint64_t>::max()};
    }
    return Matched::done;
}

inline bool Engine::match_undisplayed(Incoming& order, PriceKey key, LevelIndex hidden,
                                      Walk& walk) {
    return for_each_undisplayed(
        order.in->book, order.resting_side(), key, hidden, [&] { return order.open; },
        [&](OrderIndex index) {
            if (order.open.value == 0) return true;
            if (events_left() < k_event_margin) return walk.stop(Matched::out_of_events);
            return visit(order, index, walk);
        });
}

// False if matching stops here; `walk.end` then says why.
inline bool Engine::match_queue(Incoming& order, LevelIndex queue, Walk& walk) {
    OrderIndex index = store_.level(queue).head;
    while (index != 0 && order.open.value > 0) {
        if (events_left() < k_event_margin) return walk.stop(Matched::out_of_events);
        const OrderIndex next = store_.order(index).next;
        if (!visit(order, index, walk)) return false;
        // A refreshed order that was the last one is its own successor.
        index = walk.refreshed && next == 0 ? index : next;
    }
    return true;
}

// One resting order: passed over, prevented or traded with. False as match_queue().
inline bool Engine::visit(Incoming& order, OrderIndex index, Walk& walk) {
    const Order& resting = store_.order(index);
    walk.refreshed = false;
    if (resting.account == order.account &&
        order.terms.self_trade_prevention() != SelfTradePrevention::none)
        return prevent_self_trade(order, index, walk);
    if (resting.terms().has(OrderAttributes::k_held) &&
        order.open < AsideOrders::need_of(store_, index))
        return pass_over(order, walk);
    walk.refreshed = trade(order, index);
    return true;
}

inline bool Engine::pass_over(Incoming& order, Walk& walk) const {
    return !bounded() || ++order.skips <= config_.maximum_skips || walk.stop(Matched::out_of_skips);
}

inline bool Engine::prevent_self_trade(Incoming& order, OrderIndex index, Walk& walk) {
    InstrumentState& in = *order.in;
    const auto cancel_resting = [&] {
        end_order(in, index, EventKind::cancelled, Reason::self_trade, key_of(store_.order(index)));
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
            cancel_incoming(order, order.open, Reason::self_trade);
            return walk.stop(Matched::cancelled);
        case SelfTradePrevention::decrement_and_cancel: {
            const Quantity open = open_of(store_.order(index));
            const Quantity smaller = std::min(order.open, open);
            if (smaller == open)
                cancel_resting();
            else
                cancel_part(in, index, smaller, Reason::self_trade);
            cancel_incoming(order, smaller, Reason::self_trade);
            if (order.open.value == 0) return walk.stop(Matched::cancelled);
            break;
        }
        case SelfTradePrevention::skip_own:
            walk.passed_own |=
                bounded() || !store_.order(index).terms().has(OrderAttributes::k_held);
            return pass_over(order, walk);
    }
    return true;
}

// Trades with a resting order at its price. True if its next slice joined the end of the queue.
inline bool Engine::trade(Incoming& order, OrderIndex index) {
    if (store_.order(index).terms().has(k_conditional)) [[unlikely]]
        return trade_with<true>(order, index);
    return trade_with<false>(order, index);
}

template <bool k_with_conditional>
inline bool Engine::trade_with(Incoming& order, OrderIndex index) {
    InstrumentState& in = *order.in;
    Order& maker = store_.order(index);
    const Side side = maker.terms().side();
    const Tick tick = maker.tick;
    const Price price = in.price_of(tick);
    const Quantity fill = std::min(order.open, maker.quantity);
    const ParticipantId owner = owner_of(maker);
    const bool hidden = maker.terms().undisplayed();
    const bool aside = k_with_conditional && maker.terms().has(OrderAttributes::k_aside);

    in.orders_hash -= hash_of(maker);
    if constexpr (k_with_conditional) {
        if (aside) in.book.take_aside(store_, index);
        if (maker.terms().has(OrderAttributes::k_held)) release_hold(in, index);
    }
    maker.executed += fill;
    order.executed += fill;
    order.open -= fill;
    accounts_.trade(maker.account, side, fill);
    accounts_.trade(order.account, order.terms.side(), fill);
    if (aside)
        maker.quantity -= fill;
    else
        in.book.reduce(store_, index, fill);

    const Quantity left = open_of(maker);
    const bool filled = left.value == 0;
    const bool slice_used = maker.quantity.value == 0;
    const int on_book = filled ? 0 : EventFlags::k_on_book;
    emit_trade(
        order, maker,
        {.id = {allocated_id(maker.instrument, ++in.trade_number)},
         .owner = owner,
         .price = price,
         .fill = fill,
         .open = order.open,
         .left = left,
         .displayed = hidden ? Quantity{0} : maker.quantity,
         .flags = static_cast<EventFlags::Bits>(on_book | (hidden ? EventFlags::k_hidden : 0))});

    const std::int64_t value = price.value * fill.value;
    if (filled) {
        accounts_.remove_open(owner, maker.account, side, fill, value);
        if (aside)
            count_aside(in, index, -1U);
        else
            in.book.remove(store_, index);
        forget(index, key_of(maker));
    } else {
        accounts_.change_open(owner, maker.account, side, -fill, -value);
        if (aside) in.book.put_aside(store_, index);
        if (slice_used) [[unlikely]]
            refresh(in, index);
        in.orders_hash += hash_of(maker);
    }
    note_trade(in, tick);
    return slice_used && !filled;
}

// A held order that trades is a plain hidden one from then on. It stands aside until it had a turn.
DAMRAK_COLD inline void Engine::release_hold(InstrumentState& in, OrderIndex index) {
    Order& order = store_.order(index);
    count_aside(in, index, -1U);
    OrderAttributes terms = order.terms();
    terms.clear(OrderAttributes::k_held);
    terms.set(OrderAttributes::k_hidden);
    order.set_terms(terms);
    if (terms.has(OrderAttributes::k_aside)) count_aside(in, index, 1);
    OrderExtension& extension = store_.extension(order.extension);
    extension.minimum = Quantity{0};
    if (extension.expire_time.value == 0) release_extension(index);
}

// The next slice of an iceberg, at the end of the queue and under a new public id.
DAMRAK_COLD inline void Engine::refresh(InstrumentState& in, OrderIndex index) {
    Order& order = store_.order(index);
    OrderExtension& extension = store_.extension(order.extension);
    const Quantity slice = std::min(extension.display_quantity, extension.reserve);
    extension.reserve -= slice;
    extension.public_id = OrderId{allocated_id(order.instrument, in.next_order_number())};
    in.book.requeue(store_, index, slice);
    Event event = event_of(in, order, EventKind::refreshed, Reason::none);
    event.reference = extension.public_id.value;
    emit(event);
}

}  // namespace damrak
