#include <damrak/engine/detail/price_limits.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>

#include <damrak/auction/price_range.hpp>
#include <damrak/engine/auction_bounds.hpp>
#include <damrak/engine/detail/aside.hpp>
#include <damrak/engine/detail/auction_orders.hpp>
#include <damrak/engine/detail/ending.hpp>
#include <damrak/engine/detail/entry.hpp>
#include <damrak/engine/detail/events.hpp>
#include <damrak/engine/detail/next_trade.hpp>
#include <damrak/engine/detail/turns.hpp>

namespace damrak::detail {

namespace {

using auction::PriceRange;

constexpr Quantity k_any_quantity{std::numeric_limits<std::int64_t>::max()};

PriceRange around(Price reference, const PriceLimitDetails::Margin& margin) {
    return auction::Margin{margin.basis_points, Price{margin.at_least}}.around(reference);
}

PriceRange both(const PriceRange& a, const PriceRange& b) {
    return {std::max(a.low, b.low), std::min(a.high, b.high)};
}

// The prices at which trades are allowed; none if the lower end is above the upper one.
PriceRange allowed_prices(const InstrumentState& in) {
    if (in.phase == Phase::at_last) return {in.last_auction, in.last_auction};
    const PriceLimitDetails& limits = in.rules.price_limits;
    PriceRange allowed = band_of(in);
    if (limits.dynamic_corridor.exists() && in.last_trade != 0)
        allowed = both(allowed, around(in.price_of(in.last_trade), limits.dynamic_corridor));
    if (limits.static_corridor.exists() && in.rules.price_band.reference != Price{})
        allowed = both(allowed, around(in.rules.price_band.reference, limits.static_corridor));
    return allowed;
}

OnBreach on_breach(const InstrumentState& in) {
    return in.phase == Phase::at_last ? OnBreach::rest : in.rules.price_limits.on_breach;
}

// Up to where a collar lets an order of this side trade, if its best price is `best`.
PriceRange collar_of(const InstrumentState& in, Side resting, PriceKey best) {
    const PriceLimitDetails::Margin& margin = in.rules.price_limits.market_collar;
    if (!margin.exists() || best == k_no_price) return auction::k_any_price;
    return around(in.price_of(tick_of(resting, best)), margin);
}

// The worst key of the resting side that is within the range, for an order that meets `best` first;
// zero, which no order has, if that is outside already.
PriceKey limit_within(const InstrumentState& in, Side side, PriceKey best,
                      const PriceRange& allowed) {
    const Side resting = opposite(side);
    if (best != k_no_price && !allowed.contains(in.price_of(tick_of(resting, best)))) return 0;
    const Price edge = worst_price(in.definition(), side, allowed);
    const Tick tick = in.tick_of(edge);
    return tick == 0 ? 0 : price_key(resting, tick);
}

bool is_through(Side side, Price limit, Price edge) {
    return side == Side::buy ? limit > edge : limit < edge;
}

// An order of this side with a limit through the band, or zero: by priority those in the queues,
// then those outside.
OrderIndex first_through(const EngineState& engine, const InstrumentState& in, Side side,
                         const PriceRange& band) {
    const auto through = [&](PriceKey key) {
        return key != k_no_price && is_through(side, in.price_of(tick_of(side, key)),
                                               side == Side::buy ? band.high : band.low);
    };
    if (through(in.book.side(side).best_key())) return in.book.front(engine.store, side);
    const OrderIndex aside = in.book.aside(side).first(engine.store, {}, k_any_quantity);
    return through(aside_key(engine, aside)) ? aside : 0;
}

void begin_interruption(EngineState& engine, InstrumentState& in) {
    in.phase = Phase::call;
    in.call = CallKind::interruption;
    in.restrictions = 0;
    in.note_rules();
    in.cause = HaltCause::volatility;
    in.phase_since = engine.progress.now;
    engine.emit({.kind = EventKind::phase_changed,
                 .command = engine.progress.command,
                 .reason = Reason::price_band,
                 .instrument = in.id(),
                 .quantity = Quantity{static_cast<std::int64_t>(Phase::call)},
                 .remaining = Quantity{static_cast<std::int64_t>(in.cause)}});
}

}  // namespace

Reason check_price_limits(const InstrumentState& in, const PriceTerms& order) {
    if (!in.ruled) return Reason::none;
    const PriceLimitDetails& limits = in.rules.price_limits;
    const bool buy = order.side == Side::buy;
    if (order.waits && limits.refuse_reached_stops != 0 && !in.collects() && in.last_trade != 0) {
        const Price last = in.price_of(in.last_trade);
        if (buy ? last >= order.stop : last <= order.stop) return Reason::stop_reached;
    }
    if (!has_limit(order.type)) return Reason::none;
    if (order.type == OrderType::limit && limits.entry_limit.exists() && in.last_trade != 0) {
        const PriceRange range = around(in.price_of(in.last_trade), limits.entry_limit);
        if (is_through(order.side, order.limit, buy ? range.high : range.low))
            return Reason::price_through_limit;
    }
    const PriceRange band = band_of(in);
    if (in.daily != DailyBand::none && !band.contains(order.limit))
        return Reason::outside_price_band;
    const bool counts_as_edge = in.collects() && in.collar != 0;
    const bool refuses = limits.on_breach == OnBreach::cancel && !counts_as_edge;
    const bool outside = is_through(order.side, order.limit, buy ? band.high : band.low);
    return refuses && outside ? Reason::outside_price_band : Reason::none;
}

bool may_trade_at(const InstrumentState& in, Price price) {
    return allowed_prices(in).contains(price);
}

PriceRange auction_corridor(const InstrumentState& in) {
    const PriceLimitDetails::Margin& margin = in.rules.price_limits.auction_corridor;
    const Price reference = in.rules.price_band.reference;
    if (!margin.exists() || reference == Price{}) return auction::k_any_price;
    return around(reference, margin);
}

Price market_value_price(const EngineState& engine, const Seeker& order) {
    const InstrumentState& in = *order.in;
    const bool collared = !in.collects() && in.rules.price_limits.market_collar.exists();
    const PriceKey best = collared ? next_trade(engine, order).key : k_no_price;
    if (best == k_no_price) return in.price_of(in.last_trade);
    const Price worst =
        worst_price(in.definition(), order.side, collar_of(in, opposite(order.side), best));
    return in.price_of(in.tick_of(worst));
}

Tick resting_limit(const InstrumentState& in, Side side, Tick limit) {
    if (in.is_ordinary() || on_breach(in) != OnBreach::rest) return limit;
    const Price edge = worst_price(in.definition(), side, allowed_prices(in));
    const Tick tick = in.tick_of(edge);
    return tick != 0 && is_through(side, in.price_of(limit), edge) ? tick : limit;
}

void limit_prices(const EngineState& engine, Incoming& order) {
    const InstrumentState& in = *order.in;
    const Side side = order.terms.side();
    const PriceKey best = next_trade(engine, seeker_of(order)).key;
    const PriceRange allowed = allowed_prices(in);
    if (order.terms.type() == OrderType::market) {
        order.own_key = std::min(
            order.own_key, limit_within(in, side, best, collar_of(in, order.resting_side(), best)));
    } else if (!is_immediate(order.terms.time_in_force())) {
        const Tick limit = resting_limit(in, side, order.tick);
        order.repriced |= limit != order.tick;
        order.set_limit(limit);
    }
    order.limit_key = std::min(order.own_key, limit_within(in, side, best, allowed));
}

bool breaches(const EngineState& engine, const Incoming& order) {
    return next_trade(engine, seeker_of(order)).key != k_no_price;
}

void breach(EngineState& engine, Incoming& order) {
    InstrumentState& in = *order.in;
    if (on_breach(in) != OnBreach::interrupt)
        return drop_remainder(engine, order, Reason::price_band);
    begin_interruption(engine, in);
    const bool market = order.terms.type() == OrderType::market;
    if (is_immediate(order.terms.time_in_force()) || (!market && !order.has_room)) {
        drop_remainder(engine, order, Reason::price_band);
    } else {
        if (market) order.terms.set(OrderAttributes::k_aside);
        rest_remainder(engine, order);
    }
    attend_call(engine, in);
}

bool settle_own_cross(const EngineState& engine, Incoming& order) {
    InstrumentState& in = *order.in;
    switch (in.rules.price_limits.on_own_cross) {
        case OnOwnCross::rest_undisplayed:
            break;
        case OnOwnCross::refuse:
            return false;
        case OnOwnCross::reprice: {
            const Side resting = order.resting_side();
            const Price best =
                in.price_of(tick_of(resting, touch(engine, in, resting, order.open)));
            const InstrumentDefinition& definition = in.definition();
            const Price behind = order.terms.side() == Side::buy
                                     ? definition.next_price_below(best)
                                     : definition.next_price_above(best);
            if (!definition.in_range(behind)) return false;
            order.set_limit(in.tick_of(behind));
            return true;
        }
    }
    order.terms.set(OrderAttributes::k_aside);
    return true;
}

void note_auction(InstrumentState& in, Price price) {
    in.last_auction = price;
    const PriceLimitDetails& limits = in.rules.price_limits;
    if (price != in.definition().floor() &&
        (limits.static_corridor.exists() || limits.auction_corridor.exists()))
        in.rules.price_band.reference = price;
}

Reason set_price_limits(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const PriceLimitDetails& wanted = command.price_limits;
    const bool whole = wanted.refuse_reached_stops <= 1 && is_valid(wanted.on_breach) &&
                       is_valid(wanted.on_own_cross);
    for (const PriceLimitDetails::Margin& margin :
         {wanted.dynamic_corridor, wanted.static_corridor, wanted.market_collar, wanted.entry_limit,
          wanted.auction_corridor})
        if (!whole || margin.basis_points > auction::k_basis_points) return Reason::invalid_rules;
    if (!suits_auctions(in->definition())) return Reason::invalid_instrument;
    in->rules.price_limits = wanted;
    in->note_rules();
    emit_plain(engine, EventKind::price_limits_set, command.instrument, {}, 0);
    enforce_band(engine, *in);
    return Reason::none;
}

bool cancel_outside_band(EngineState& engine, InstrumentState& in) {
    const PriceRange band = band_of(in);
    for (const Side side : {Side::buy, Side::sell}) {
        while (const OrderIndex index = first_through(engine, in, side, band)) {
            if (engine.events_left() < k_event_margin) return false;
            end_order(engine, in, index, EventKind::cancelled, Reason::price_band,
                      engine.key_of(engine.store.order(index)));
        }
    }
    return true;
}

void enforce_band(EngineState& engine, InstrumentState& in) {
    const bool cancels = in.ruled && in.trades() && on_breach(in) != OnBreach::interrupt;
    if (cancels && !cancel_outside_band(engine, in)) return engine.suspend(Work::band, in);
    cascade(engine, in);
}

Reason set_price_band(EngineState& engine, const Command& command) {
    InstrumentState* const in = engine.find_instrument(command.instrument);
    if (in == nullptr) return Reason::unknown_instrument;
    const PriceBandDetails& wanted = command.price_band;
    constexpr std::int64_t k_most_extensions = 254;
    const bool above_zero = std::min(wanted.lower, wanted.reference).value >= 0;
    if (wanted.upper < wanted.lower || (!above_zero && !in->below_zero()) ||
        command.quantity.value < 0 || command.quantity.value > k_most_extensions)
        return Reason::invalid_rules;
    if (!suits_auctions(in->definition())) return Reason::invalid_instrument;
    in->rules.price_band = wanted;
    const bool is_collar = has_flag(command, CommandFlags::k_auction_collar);
    in->collar = static_cast<std::uint8_t>(is_collar ? command.quantity.value + 1 : 0);
    in->daily = has_flag(command, CommandFlags::k_daily) ? DailyBand::today : DailyBand::none;
    in->note_rules();
    emit_plain(engine, EventKind::price_band_set, command.instrument, {}, 0);
    enforce_band(engine, *in);
    return Reason::none;
}

}  // namespace damrak::detail
