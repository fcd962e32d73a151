// docs/rule-book/price-limits.md.
#include "support/reference/price_limits.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "support/reference/meeting.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

__extension__ using Wide = __int128;

struct Range {
    std::int64_t low = std::numeric_limits<std::int64_t>::min();
    std::int64_t high = std::numeric_limits<std::int64_t>::max();
    [[nodiscard]] bool contains(Price price) const {
        return low <= price.value && price.value <= high;
    }
    void narrow(const Range& other) {
        low = std::max(low, other.low);
        high = std::min(high, other.high);
    }
};

Range around(Price reference, const PriceLimitDetails::Margin& margin) {
    const auto share =
        static_cast<std::int64_t>(Wide{std::abs(reference.value)} * margin.basis_points / 10'000);
    const std::int64_t width = std::max<std::int64_t>(share, margin.at_least);
    return {reference.value - width, reference.value + width};
}

Range band(const Instrument& market) {
    if (!has_band(market)) return {};
    return {market.price_band.lower.value, market.price_band.upper.value};
}

/// The worst valid price in the range for an order of this side.
std::optional<Price> worst_in(const Instrument& market, Side side, const Range& range) {
    const std::int64_t maximum = market.definition.maximum_price.value;
    const std::int64_t floor = market.definition.floor().value;
    if (side == Side::buy) {
        const std::int64_t high = std::min(range.high, maximum);
        if (high <= floor) return std::nullopt;
        const Price price = market.definition.on_tick(Price{high})
                                ? Price{high}
                                : market.definition.next_price_below(Price{high});
        return price.value > floor ? std::optional{price} : std::nullopt;
    }
    const std::int64_t low = std::max<std::int64_t>(range.low, floor + 1);
    if (low > maximum) return std::nullopt;
    const Price price = market.definition.on_tick(Price{low})
                            ? Price{low}
                            : market.definition.next_price_above(Price{low});
    return price.value <= maximum ? std::optional{price} : std::nullopt;
}

bool is_at_last(const Instrument& market) { return market.phase == Phase::at_last; }

OnBreach on_breach(const Instrument& market) {
    return is_at_last(market) ? OnBreach::rest : market.price_limits.on_breach;
}

Range allowed(const Instrument& market) {
    if (is_at_last(market)) {
        const std::int64_t price = market.last_auction.value_or(market.definition.floor()).value;
        return {price, price};
    }
    Range range = band(market);
    const PriceLimitDetails& limits = market.price_limits;
    if (market.last_trade && exists(limits.dynamic_corridor))
        range.narrow(around(*market.last_trade, limits.dynamic_corridor));
    if (market.price_band.reference.value != 0 && exists(limits.static_corridor))
        range.narrow(around(market.price_band.reference, limits.static_corridor));
    return range;
}

bool is_through(Side side, Price limit, const Range& range) {
    return side == Side::buy ? limit.value > range.high : limit.value < range.low;
}

}  // namespace

std::optional<Price> edge_of_band(const Instrument& market, Side side) {
    if (!has_band(market)) return std::nullopt;
    return worst_in(market, side, band(market));
}

Price resting_limit(const Instrument& market, Side side, Price limit) {
    const std::optional<Price> edge = worst_in(market, side, allowed(market));
    const bool moves = on_breach(market) == OnBreach::rest && edge;
    return moves && !is_within(side, limit, *edge) ? *edge : limit;
}

bool may_trade_at(const Instrument& market, Price price) { return allowed(market).contains(price); }

Reason ReferenceEngine::check_price_limits(const Order& order) const {
    const Instrument& market = instrument(order.instrument);
    const PriceLimitDetails& limits = market.price_limits;
    const bool waits = is_stop(order.type) && order.link != Link::waits;
    if (waits && limits.refuse_reached_stops == 1 && !market.collects() && market.last_trade &&
        is_within(opposite(order.side), *market.last_trade, order.stop_price))
        return Reason::stop_reached;
    if (order.type == OrderType::limit && market.last_trade && exists(limits.entry_limit) &&
        is_through(order.side, order.price, around(*market.last_trade, limits.entry_limit)))
        return Reason::price_through_limit;
    if (market.has_daily && has_limit(order.type)) {
        const auto band_of_day = band(market);
        if (is_through(Side::buy, order.price, band_of_day) ||
            is_through(Side::sell, order.price, band_of_day))
            return Reason::outside_price_band;
    }
    const bool counts_as_edge = market.collects() && market.has_collar;
    if (has_limit(order.type) && limits.on_breach == OnBreach::cancel && !counts_as_edge &&
        is_through(order.side, order.price, band(market)))
        return Reason::outside_price_band;
    return Reason::none;
}

/// At which limits value a market order that comes in.
Price ReferenceEngine::price_of_market_order(const Order& order) const {
    const Instrument& market = instrument(order.instrument);
    const std::optional<Price> best = next_trade(order);
    if (!exists(market.price_limits.market_collar) || market.collects() || !best)
        return market.last_trade.value_or(Price{0});
    const Range range = around(*best, market.price_limits.market_collar);
    return worst_in(market, order.side, range).value_or(Price{0});
}

/// Returns whether the order got another limit.
bool ReferenceEngine::limit_prices(Order& order) {
    const Instrument& market = instrument(order.instrument);
    const Range range = allowed(market);
    const std::optional<Price> edge = worst_in(market, order.side, range);
    const std::optional<Price> best = next_trade(order);
    order.barred = !edge || (best && !range.contains(*best));
    order.edge = edge;
    if (order.type == OrderType::market) {
        if (best && exists(market.price_limits.market_collar))
            order.collar =
                worst_in(market, order.side, around(*best, market.price_limits.market_collar));
        return false;
    }
    if (is_immediate(order.time_in_force)) return false;
    const Price limit = resting_limit(market, order.side, order.price);
    return std::exchange(order.price, limit) != limit;
}

