#include <damrak/engine/detail/combinations.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include <damrak/base/wide_integer.hpp>
#include <damrak/engine/detail/across.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/matching.hpp>
#include <damrak/engine/detail/price_limits.hpp>
#include <damrak/engine/detail/resting_fill.hpp>

namespace damrak::detail {

namespace {

Quantity at_best(const EngineState& engine, const InstrumentState& in, Side side) {
    const Level& level = engine.store.level(in.book.side(side).best_level());
    const Quantity hidden =
        level.companion == 0 ? Quantity{} : engine.store.level(level.companion).total;
    return level.total + hidden;
}

// Who buys a unit of the combination buys the ratio of each leg. An order that trades across the
// books is on one side of that, and the orders of all other books are on the other.
Across parts_of(const EngineState& engine, const Taker& taker, InstrumentId combination) {
    Across across{.combination = &state_of(engine, combination), .parts = {}};
    const Combination& found = engine.combinations[combination];
    const auto add = [&](InstrumentState& in, bool buys, std::int64_t ratio) {
        across.parts.at(across.count++) = {&in, buys ? Side::buy : Side::sell, std::abs(ratio)};
    };
    std::int64_t direction = taker.side == Side::buy ? 1 : -1;  // in which units are traded
    if (taker.in->id() != combination) {
        for (const CombinationDetails::Leg& leg : found.details.legs)
            if (leg.ratio != 0 && leg.instrument == taker.in->id()) direction *= -leg.ratio;
        add(*across.combination, direction > 0, 1);
    }
    for (std::size_t i = 0; i < found.legs(); ++i) {
        const auto& [instrument, ratio] = found.details.legs[i];
        if (instrument != taker.in->id())
            add(state_of(engine, instrument), ratio * direction < 0, ratio);
    }
    return across;
}

bool may_trade(const EngineState& engine, const Taker& taker, const Part& part) {
    return is_open(*part.in) && !has_orders(engine, taker.owner, part);
}

// The price for the order, if the other books trade at these prices. They are all of one unit.
template <class PriceOf>
Int128 price_of_unit(const Taker& taker, const Across& across, PriceOf&& price_of) {
    Int128 paid = 0;
    for (const Part& part : std::span{across.parts}.first(across.count)) {
        const Int128 price = Int128{price_of(part).value} * part.ratio;
        paid += part.resting == Side::sell ? price : -price;
    }
    return taker.side == Side::buy ? paid : -paid;
}

// The key of a price for the taker, or k_no_price if it is not valid or not allowed there.
PriceKey key_for(const Taker& taker, Int128 price) {
    Tick tick = 0;
    const Price whole{static_cast<std::int64_t>(price)};
    if (whole.value != price ||
        taker.in->check_price(whole, Reason::invalid_price, tick) != Reason::none ||
        !may_trade_at(*taker.in, whole))
        return k_no_price;
    return price_key(opposite(taker.side), tick);
}

// The best of all combinations of the taker's instrument; of equal ones the earliest.
Across best_implied(const EngineState& engine, const Taker& taker) {
    Across best;
    if (!is_open(*taker.in)) return best;
    const auto look = [&](InstrumentId combination) {
        const Across other = look_across(engine, taker, combination);
        if (other.key < best.key) best = other;
    };
    if (taker.in->combination == CombinationKind::spread) look(taker.in->id());
    for (CombinationUse use = taker.in->first_use; use != 0;
         use = engine.combinations.next_use(use))
        if (engine.combinations.implies(use)) look(Combinations::instrument_of(use));
    return best;
}

void emit_fill(EngineState& engine, const InstrumentState& in, const Order& order, Price price,
               Quantity fill) {
    Event event = event_of(engine, in, order, EventKind::executed, Reason::none);
    if (event.remaining.value == 0)
        event.flags &= static_cast<EventFlags::Bits>(~EventFlags::k_on_book);
    event.flags |= EventFlags::k_implied;
    event.reference = engine.progress.across.id.value;
    event.price = price;
    event.quantity = fill;
    engine.emit(event);
}

// Fills the order that is first in a book.
void fill_first(EngineState& engine, TradeAcross::Part& part) {
    InstrumentState& in = *part.in;
    const OrderIndex index = in.book.front(engine.store, part.resting);
    const Order& order = engine.store.order(index);
    const Tick tick = order.tick;
    const Quantity quantity = std::min(part.left, order.quantity);
    const Int128 value = Int128{in.price_at(tick).value} * quantity.value;
    engine.progress.across.paid += part.resting == Side::sell ? value : -value;
    part.left -= quantity;
    fill_across(engine, in, index, quantity, tick);
}

// Reports the incoming order's side, once all others have traded.
void end_across(EngineState& engine, Incoming& order) {
    InstrumentState& in = *order.in;
    TradeAcross& trade = engine.progress.across;
    const Price price = price_across(trade, order.terms.side());
    order.open -= trade.units;
    order.executed += trade.units;
    engine.accounts.trade(order.account, order.terms.side(), trade.units);
    Event event = event_of(engine, order, EventKind::executed, Reason::none);
    event.flags |= EventFlags::k_aggressor | EventFlags::k_implied;
    event.reference = trade.id.value;
    event.price = price;
    event.quantity = trade.units;
    engine.emit(event);
    trade.end = 0;
    note_trade(engine, in, in.tick_of(price));
}

// Continues the current trade, if any. False if the slice is full.
bool go_on_across(EngineState& engine, Incoming& order) {
    if (engine.progress.across.end == 0) return true;
    if (!trade_parts(engine)) return false;
    end_across(engine, order);
    return true;
}

// The best price of its own book behind one at which it has met all orders; own held ones are left
// there.
PriceKey touch_behind(const EngineState& engine, const Incoming& order, PriceKey passed) {
    const OrderBook& book = order.in->book;
    const Side resting = order.resting_side();
    if (passed == 0) return touch(engine, *order.in, resting, order.open);
    const AsideOrders::Place behind{passed, std::numeric_limits<std::uint64_t>::max()};
    return std::min(book.side(resting).next(engine.store.nodes, passed).key,
                    aside_key(engine, book.aside(resting).first(engine.store, behind, order.open)));
}

// As many units as all best prices have; if one of them has less than a unit, one unit.
Matched match_basket(EngineState& engine, Incoming& order) {
    const Across across = parts_of(engine, taker_of(order), order.in->id());
    for (;;) {
        if (!go_on_across(engine, order)) return Matched::out_of_events;
        if (order.open.value == 0) return Matched::done;
        std::int64_t units = order.open.value;
        for (const Part& part : std::span{across.parts}.first(across.count))
            units = std::min(units, at_best(engine, *part.in, part.resting).value / part.ratio);
        begin_across(engine, across, std::max<std::int64_t>(units, 1));
    }
}

// What the quantity between two depths of a book costs; nothing if there is less, or not at allowed
// prices.
std::optional<Int128> value_between(const EngineState& engine, const Part& part, Int128 from,
                                    Int128 to) {
    const PriceLadder& ladder = part.in->book.side(part.resting);
    Int128 depth = 0;
    Int128 value = 0;
    for (auto at = ladder.best(); at.level != 0 && depth < to;
         at = ladder.next(engine.store.nodes, at.key)) {
        const Level& level = engine.store.level(at.level);
        const Int128 begin = std::max(depth, from);
        depth += (level.total + level.reserve).value;
        if (level.companion != 0) depth += engine.store.level(level.companion).total.value;
        if (depth <= begin) continue;
        const Price price = part.in->price_at(tick_of(part.resting, at.key));
        if (!may_trade_at(*part.in, price)) return std::nullopt;
        value += Int128{price.value} * (std::min(depth, to) - begin);
    }
    return depth < to ? std::nullopt : std::optional{value};
}

// Whether the books of all legs have the whole quantity, and every unit is within the limit: as
// each unit costs no less than the one before, the first and the last one tell.
bool is_available_across(const EngineState& engine, const Incoming& order) {
    const Taker taker = taker_of(order);
    const Across across = parts_of(engine, taker, order.in->id());
    if (!is_open(*order.in)) return false;
    const auto parts = std::span{across.parts}.first(across.count);
    for (const Part& part : parts)
        if (!may_trade(engine, taker, part)) return false;
    for (const std::int64_t unit : {std::int64_t{0}, order.open.value - 1}) {
        Int128 paid = 0;
        for (const Part& part : parts) {
            const Int128 from = Int128{part.ratio} * unit;
            const auto value = value_between(engine, part, from, from + part.ratio);
            if (!value) return false;
            paid += part.resting == Side::sell ? *value : -*value;
        }
        if (key_for(taker, taker.side == Side::buy ? paid : -paid) > order.limit_key) return false;
    }
    return true;
}

// A price of its own book whose orders did not fit into a slice continues in the next one: implied
// prices are looked at between prices alone.
Matched match_by_prices(EngineState& engine, Incoming& order) {
    OwnPrices& at = engine.progress.own_prices;
    const PriceKey limit = order.limit_key;
    for (;;) {
        if (!go_on_across(engine, order)) return Matched::out_of_events;
        if (order.open.value == 0) return Matched::done;
        if (at.level == 0) {
            const PriceKey own = touch_behind(engine, order, at.passed);
            const Across across = best_implied(engine, taker_of(order));
            if (std::min(own, across.key) > limit) return Matched::done;
            if (across.key < own) {
                begin_across(engine, across, std::min(across.units, order.open.value));
                continue;
            }
            at.level = own;
        }
        order.limit_key = at.level;
        const Matched matched = match_own_book(engine, order);
        order.limit_key = limit;
        if (matched != Matched::done) return matched;
        at.passed = std::exchange(at.level, 0);
    }
}

}  // namespace

InstrumentState& state_of(const EngineState& engine, InstrumentId id) {
    return const_cast<EngineState&>(engine).instruments[id.value - 1];
}

bool is_open(const InstrumentState& in) {
    return in.state == TradingState::trading && in.phase == Phase::continuous;
}

bool has_orders(const EngineState& engine, ParticipantId owner, const Part& part) {
    if (!owner) return false;
    const AccountIndex account = engine.accounts.find(owner, part.in->id());
    return engine.accounts.account(account).open_orders[static_cast<std::size_t>(part.resting)] > 0;
}

Across look_across(const EngineState& engine, const Taker& taker, InstrumentId combination) {
    Across across = parts_of(engine, taker, combination);
    const std::int64_t lot = taker.in->definition().lot_size.value;
    std::int64_t units = std::numeric_limits<std::int64_t>::max();
    const auto best = [](const Part& part) {
        const PriceKey key = part.in->book.side(part.resting).best_key();
        return part.in->price_at(tick_of(part.resting, key));
    };
    for (const Part& part : std::span{across.parts}.first(across.count)) {
        if (part.in->book.side(part.resting).best_key() == k_no_price ||
            !may_trade(engine, taker, part) || !may_trade_at(*part.in, best(part)))
            return across;
        units = std::min(units, at_best(engine, *part.in, part.resting).value / part.ratio);
    }
    across.units = units / lot * lot;
    if (across.units > 0) across.key = key_for(taker, price_of_unit(taker, across, best));
    return across;
}

// Begins a trade of this many units.
void begin_across(EngineState& engine, const Across& across, std::int64_t units) {
    TradeAcross& trade = engine.progress.across;
    InstrumentState& combination = *across.combination;
    trade = {.parts = {}, .next = 0, .end = static_cast<std::uint32_t>(across.count)};
    for (std::size_t i = 0; i < across.count; ++i) {
        const Part& part = across.parts[i];
        trade.parts.at(i) = {part.in, part.resting, Quantity{part.ratio * units}};
    }
    trade.id = TradeId{allocated_id(combination.id(), ++combination.trade_number)};
    trade.units = Quantity{units};
}

// An order at rest trades across books, not always at its own price.
void fill_across(EngineState& engine, InstrumentState& in, OrderIndex index, Quantity quantity,
                 Tick tick) {
    fill(engine, in, index, quantity);
    emit_fill(engine, in, engine.store.order(index), in.price_at(tick), quantity);
    settle_fill(engine, in, index, quantity);
    in.last_trade = tick;
    if (in.stops.reaches(tick)) elect_stops(engine, in);
    engine.combinations.add_due(in.id(), tick);
}

// Of a unit, for the order that trades with the parts.
Price price_across(const TradeAcross& trade, Side side) {
    const Int128 paid = side == Side::buy ? trade.paid : -trade.paid;
    return Price{static_cast<std::int64_t>(paid / trade.units.value)};
}

// The parts of the current trade trade. False if the slice is full.
bool trade_parts(EngineState& engine) {
    TradeAcross& trade = engine.progress.across;
    for (; trade.next < trade.end; ++trade.next)
        for (TradeAcross::Part& part = trade.parts[trade.next]; part.left.value > 0;) {
            if (engine.events_left() < k_event_margin) return false;
            fill_first(engine, part);
        }
    return engine.events_left() >= k_event_margin;
}

bool suits_basket(const Command& command) {
    return command.order_type == OrderType::limit && command.time_in_force == TimeInForce::fok &&
           (command.flags & ~CommandFlags::k_number_refused) == 0 && command.order.empty();
}

void enter_basket(EngineState& engine, Incoming& order, EventKind kind, std::uint64_t reference) {
    Event event = event_of(engine, order, kind, Reason::none);
    emit_entry(engine, event, order, reference);
    if (!is_available_across(engine, order))
        return drop_remainder(engine, order, Reason::fill_or_kill);
    match_incoming(engine, order);
}

PriceKey find_implied_touch(const EngineState& engine, const Taker& taker) {
    return best_implied(engine, taker).key;
}

Taker taker_of(const Incoming& order) {
    const bool minds_own = order.terms.self_trade_prevention() != SelfTradePrevention::none;
    return {order.in, order.terms.side(), minds_own ? order.participant : ParticipantId{}};
}

Matched match_combined(EngineState& engine, Incoming& order) {
    if (order.in->combination == CombinationKind::basket) return match_basket(engine, order);
    const Matched matched = match_by_prices(engine, order);
    if (matched != Matched::out_of_events) engine.progress.own_prices = {};
    return matched;
}

InstrumentState& begin_due_turns(EngineState& engine) {
    const Combinations::Due due = engine.combinations.take_due();
    engine.progress.highest_trade = due.highest_trade;
    engine.progress.lowest_trade = due.lowest_trade;
    return engine.instruments[due.instrument.value - 1];
}

}  // namespace damrak::detail
