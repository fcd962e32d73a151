#include <damrak/engine/detail/uncross.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/auction/tick_table.hpp>
#include <damrak/engine/auction_bounds.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/auction_orders.hpp>
#include <damrak/engine/detail/batch.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/make_event.hpp>
#include <damrak/engine/detail/market_to_limit.hpp>
#include <damrak/engine/detail/matching.hpp>
#include <damrak/engine/detail/orders.hpp>
#include <damrak/engine/detail/price_limits.hpp>
#include <damrak/engine/detail/resting_fill.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

// The next order outside the queues that takes part in the auction, or zero.
OrderIndex next_aside(const EngineState& engine, const InstrumentState& in, Side side,
                      AsideOrders::Place behind) {
    return in.book.aside(side).first(engine.store, behind, AsideOrders::k_not_held);
}

// Writes the levels of a side, the best first, and returns their number.
std::size_t collect_levels(const EngineState& engine, const InstrumentState& in, Side side,
                           auction::PriceLevel* out, Quantity& market) {
    const auction::PriceLevel* const first = out;
    auto at = in.book.side(side).best();
    AsideOrders::Place behind;
    OrderIndex aside = next_aside(engine, in, side, behind);
    for (;;) {
        const PriceKey key = std::min(at.key, aside_key(engine, aside));
        if (key == k_no_price) return static_cast<std::size_t>(out - first);
        Quantity quantity;
        if (at.key == key) {
            const Level& level = engine.store.level(at.level);
            quantity = level.total + level.reserve;
            if (level.companion != 0) quantity += engine.store.level(level.companion).total;
            at = in.book.side(side).next(engine.store.nodes, key);
        }
        while (aside_key(engine, aside) == key) {
            const Order& order = engine.store.order(aside);
            (order.terms().type() == OrderType::market ? market : quantity) += order.quantity;
            behind = AsideOrders::place_of(engine.store, aside);
            aside = next_aside(engine, in, side, behind);
        }
        if (quantity.value == 0) continue;
        const Price limit = limit_in_auction(in, side, in.price_of(tick_of(side, key)));
        if (out != first && out[-1].price == limit)
            out[-1].quantity += quantity;
        else
            *out++ = {limit, quantity};
    }
}

// In these levels, which it writes.
auction::CallBook call_book_of(const EngineState& engine, const InstrumentState& in,
                               auction::PriceLevel* levels) {
    auction::CallBook book;
    const std::size_t bids = collect_levels(engine, in, Side::buy, levels, book.market_buys);
    const std::size_t asks =
        collect_levels(engine, in, Side::sell, levels + bids, book.market_sells);
    book.bids = {levels, bids};
    book.asks = {levels + bids, asks};
    return book;
}

auction::Equilibrium equilibrium_of(const InstrumentState& in, const auction::CallBook& book) {
    const auction::TickTable ticks{in.definition()};
    auction::PriceTerms terms{.rule = in.auction, .ticks = &ticks};
    if (const auto reference = auction_reference(in))
        terms.reference = auction::Midpoint::at(*reference);
    return auction::equilibrium_within(book, terms, auction_prices(in));
}

// Why the auction may not take place yet, or none.
Reason check_conditions(const InstrumentState& in, UncrossConditions::Bits conditions,
                        const auction::CallBook& book, const auction::Equilibrium& found) {
    const auto demands = [&](UncrossConditions::Bits bit) { return (conditions & bit) != 0; };
    if (demands(UncrossConditions::k_has_price) && !found.price) return Reason::no_auction_price;
    if (demands(UncrossConditions::k_price_in_corridor) && found.price &&
        !auction_corridor(in).contains(*found.price))
        return Reason::auction_price_outside;
    if (demands(UncrossConditions::k_no_market_orders_left) &&
        std::max(book.market_buys, book.market_sells) > found.executable)
        return Reason::market_orders_left;
    return Reason::none;
}

// The market order of a side that came first, or zero.
OrderIndex first_market_order(const EngineState& engine, const InstrumentState& in, Side side) {
    const OrderIndex first = next_aside(engine, in, side, {price_key(side, 0), 0});
    const bool found = first != 0 && engine.store.order(first).terms().type() == OrderType::market;
    return found ? first : 0;
}