/// The next order that it would trade with is at a price that is not allowed.
void ReferenceEngine::breach(Order& order) {
    Instrument& market = instrument(order.instrument);
    if (on_breach(market) != OnBreach::interrupt)
        return take_away(order, order.open, Reason::price_band);
    market.phase = Phase::call;
    market.call = CallKind::interruption;
    market.restrictions = 0;
    market.cause = HaltCause::volatility;
    Event event{};
    event.kind = EventKind::phase_changed;
    event.command = current_;
    event.reason = Reason::price_band;
    event.instrument = order.instrument;
    event.quantity = Quantity{static_cast<std::int64_t>(Phase::call)};
    event.remaining = Quantity{static_cast<std::int64_t>(HaltCause::volatility)};
    events_->push_back(event);
    if (is_immediate(order.time_in_force)) {
        take_away(order, order.open, Reason::price_band);
    } else {
        order.aside = order.type == OrderType::market;
        rest_remainder(order);
    }
    attend_call(market);
}

/// An order stopped at own orders. False if it must not rest.
bool ReferenceEngine::settle_own_cross(Order& order) {
    const Instrument& market = instrument(order.instrument);
    if (market.price_limits.on_own_cross == OnOwnCross::rest_undisplayed) return true;
    order.aside = false;
    if (market.price_limits.on_own_cross == OnOwnCross::refuse) return false;
    Order anybodys = order;
    anybodys.self_trade_prevention = SelfTradePrevention::none;
    const Price best = *touch(anybodys);  // of its own book, where it was stopped
    const Price behind = order.side == Side::buy ? market.definition.next_price_below(best)
                                                 : market.definition.next_price_above(best);
    if (!market.definition.in_range(behind)) return false;
    order.price = behind;
    return true;
}

void ReferenceEngine::cancel_outside_band(Instrument& market) {
    for (const Side side : {Side::buy, Side::sell}) {
        std::vector<OrderId> chosen;
        std::vector<OrderId> aside;
        for (const auto& [price, level] : market.levels(side)) {
            if (!is_through(side, price, band(market))) continue;
            for (const Queue* queue : {&level.displayed, &level.hidden})
                for (const Order& order : *queue) chosen.push_back(order.id);
            for (const Order& order : level.aside) aside.push_back(order.id);
        }
        chosen.insert(chosen.end(), aside.begin(), aside.end());
        for (const OrderId order : chosen) {
            const Found found = *find(market, order);
            take_away(*found.at, found.at->open, Reason::price_band);
            found.queue->erase(found.at);
        }
    }
    remove_empty_levels(market);
}

void ReferenceEngine::enforce_band(InstrumentId id) {
    Instrument& market = instrument(id);
    if (market.trades() && on_breach(market) != OnBreach::interrupt) cancel_outside_band(market);
    cascade(id);
}

bool ReferenceEngine::is_in_auction_corridor(const Instrument& market, Price price) const {
    const PriceLimitDetails::Margin& margin = market.price_limits.auction_corridor;
    if (!exists(margin) || market.price_band.reference.value == 0) return true;
    const Range range = around(market.price_band.reference, margin);
    return price.value >= range.low && price.value <= range.high;
}

void ReferenceEngine::set_price_limits(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    const PriceLimitDetails& wanted = command.price_limits;
    Instrument& market = instrument(command.instrument);
    const bool known = is_valid(wanted.on_breach) && is_valid(wanted.on_own_cross) &&
                       wanted.refuse_reached_stops <= 1;
    const auto share =
        std::max({wanted.dynamic_corridor.basis_points, wanted.static_corridor.basis_points,
                  wanted.market_collar.basis_points, wanted.entry_limit.basis_points,
                  wanted.auction_corridor.basis_points});
    if (!known || share > 10'000) return reject(command, Reason::invalid_rules);
    if (market.definition.maximum_quantity.value > 4'294'967'296 ||
        market.definition.maximum_price.value > 2'305'843'009'213'693'951)
        return reject(command, Reason::invalid_instrument);
    market.price_limits = wanted;
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::price_limits_set, 0);
    enforce_band(command.instrument);
}

void ReferenceEngine::set_price_band(const Command& command) {
    if (!knows(command.instrument)) return reject(command, Reason::unknown_instrument);
    const PriceBandDetails& wanted = command.price_band;
    Instrument& market = instrument(command.instrument);
    const bool negative = wanted.lower.value < 0 || wanted.reference.value < 0;
    if (wanted.upper < wanted.lower || (negative && market.definition.minimum_price().value == 0) ||
        command.quantity.value < 0 || command.quantity.value > 254)
        return reject(command, Reason::invalid_rules);
    if (market.definition.maximum_quantity.value > 4'294'967'296 ||
        market.definition.maximum_price.value > 2'305'843'009'213'693'951)
        return reject(command, Reason::invalid_instrument);
    market.price_band = wanted;
    market.has_collar = has_flag(command, CommandFlags::k_auction_collar);
    market.has_daily = has_flag(command, CommandFlags::k_daily);
    Command notice = command;
    notice.participant = {};
    emit_notice(notice, EventKind::price_band_set, 0);
    enforce_band(command.instrument);
}

}  // namespace damrak::reference
