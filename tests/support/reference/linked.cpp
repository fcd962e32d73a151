// docs/rule-book/linked-orders.md.
#include <utility>

#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

bool lasts(TimeInForce tif) {
    return tif == TimeInForce::day || tif == TimeInForce::gtc || tif == TimeInForce::gtd;
}

bool is_limit(const Order& order) { return order.type == OrderType::limit; }

/// Whether a limit order of this side may cancel another one and be cancelled by it.
bool stand_apart(Side side, Price limit, const Order& other) {
    if (side == other.side) return false;
    return side == Side::buy ? limit < other.price : limit > other.price;
}

}  // namespace

Reason ReferenceEngine::check_link(const Command& command) const {
    if (!has_flag(command, CommandFlags::k_linked)) return Reason::none;
    const Contingency contingency = command.order.contingency;
    if (!has_limit(command.order_type) && !is_stop(command.order_type))
        return Reason::invalid_combination;
    if (!lasts(command.time_in_force) || command.order.display_quantity.value != 0 ||
        command.order.minimum_quantity.value != 0)
        return Reason::invalid_combination;
    for (const auto bit : {CommandFlags::k_pegged, CommandFlags::k_trailing})
        if (has_flag(command, bit)) return Reason::invalid_combination;
    if (contingency == Contingency::one_triggers_other)
        for (const auto bit : {CommandFlags::k_post_only, CommandFlags::k_post_only_reprice})
            if (has_flag(command, bit)) return Reason::invalid_combination;
    const bool known = contingency == Contingency::one_cancels_other ||
                       contingency == Contingency::one_triggers_other;
    return known ? Reason::none : Reason::invalid_link;
}

Reason ReferenceEngine::find_other(const Command& command) {
    if (!has_flag(command, CommandFlags::k_linked)) return Reason::none;
    const auto found = find(instrument(command.instrument), command.new_order_id);
    if (!found) return Reason::invalid_link;
    const Order& other = *found->at;
    const bool free = other.link == Link::none && !other.awake && !other.quoted;
    const bool simple = other.type != OrderType::market && lasts(other.time_in_force) &&
                        other.place != Place::elected && other.display.value == 0 && !other.held &&
                        other.peg == PegReference::none && other.trail.value == 0;
    if (other.participant != command.participant || !free || !simple) return Reason::invalid_link;
    const bool may_meet = command.order.contingency == Contingency::one_cancels_other &&
                          command.order_type == OrderType::limit && is_limit(other);
    return may_meet && !stand_apart(command.side, command.price, other) ? Reason::invalid_link
                                                                        : Reason::none;
}

/// Whether an order may be replaced with this limit.
Reason ReferenceEngine::check_change(const Order& order, Price limit) {
    if (order.quoted) return Reason::invalid_quote;
    if (order.link != Link::cancels) return Reason::none;
    const Order& other = *find(instrument(order.instrument), order.other)->at;
    const bool may_meet = is_limit(order) && is_limit(other);
    return may_meet && !stand_apart(order.side, limit, other) ? Reason::invalid_link : Reason::none;
}

/// The order that it names learns of a new order.
void ReferenceEngine::link(const Order& order) {
    Order& other = *find(instrument(order.instrument), order.other)->at;
    other.link = order.link == Link::waits ? Link::triggers : Link::cancels;
    other.other = order.id;
    other.counted = other.executed;
}

/// The other order of a link forgets this one.
void ReferenceEngine::unlink(Order& order) {
    find(instrument(order.instrument), order.other)->at->link = Link::none;
    order.link = Link::none;
}

/// What one trades, the other loses.
void ReferenceEngine::count_trades(Order& order) {
    const Quantity traded = order.executed - std::exchange(order.counted, order.executed);
    if (order.link != Link::cancels || traded.value == 0) return;
    Instrument& market = instrument(order.instrument);
    Order& other = *find(market, order.other)->at;
    if (traded < other.open) return take_away(other, traded, Reason::linked_order);
    unlink(order);
    consequences_.push_back(
        {.instrument = order.instrument, .id = other.id, .reason = Reason::linked_order});
}

/// The order ends, or is filled: a trade took the last of it.
void ReferenceEngine::end_link(Order& order, bool filled) {
    std::erase_if(consequences_, [&](const Consequence& each) {
        return each.instrument == order.instrument && each.id == order.id;
    });
    const Link link = order.link;
    if (link == Link::none) return;
    unlink(order);
    if (link == Link::waits) return;
    consequences_.push_back({.instrument = order.instrument,
                             .id = order.other,
                             .triggered = filled && link == Link::triggers,
                             .reason = Reason::linked_order});
}

/// Of a stop that is triggered.
void ReferenceEngine::cancel_other(Order& order) {
    Instrument& market = instrument(order.instrument);
    const OrderId id = order.other;
    unlink(order);
    const Found found = *find(market, id);
    take_away(*found.at, found.at->open, Reason::linked_order);
    found.queue->erase(found.at);
    remove_empty_levels(market);
}

/// Before every turn: orders that another one has cancelled or triggered.
void ReferenceEngine::settle_due() {
    while (!consequences_.empty()) {
        const Consequence due = consequences_.front();
        consequences_.erase(consequences_.begin());
        Instrument& market = instrument(due.instrument);
        const Found found = *find(market, due.id);
        if (due.triggered) {
            found.at->place = Place::elected;
            found.at->awake = true;
            market.elected.splice(market.elected.end(), *found.queue, found.at);
        } else {
            take_away(*found.at, found.at->open, due.reason);
            found.queue->erase(found.at);
        }
        remove_empty_levels(market);
    }
}

}  // namespace damrak::reference
