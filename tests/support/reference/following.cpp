// docs/rule-book/trailing-stops.md and docs/rule-book/market-to-limit.md.
#include <algorithm>
#include <optional>
#include <vector>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

/// The nearest valid price at or below this one, or at or above it, if there is one.
std::optional<Price> rounded(const InstrumentDefinition& definition, Price price, bool down) {
    if (price <= definition.floor()) return std::nullopt;
    if (!definition.on_tick(price))
        price = down ? definition.next_price_below(price) : definition.next_price_above(price);
    if (!definition.in_range(price)) return std::nullopt;
    return price;
}

/// The stop price at its distance from a trade, away from it.
std::optional<Price> stop_behind(const Instrument& market, const Order& order, Price trade) {
    const bool sell = order.side == Side::sell;
    return rounded(market.definition, sell ? trade - order.trail : trade + order.trail, sell);
}

}  // namespace

Reason ReferenceEngine::check_to_limit(const Command& command) const {
    if (!has_flag(command, CommandFlags::k_to_limit)) return Reason::none;
    const bool plain_market =
        command.order_type == OrderType::market && !has_flag(command, CommandFlags::k_pegged) &&
        command.order.minimum_quantity.value == 0 && !is_immediate(command.time_in_force);
    if (!plain_market) return Reason::invalid_combination;
    return instrument(command.instrument).sealed ? Reason::not_in_phase : Reason::none;
}

/// While orders trade, a market-to-limit order is a limit order from the beginning.
Reason ReferenceEngine::set_first_price(Order& order) const {
    const Instrument& market = instrument(order.instrument);
    if (!order.to_limit || market.collects()) return Reason::none;
    const auto best = best_displayed(market, opposite(order.side));
    if (!best) return Reason::no_opposite_price;
    order.price = *best;
    order.type = OrderType::limit;
    order.to_limit = false;
    return Reason::none;
}

/// What an auction left of a market-to-limit order rests at its price.
bool ReferenceEngine::rest_at(const Found& found, Price price) {
    Instrument& market = instrument(found.at->instrument);
    if (!found.at->to_limit) return false;
    const auto limit = rounded(market.definition, price, found.at->side == Side::buy);
    if (!limit) return false;
    Order order = *found.at;
    found.queue->erase(found.at);
    order.type = OrderType::limit;
    order.to_limit = false;
    order.aside = false;
    order.price = *limit;
    order.place = Place::incoming;
    rest_remainder(order);
    find(market, order.id)->at->batch = 0;  // it is of no batch
    return true;
}

Reason ReferenceEngine::check_trail(const Command& command) const {
    if (!has_flag(command, CommandFlags::k_trailing)) return Reason::none;
    if (!is_stop(command.order_type)) return Reason::invalid_combination;
    const InstrumentDefinition& definition = instrument(command.instrument).definition;
    const Price trail = command.order.offset;
    const bool sound = trail.value > 0 && trail <= definition.maximum_price &&
                       trail.value % definition.common_tick().value == 0 &&
                       definition.minimum_price().value == 0;
    return sound ? Reason::none : Reason::invalid_trail;
}

/// The nearer to the last trade of the price that is asked for and the one at its distance.
Reason ReferenceEngine::set_first_stop(Order& order) const {
    if (order.trail.value == 0) return Reason::none;
    const Instrument& market = instrument(order.instrument);
    if (market.last_trade) {
        const auto behind = stop_behind(market, order, *market.last_trade);
        const bool asked = order.stop_price.value != 0;
        if (behind && (!asked || (order.side == Side::sell ? *behind > order.stop_price
                                                           : *behind < order.stop_price)))
            order.stop_price = *behind;
    }
    return order.stop_price.value == 0 ? Reason::no_trail_reference : Reason::none;
}

void ReferenceEngine::follow_trades(Instrument& market) {
    if (!market.highest_trade) return;
    const Price highest = *market.highest_trade;
    const Price lowest = *market.lowest_trade;
    market.highest_trade.reset();
    market.lowest_trade.reset();
    std::vector<OrderId> left;
    for (const OrderId id : market.trailing) {
        const auto found = find(market, id);
        if (!found || found->at->place != Place::pending || found->at->trail.value == 0) continue;
        left.push_back(id);
        const bool sell = found->at->side == Side::sell;
        const auto stop = stop_behind(market, *found->at, sell ? highest : lowest);
        if (!stop || (sell ? *stop <= found->at->stop_price : *stop >= found->at->stop_price))
            continue;
        Order order = *found->at;
        found->queue->erase(found->at);
        order.stop_price = *stop;
        market.stops(order.side)[*stop].push_back(order);
    }
    remove_empty_levels(market);
    market.trailing = left;
    elect(market, *market.last_trade);
}

}  // namespace damrak::reference