// The order of a side that trades next at the auction price, or zero.
OrderIndex first_in_cross(const EngineState& engine, const InstrumentState& in, Side side,
                          Tick price) {
    // An iceberg that was refreshed keeps its place in the cross.
    if (const OrderIndex partial = engine.progress.suspended.partial[std::to_underlying(side)];
        partial != 0)
        return partial;
    if (in.aside_orders != 0)
        if (const OrderIndex market = first_market_order(engine, in, side); market != 0)
            return market;
    const auto best = in.book.side(side).best();
    const PriceKey key = std::min(best.key, aside_key(engine, next_aside(engine, in, side, {})));
    if (key > price_key(side, price)) return 0;
    LevelIndex hidden = 0;
    if (best.key == key) {
        const Level& level = engine.store.level(best.level);
        if (level.head != 0) return level.head;
        hidden = level.companion;
    }
    OrderIndex found = 0;
    for_each_undisplayed(
        engine, in.book, side, key, hidden, [] { return AsideOrders::k_not_held; },
        [&](OrderIndex index) {
            found = index;
            return false;
        });
    return found;
}

void emit_side(EngineState& engine, const InstrumentState& in, OrderIndex index, Tick price,
               Quantity quantity, EventFlags::Bits flags) {
    const Order& order = engine.store.order(index);
    Event event = event_of(engine, in, order, EventKind::executed, Reason::none);
    if (event.remaining.value == 0)
        event.flags &= static_cast<EventFlags::Bits>(~EventFlags::k_on_book);
    event.flags |= static_cast<EventFlags::Bits>(EventFlags::k_cross | flags);
    event.reference = allocated_id(in.id(), in.trade_number);
    event.price = in.price_of(price);
    event.quantity = quantity;
    engine.emit(event);
}

void trade_in_cross(EngineState& engine, InstrumentState& in, OrderIndex buy, OrderIndex sell,
                    Quantity quantity, Tick price) {
    ++in.trade_number;
    fill(engine, in, buy, quantity);
    fill(engine, in, sell, quantity);
    emit_side(engine, in, buy, price, quantity, {});
    emit_side(engine, in, sell, price, quantity, EventFlags::k_aggressor);
    settle_fill(engine, in, buy, quantity);
    settle_fill(engine, in, sell, quantity);
    note_trade(engine, in, price);
}

// The auction price decides who trades. At most one order is then filled in part, except in a
// batch.
bool trade_all(EngineState& engine, InstrumentState& in, Tick price, bool listed) {
    for (;;) {
        const auto next = [&](Side side) -> InCross {
            if (listed) return next_listed(engine, side);
            const OrderIndex first = first_in_cross(engine, in, side, price);
            if (first == 0) return {};
            return {first, open_of(engine, engine.store.order(first))};
        };
        const InCross buy = next(Side::buy);
        const InCross sell = next(Side::sell);
        if (buy.index == 0 || sell.index == 0) return true;
        if (engine.events_left() < k_event_margin) return false;
        const Quantity quantity = std::min(buy.most, sell.most);
        if (listed)
            for (const Side side : {Side::buy, Side::sell}) note_listed(engine, side, quantity);
        else
            engine.progress.suspended.partial = {buy.most > quantity ? buy.index : 0,
                                                 sell.most > quantity ? sell.index : 0};
        trade_in_cross(engine, in, buy.index, sell.index, quantity, price);
    }
}

// Imbalance-only orders join the call one after the other and trade with what it left on the other
// side.
bool trade_surplus(EngineState& engine, InstrumentState& in, Tick price) {
    if (in.auction_orders.first == 0) return true;
    if (!trade_all(engine, in, price, false)) return false;  // of the last one that joined
    const Side surplus = engine.progress.suspended.surplus;
    const auto next = [&](OrderIndex from) {
        return next_for_surplus(engine, in, opposite(surplus), price, from);
    };
    for (OrderIndex index = next(in.auction_orders.first);
         index != 0 && first_in_cross(engine, in, surplus, price) != 0;) {
        if (engine.events_left() < k_event_margin) return false;
        const OrderIndex behind = next(extension_of(engine, index).next);
        join_call(engine, in, index);
        if (!trade_all(engine, in, price, false)) return false;
        index = behind;
    }
    return true;
}

