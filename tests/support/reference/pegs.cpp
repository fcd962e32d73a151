// docs/rule-book/pegged-orders.md.
#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>

#include "support/reference/price_limits.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

/// The best price of a side at which a displayed order stands that follows no other; zero: none.
Price best_to_follow(const Instrument& market, Side side) {
    for (const auto& [price, level] : market.levels(side))
        for (const Order& order : level.displayed)
            if (order.peg == PegReference::none) return price;
    return Price{0};
}

/// Away from the market to a valid price, if there is one.
std::optional<Price> valid(const Instrument& market, Side side, Price price) {
    if (price.value <= 0) return std::nullopt;
    const InstrumentDefinition& definition = market.definition;
    if (!definition.on_tick(price))
        price = side == Side::buy ? definition.next_price_below(price)
                                  : definition.next_price_above(price);
    if (price.value <= 0 || price > definition.maximum_price) return std::nullopt;
    return price;
}

}  // namespace

Reason ReferenceEngine::check_peg(const Command& command) const {
    if (!has_flag(command, CommandFlags::k_pegged)) return Reason::none;
    if (is_stop(command.order_type) || is_immediate(command.time_in_force) ||
        has_flag(command, CommandFlags::k_post_only) ||
        has_flag(command, CommandFlags::k_post_only_reprice) ||
        command.order.minimum_quantity.value != 0 || command.order.display_quantity.value != 0)
        return Reason::invalid_combination;
    const InstrumentDefinition& definition = instrument(command.instrument).definition;
    const Price offset = command.order.offset;
    const bool hidden = has_flag(command, CommandFlags::k_hidden);
    const bool sound = (hidden || command.order.peg == PegReference::primary) &&
                       command.order.peg != PegReference::none && is_valid(command.order.peg) &&
                       definition.minimum_price().value == 0 && offset.value >= 0 &&
                       offset <= definition.maximum_price &&
                       offset.value % definition.common_tick().value == 0 &&
                       !(command.order.peg == PegReference::market && offset.value == 0);
    return sound ? Reason::none : Reason::invalid_peg;
}

std::optional<Price> ReferenceEngine::peg_price(const Order& order) const {
    const Instrument& market = instrument(order.instrument);
    const Price bid = best_to_follow(market, Side::buy);
    const Price ask = best_to_follow(market, Side::sell);
    const bool buy = order.side == Side::buy;
    const Price own = buy ? bid : ask;
    const Price other = buy ? ask : bid;
    const std::int64_t tick = market.definition.common_tick().value;
    std::int64_t followed = 0;
    if (order.peg == PegReference::primary) followed = own.value;
    if (order.peg == PegReference::market) followed = other.value;
    if (order.peg == PegReference::midpoint && own.value != 0 && other.value != 0) {
        const std::int64_t ticks = (bid.value + ask.value) / tick;
        followed = (buy ? ticks / 2 : (ticks + 1) / 2) * tick;
    }
    if (followed == 0) return std::nullopt;
    Price price{buy ? followed - order.peg_offset.value : followed + order.peg_offset.value};
    if (order.peg_limit.value != 0)
        price = buy ? std::min(price, order.peg_limit) : std::max(price, order.peg_limit);
    return valid(market, order.side, price);
}

/// Gives an order that comes in its price, or says why it has none.
Reason ReferenceEngine::peg(Order& order) const {
    if (instrument(order.instrument).collects()) return Reason::not_in_phase;
    const std::optional<Price> price = peg_price(order);
    if (!price) return Reason::no_peg_reference;
    order.price = *price;
    return Reason::none;
}

void ReferenceEngine::add_peg(Instrument& market, OrderId id) {
    std::erase_if(market.pegs, [&](OrderId other) {
        const auto found = find(market, other);
        return other == id || !found || found->at->peg == PegReference::none;
    });
    market.pegs.push_back(id);
}

/// An order that has ended may have had the new id, and still be in a list.
void ReferenceEngine::rename_follower(Instrument& market, OrderId from, OrderId to) {
    for (auto* list : {&market.pegs, &market.pegs_to_move, &market.trailing}) {
        if (from != to) std::erase(*list, to);
        std::ranges::replace(*list, from, to);
    }
}

/// A displayed pegged order that enters again is another one in the feeds.
void ReferenceEngine::renew_public_id(Order& order) {
    if (order.peg == PegReference::none || order.hidden) return;
    order.public_id = next_public_id(order);
}

/// The first one, by time of entry, that should stand elsewhere.
bool ReferenceEngine::move_next_peg(Instrument& market) {
    const std::pair quotes{best_to_follow(market, Side::buy), best_to_follow(market, Side::sell)};
    if (quotes != market.peg_quotes) {
        market.peg_quotes = quotes;
        market.pegs_to_move = market.pegs;
    }
    while (!market.pegs_to_move.empty()) {
        const auto found = find(market, market.pegs_to_move.front());
        market.pegs_to_move.erase(market.pegs_to_move.begin());
        if (!found || found->at->peg == PegReference::none) continue;
        const std::optional<Price> price = peg_price(*found->at);
        if (price && resting_limit(market, found->at->side, *price) == found->at->price) continue;
        if (!price) take_away(*found->at, found->at->open, Reason::peg_reference_gone);
        Order order = *found->at;
        found->queue->erase(found->at);
        remove_empty_levels(market);
        if (!price) return true;
        order.price = *price;
        order.aside = false;
        renew_public_id(order);
        enter(order, Announcement{.kind = EventKind::rested, .reference = order.public_id});
        return true;
    }
    return false;
}

}  // namespace damrak::reference
