#include "support/differential/event_audit.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "support/describe.hpp"

namespace damrak::differential {

namespace {

constexpr EventFlags::Bits k_in_hidden_queue = EventFlags::k_hidden | EventFlags::k_held;

bool is_about_order(EventKind kind) {
    return kind != EventKind::rejected && kind >= EventKind::accepted &&
           kind <= EventKind::order_status;
}

bool collects(Phase phase) { return phase != Phase::continuous && phase != Phase::at_last; }

/// The command of a quote has its ask there.
Price stop_price_of(const Command& command) {
    return command.kind == CommandKind::quote ? Price{} : command.order.stop_price;
}

/// Whether an order at `price` on `side` trades before one at `other`.
bool is_better(Side side, Price price, Price other) {
    return side == Side::buy ? price > other : price < other;
}

}  // namespace

EventAudit::Finding EventAudit::follow(const Command& command, const std::vector<Event>& events) {
    for (const Event& event : events)
        if (Finding finding = follow_event(command, event))
            return fmt::format("{}\n  at: {}", *finding, describe(event));
    if (half_trade_) return "a trade with one side only";
    if (implied_) return "an implied trade without its incoming order";
    return std::nullopt;
}

EventAudit::Finding EventAudit::follow_event(const Command& command, const Event& event) {
    if (event.command != command.kind) return "the event names another kind of command";
    if (half_trade_ && event.kind != EventKind::executed) return "a trade with one side only";
    if (event.kind == EventKind::uncrossed || event.kind == EventKind::phase_changed)
        return follow_phase(command, event);
    if (event.kind == EventKind::allocation_set) {
        sharing_.erase(event.instrument);
        if (command.allocation.steps[0] != AllocationStep::none) sharing_.insert(event.instrument);
    }
    if (!is_about_order(event.kind)) return std::nullopt;
    if (event.kind == EventKind::accepted) {
        std::optional<Price> peg_limit;
        if (has_flag(command, CommandFlags::k_pegged)) peg_limit = command.price;
        if (find(event.instrument, event.order_id) != nullptr) return "the id is open already";
        orders_[event.instrument].push_back({.id = event.order_id,
                                             .participant = event.participant,
                                             .side = event.side,
                                             .rule = command.self_trade_prevention,
                                             .stop_price = stop_price_of(command),
                                             .peg_limit = peg_limit,
                                             .ordered = event.quantity,
                                             .open = event.quantity});
    }
    if (event.command == CommandKind::recorded_trade && !event.order_id) return follow_tape(event);
    Tracked* const order = find(event.instrument, event.order_id);
    if (order == nullptr) return "an event of an order that is not open";
    if (Finding finding = follow_order(command, event, *order)) return finding;
    if (order->open.value == 0)
        std::erase_if(orders_[event.instrument],
                      [&](const Tracked& other) { return other.id == order->id; });
    return std::nullopt;
}

EventAudit::Finding EventAudit::follow_order(const Command& command, const Event& event,
                                             Tracked& order) {
    if (event.participant != order.participant || event.side != order.side)
        return "the order changed its participant or side";
    bool comes_to_rest = has_flag(event, EventFlags::k_on_book);
    switch (event.kind) {
        case EventKind::executed:
            comes_to_rest = false;
            if (Finding finding = follow_execution(event, order)) return finding;
            break;
        case EventKind::cancelled:
        case EventKind::expired:
            comes_to_rest = false;
            order.taken += event.quantity;
            break;
        case EventKind::replaced:
            follow_replace(command, event, order, comes_to_rest);
            break;
        case EventKind::triggered:
            // A stop that waited for another order may wait for its price now.
            if (!has_flag(event, EventFlags::k_waiting)) order.stop_price = Price{0};
            break;
        case EventKind::refreshed:
            comes_to_rest = false;
            order.rank = ++ranks_;
            if (order.displayed.value != 0) return "refreshed before its slice was used up";
            break;
        case EventKind::order_status:
            if (event.quantity != order.filled || event.displayed != order.displayed ||
                event.flags != order.flags)
                return "the status differs from the earlier events";
            return std::nullopt;
        default:
            break;
    }
    order.open = event.remaining;
    order.displayed = event.displayed;
    if (order.open.value < 0 || order.displayed.value < 0 || order.displayed > order.open)
        return "a quantity out of range";
    if (order.ordered != order.filled + order.taken + order.open)
        return fmt::format("ordered {} is not filled {} + taken {} + open {}", order.ordered.value,
                           order.filled.value, order.taken.value, order.open.value);
    if (event.kind != EventKind::executed) order.price = event.price;
    order.type = event.order_type;
    constexpr EventFlags::Bits k_lasting =
        EventFlags::k_on_book | EventFlags::k_hidden | EventFlags::k_waiting | EventFlags::k_held;
    order.flags = event.flags & k_lasting;
    if (!comes_to_rest) return std::nullopt;
    order.rank = ++ranks_;
    return check_crossing(order, event.instrument);
}

/// Section 11: an order replaced in place does not come to rest again.
void EventAudit::follow_replace(const Command& command, const Event& event, Tracked& order,
                                bool& rests_anew) {
    const bool in_place =
        command.kind == CommandKind::quote ||
        (command.price == order.peg_limit.value_or(order.price) &&
         command.order.stop_price == order.stop_price && event.remaining <= order.open &&
         !has_flag(command, CommandFlags::k_lose_priority));
    if (in_place) rests_anew = false;
    const Quantity change = event.remaining - order.open;
    if (change.value > 0)
        order.ordered += change;
    else
        order.taken -= change;
    if (order.peg_limit) order.peg_limit = command.price;
    order.id = event.new_order_id();
    order.stop_price = stop_price_of(command);
}

EventAudit::Finding EventAudit::follow_execution(const Event& event, Tracked& order) {
    if (event.quantity.value <= 0) return "a trade of nothing";
    order.filled += event.quantity;
    if (has_flag(event, EventFlags::k_implied)) return check_implied(event, order);
    if (half_trade_) {
        const HalfTrade half = *std::exchange(half_trade_, std::nullopt);
        if (has_flag(event, EventFlags::k_cross)) return check_cross(half, event, order);
        if (Finding finding = check_pair(half.event, event)) return finding;
        return check_priority(event.instrument, half.order, order);
    }
    const bool of_own_price =
        event.command != CommandKind::recorded_trade && !has_flag(event, EventFlags::k_cross);
    if (event.price != order.price && of_own_price)
        return "a trade away from the resting order's price";
    if ((order.flags & EventFlags::k_on_book) == 0) return "a trade with an order not in the book";
    half_trade_ = HalfTrade{event, order};
    return std::nullopt;
}

/// docs/rule-book/combinations.md: what the incoming order, or the one of the spread that waited,
/// pays is what all others get.
EventAudit::Finding EventAudit::check_implied(const Event& event, const Tracked& order) {
    const InstrumentId combination{static_cast<std::uint32_t>(event.reference >> 40U) + 1};
    if (!implied_) {
        if (event.reference != allocated_id(combination, ++trades_[combination]))
            return "not the next trade number";
        implied_ = Implied{.trade = event.reference};
    }
    if (event.reference != implied_->trade) return "two implied trades at once";
    __extension__ using Wide = __int128;
    const Wide value = Wide{event.price.value} * event.quantity.value;
    const bool came_in = has_flag(event, EventFlags::k_aggressor);
    const bool waited = !came_in && event.instrument == combination && implied_->has_legs;
    if (waited && (order.flags & EventFlags::k_on_book) == 0) return "not a resting order";
    if (waited || came_in) {
        const auto paid = std::exchange(implied_, std::nullopt)->paid;
        if (paid != (event.side == Side::buy ? value : -value))
            return "the order pays what the others do not get";
        const bool beyond =
            has_limit(order.type) && is_better(opposite(event.side), order.price, event.price);
        return beyond ? Finding{"a trade beyond the order's limit"} : std::nullopt;
    }
    implied_->has_legs |= event.instrument != combination;
    implied_->paid += event.side == Side::sell ? value : -value;
    if (event.price != order.price || (order.flags & EventFlags::k_on_book) == 0)
        return "not a resting order at its price";
    const bool hidden = (order.flags & k_in_hidden_queue) != 0;
    for (const Tracked& other : orders_.at(event.instrument)) {
        const bool shown =
            (other.flags & EventFlags::k_on_book) != 0 && (other.flags & k_in_hidden_queue) == 0;
        if (!shown || other.side != order.side || other.id == order.id) continue;
        const bool ahead = other.price == order.price
                               ? hidden || other.rank < order.rank
                               : is_better(other.side, other.price, order.price);
        if (ahead)
            return fmt::format("order {} ranked before {}, which traded", other.id.value,
                               order.id.value);
    }
    return std::nullopt;
}

EventAudit::Finding EventAudit::follow_phase(const Command& command, const Event& event) {
    const InstrumentId id = event.instrument;
    if (event.kind == EventKind::uncrossed) {
        partial_ = {};
        if (event.reference != 0 && event.reference != allocated_id(id, ++trades_[id]))
            return "not the next trade number";
        return std::nullopt;
    }
    const Phase phase{static_cast<std::uint8_t>(event.quantity.value)};
    const Phase before = std::exchange(phases_[id], phase);
    if (event.command == CommandKind::set_phase && command.phase.sealed != 0)
        sealed_.insert(id);
    else if (phase != Phase::call)
        sealed_.erase(id);
    if (!collects(before) || collects(phase)) return std::nullopt;
    for (const Tracked& order : orders_[id])
        if ((order.flags & EventFlags::k_on_book) != 0)
            if (Finding finding = check_crossing(order, id)) return finding;
    return std::nullopt;
}

EventAudit::Finding EventAudit::check_cross(const HalfTrade& buy, const Event& sold,
                                            const Tracked& sell) {
    if (Finding finding = check_sides(buy.event, sold)) return finding;
    if (buy.event.side != Side::buy || !has_flag(buy.event, EventFlags::k_cross))
        return "a cross without its buy first";
    for (const Tracked* order : {&buy.order, &sell}) {
        if ((order->flags & EventFlags::k_on_book) == 0)
            return "a cross of an order not in the book";
        if (has_limit(order->type) && is_better(order->side, sold.price, order->price))
            return "a cross beyond the limit of an order";
        OrderId& partial = partial_[static_cast<std::size_t>(order->side)];
        if (partial && !sealed_.contains(sold.instrument)) {
            if (order->id != partial)
                return fmt::format("order {} lost its place in the cross", partial.value);
        } else if (Finding finding = check_priority(sold.instrument, *order, Tracked{})) {
            return finding;
        }
        const bool is_filled = (order == &sell ? sold : buy.event).remaining.value == 0;
        partial = is_filled ? OrderId{} : order->id;
    }
    return std::nullopt;
}

/// Section 12: the side of a trade that has no order.
EventAudit::Finding EventAudit::follow_tape(const Event& event) {
    if (!half_trade_) {
        half_trade_ = HalfTrade{event, Tracked{}};
        return std::nullopt;
    }
    const HalfTrade half = *std::exchange(half_trade_, std::nullopt);
    if (Finding finding = check_sides(half.event, event)) return finding;
    if (!half.order.id) return std::nullopt;
    return check_priority(event.instrument, half.order,
                          Tracked{.participant = event.participant, .is_tape = true});
}

EventAudit::Finding EventAudit::check_sides(const Event& resting, const Event& incoming) {
    if (has_flag(resting, EventFlags::k_aggressor) || !has_flag(incoming, EventFlags::k_aggressor))
        return "not the resting order first and the incoming one second";
    if (resting.instrument != incoming.instrument || resting.side == incoming.side ||
        resting.price != incoming.price || resting.quantity != incoming.quantity ||
        resting.reference != incoming.reference)
        return "both sides of the trade do not agree";
    if (resting.reference != allocated_id(resting.instrument, ++trades_[resting.instrument]))
        return "not the next trade number";
    return std::nullopt;
}

EventAudit::Finding EventAudit::check_pair(const Event& resting, const Event& incoming) {
    if (Finding finding = check_sides(resting, incoming)) return finding;
    const Tracked* const order = find(incoming.instrument, incoming.order_id);
    const bool within = !has_limit(order->type) ||
                        !is_better(opposite(incoming.side), order->price, incoming.price);
    return within ? std::nullopt : Finding{"a trade beyond the incoming order's limit"};
}

EventAudit::Finding EventAudit::check_priority(InstrumentId instrument, const Tracked& resting,
                                               const Tracked& incoming) const {
    const bool resting_hidden = (resting.flags & k_in_hidden_queue) != 0;
    const bool shared = sharing_.contains(instrument) && incoming.id && !incoming.is_tape;
    for (const Tracked& other : orders_.at(instrument)) {
        const bool rests = (other.flags & EventFlags::k_on_book) != 0;
        if (!rests || other.side != resting.side || other.id == resting.id) continue;
        const bool hidden = (other.flags & k_in_hidden_queue) != 0;
        const bool same_price =
            other.price == resting.price && has_limit(other.type) == has_limit(resting.type);
        if (shared && same_price && !hidden && !resting_hidden) continue;
        if (sealed_.contains(instrument) && same_price) continue;
        // Market orders, which have no price, rank first in a cross.
        const bool one_has_no_price = !has_limit(other.type) || !has_limit(resting.type);
        const bool ahead = same_price
                               ? (hidden == resting_hidden ? other.rank < resting.rank : !hidden)
                           : one_has_no_price ? !has_limit(other.type)
                                              : is_better(other.side, other.price, resting.price);
        const bool held = (other.flags & EventFlags::k_held) != 0;
        const bool passed_own =
            other.participant == incoming.participant &&
            (incoming.is_tape || (same_price && incoming.rule == SelfTradePrevention::skip_own));
        if (ahead && !held && !passed_own)
            return fmt::format("order {} ranked before {}, which traded", other.id.value,
                               resting.id.value);
    }
    return std::nullopt;
}

EventAudit::Finding EventAudit::check_crossing(const Tracked& order,
                                               InstrumentId instrument) const {
    if ((order.flags & EventFlags::k_held) != 0) return std::nullopt;
    const auto phase = phases_.find(instrument);
    if (phase != phases_.end() && collects(phase->second)) return std::nullopt;
    const Orders& orders = orders_.at(instrument);
    const auto within_limit = [&](const Tracked& other) {
        return (other.flags & EventFlags::k_on_book) != 0 && other.side != order.side &&
               !is_better(order.side, other.price, order.price);
    };
    // Section 5: orders behind the own orders that stopped it may be crossed, as an exception.
    std::optional<Price> own;
    for (const Tracked& other : orders) {
        if (order.rule != SelfTradePrevention::skip_own || !within_limit(other) ||
            other.participant != order.participant)
            continue;
        if (!own || is_better(other.side, other.price, *own)) own = other.price;
    }
    for (const Tracked& other : orders) {
        const bool held = (other.flags & EventFlags::k_held) != 0;
        if (!within_limit(other) || held) continue;
        const bool behind_own = own && !is_better(other.side, other.price, *own);
        const bool is_own = own && other.participant == order.participant;
        if (!is_own && (!behind_own || other.price == *own))
            return fmt::format("rests crossed with {}, with which it may trade", other.id.value);
    }
    return std::nullopt;
}

EventAudit::Tracked* EventAudit::find(InstrumentId instrument, OrderId id) {
    Orders& orders = orders_[instrument];
    const auto found = std::ranges::find(orders, id, &Tracked::id);
    return found == orders.end() ? nullptr : &*found;
}

std::optional<std::string> EventAudit::compare(const reference::State& state) const {
    Finding finding;
    std::size_t expected = 0;
    for (const auto& [id, market] : state.instruments) {
        const auto rebuilt = orders_.find(id);
        reference::visit(market, [&](const reference::Order& order) {
            ++expected;
            const auto same = [&](const Tracked& tracked) {
                return tracked.id == order.id && tracked.open == order.open &&
                       tracked.price == order.price && tracked.filled == order.executed &&
                       tracked.displayed == reference::displayed(order);
            };
            if (rebuilt == orders_.end() || std::ranges::none_of(rebuilt->second, same))
                finding = fmt::format("order {} is not what the events say", order.id.value);
            return !finding;
        });
    }
    std::size_t actual = 0;
    for (const auto& [id, orders] : orders_) actual += orders.size();
    if (!finding && actual != expected)
        finding = fmt::format("{} orders open by the events, {} in the model", actual, expected);
    return finding;
}

}  // namespace damrak::differential