// Cancels the market orders that are left, unless they take the auction price as their limit.
bool end_market_orders(EngineState& engine, InstrumentState& in, Tick price) {
    for (const Side side : {Side::buy, Side::sell}) {
        while (const OrderIndex index = first_market_order(engine, in, side)) {
            if (engine.events_left() < k_event_margin) return false;
            if (!rest_at_auction_price(engine, in, index, price))
                end_order(engine, in, index, EventKind::cancelled, Reason::unfilled_remainder,
                          engine.key_of(engine.store.order(index)));
        }
    }
    return true;
}

void emit_price(EngineState& engine, InstrumentState& in, const auction::Equilibrium& found) {
    engine.emit({.kind = EventKind::uncrossed,
                 .command = engine.progress.command,
                 .side = found.surplus_side().value_or(Side::buy),
                 .instrument = in.id(),
                 .reference = found.price ? allocated_id(in.id(), ++in.trade_number) : 0,
                 .price = found.price.value_or(Price{}),
                 .quantity = found.executable,
                 .remaining = Quantity{std::abs(found.surplus.value)},
                 .displayed = Quantity{static_cast<std::int64_t>(in.call)}});
}

}  // namespace

void go_on_with_uncross(EngineState& engine) {
    InstrumentState& in = *engine.find_instrument(engine.progress.suspended.command.instrument);
    const Tick price = engine.progress.suspended.tick;
    const Phase next = engine.progress.suspended.command.phase.phase;
    const bool trades = next == Phase::continuous || next == Phase::at_last;
    if ((price != 0 &&
         (!trade_all(engine, in, price, in.sealed) || !trade_surplus(engine, in, price))) ||
        !end_auction_orders(engine, in) || !end_market_orders(engine, in, price) ||
        (in.sealed && !end_batch(engine, in)) || (trades && !cancel_outside_band(engine, in)))
        return engine.suspend(Work::uncross, in);
    engine.progress.rounds = {};
    in.phase = next;
    in.phase_since = engine.progress.suspended.command.timestamp;
    in.sealed = in.sealed && in.phase == Phase::call;
    in.restrictions = 0;
    in.note_rules();
    in.cause = {};
    in.stopped_at = {};
    in.top_arrivals = {};
    emit_plain(engine, EventKind::phase_changed, in.id(), {}, static_cast<std::int64_t>(in.phase));
    // Stops that came in the call may have been reached before.
    if (in.last_trade != 0 && in.stops.reaches(in.last_trade)) elect_stops(engine, in);
    note_auction(in, in.price_at(price));
    cascade(engine, in);
}

auction::Equilibrium auction_if_now(const EngineState& engine, const InstrumentState& in,
                                    auction::PriceLevel* levels) {
    return equilibrium_of(in, call_book_of(engine, in, levels));
}

Reason uncross(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    if (!is_valid(command.phase.phase) ||
        (command.phase.conditions & ~UncrossConditions::k_all) != 0)
        return Reason::invalid_state;
    if (in->state == TradingState::halted) return Reason::instrument_halted;
    if (in->phase != Phase::call) return Reason::not_in_phase;
    const auction::CallBook book = call_book_of(engine, *in, engine.call_levels.data());
    const auction::Equilibrium found = equilibrium_of(*in, book);
    if (const Reason reason = check_conditions(*in, command.phase.conditions, book, found);
        reason != Reason::none)
        return reason;
    engine.progress.suspended.command = command;
    const Tick price = found.price ? in->tick_of(*found.price) : 0;
    engine.progress.suspended.tick = price;
    engine.progress.suspended.arrival = 0;
    engine.progress.suspended.surplus = found.surplus_side().value_or(Side::buy);
    engine.progress.suspended.partial = {};
    if (in->sealed && found.price) list_trades(engine, *in, price, found.executable);
    emit_price(engine, *in, found);
    go_on_with_uncross(engine);
    return Reason::none;
}

}  // namespace damrak::detail
