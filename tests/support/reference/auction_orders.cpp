// docs/rule-book/auction-orders.md.
#include <algorithm>
#include <utility>
#include <vector>

#include "support/reference/call.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

/// Whether the call that runs now leads to an auction that the order is for.
bool is_for_this_call(const Instrument& market, const Order& order) {
    if (market.phase != Phase::call) return false;
    if (order.time_in_force == TimeInForce::at_open) return market.call == CallKind::opening;
    if (order.time_in_force == TimeInForce::at_close) return market.call == CallKind::closing;
    return order.time_in_force == TimeInForce::at_auction;
}

/// All of them, by time of entry.
std::vector<OrderId> auction_orders(const Instrument& market) {
    std::vector<std::pair<std::uint64_t, OrderId>> entered;
    visit(market, [&](const Order& order) {
        if (is_for_auctions(order.time_in_force)) entered.emplace_back(order.entered, order.id);
        return true;
    });
    std::ranges::sort(entered);
    std::vector<OrderId> ids;
    for (const auto& [when, id] : entered) ids.push_back(id);
    return ids;
}

}  // namespace

Reason ReferenceEngine::check_auction_terms(const Command& command) const {
    const bool imbalance_only = has_flag(command, CommandFlags::k_imbalance_only);
    const bool for_auctions = is_for_auctions(command.time_in_force);
    if (imbalance_only && (!for_auctions || command.order_type != OrderType::limit))
        return Reason::invalid_combination;
    if (!for_auctions) return Reason::none;
    for (const auto bit :
         {CommandFlags::k_hidden, CommandFlags::k_post_only, CommandFlags::k_post_only_reprice,
          CommandFlags::k_pegged, CommandFlags::k_to_limit, CommandFlags::k_trailing})
        if (has_flag(command, bit)) return Reason::invalid_combination;
    const bool plain = !is_stop(command.order_type) && command.order.display_quantity.value == 0 &&
                       command.order.minimum_quantity.value == 0;
    return plain ? Reason::none : Reason::invalid_combination;
}

Reason ReferenceEngine::check_auction_phase(const Instrument& market,
                                            const Command& command) const {
    if (command.time_in_force == TimeInForce::at_open && market.phase != Phase::pre_open &&
        !(market.phase == Phase::call && market.call == CallKind::opening))
        return Reason::not_in_phase;
    if (command.time_in_force == TimeInForce::at_close && market.phase == Phase::at_last)
        return Reason::not_in_phase;
    if (!is_for_auctions(command.time_in_force)) return Reason::none;
    const auto refuses = [&](PhaseRestrictions::Bits bit) {
        return (market.restrictions & bit) != 0;
    };
    const bool market_order = !has_limit(command.order_type);
    if (market_order && refuses(PhaseRestrictions::k_market_auction_orders))
        return Reason::not_in_phase;
    if (!market_order && !has_flag(command, CommandFlags::k_imbalance_only) &&
        refuses(PhaseRestrictions::k_limit_auction_orders))
        return Reason::not_in_phase;
    return Reason::none;
}

/// Cancel and replace.
Reason ReferenceEngine::check_changes(const Instrument& market, const Order& order) const {
    if ((market.restrictions & PhaseRestrictions::k_changes) != 0) return Reason::not_in_phase;
    const bool of_auctions =
        (market.restrictions & PhaseRestrictions::k_auction_order_changes) != 0;
    return of_auctions && is_for_auctions(order.time_in_force) ? Reason::not_in_phase
                                                               : Reason::none;
}

void ReferenceEngine::enter_auction_order(Order order, const Announcement& announcement) {
    order.entered = ++arrivals_;
    settle_auction_order(order);
    announce(announcement, order);
}

/// Into the call, or among those that wait. Changes the order to what it is there.
void ReferenceEngine::settle_auction_order(Order& order) {
    Instrument& market = instrument(order.instrument);
    if (is_for_this_call(market, order) && !order.imbalance_only) return join_call(order);
    order.place = Place::waiting;
    order.hidden = false;
    order.aside = false;
    const auto behind = std::ranges::find_if(
        market.waiting, [&](const Order& other) { return other.entered > order.entered; });
    market.waiting.insert(behind, order);
}

void ReferenceEngine::join_call(Order& order) {
    order.aside = order.type == OrderType::market;
    order.hidden = !order.aside;
    rest(order);
}

/// After a change of the phase or of what the call is for.
void ReferenceEngine::attend_call(Instrument& market) {
    for (const OrderId id : auction_orders(market)) {
        const Found found = *find(market, id);
        const bool joins = is_for_this_call(market, *found.at) && !found.at->imbalance_only;
        if (joins == (found.at->place == Place::book)) continue;
        Order order = *found.at;
        found.queue->erase(found.at);
        remove_empty_levels(market);
        settle_auction_order(order);
        announce({.kind = EventKind::rested, .reference = id.value}, order);
    }
}

/// Imbalance-only orders, one after the other, with what is left at the price.
void ReferenceEngine::trade_surplus(Instrument& market, Price price, Side surplus) {
    for (const OrderId id : auction_orders(market)) {
        const auto found = find(market, id);
        if (!found) continue;  // it was part of the surplus
        Order order = *found->at;
        if (!order.imbalance_only || order.side == surplus || !is_for_this_call(market, order) ||
            !accepts(order, price))
            continue;
        std::vector<Found> others = ranked(market, surplus);
        if (others.empty() || !accepts(*others.front().at, price)) return;
        found->queue->erase(found->at);
        join_call(order);
        announce({.kind = EventKind::rested, .reference = id.value}, order);
        while (!others.empty() && accepts(*others.front().at, price)) {
            const auto mine = find(market, id);
            if (!mine) break;
            const Found& other = others.front();
            const bool sells = surplus == Side::buy;
            trade_in_cross(sells ? other : *mine, sells ? *mine : other, price,
                           std::min(mine->at->open, other.at->open));
            others = ranked(market, surplus);
        }
    }
}

/// What is left after their auction.
void ReferenceEngine::end_auction_orders(Instrument& market) {
    for (const OrderId id : auction_orders(market)) {
        const Found found = *find(market, id);
        if (!is_for_this_call(market, *found.at)) continue;
        take_away(*found.at, found.at->open, Reason::end_of_auction);
        found.queue->erase(found.at);
    }
    remove_empty_levels(market);
}

}  // namespace damrak::reference
