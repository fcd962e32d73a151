// Sections 4 (entry), 5 (matching), 6 (availability), 7 (minimum quantity) and 8 (post-only) of the
// rule book.
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "support/reference/meeting.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

namespace {

bool may_rest(const Order& order) {
    return order.type == OrderType::limit && !is_immediate(order.time_in_force);
}

/// Rules under which the incoming order ends at the first own order.
bool ends_at_own(SelfTradePrevention rule) {
    return rule == SelfTradePrevention::cancel_newest || rule == SelfTradePrevention::cancel_both ||
           rule == SelfTradePrevention::decrement_and_cancel;
}

}  // namespace

/// Section 4: the best price within the limit at which any resting order would trade with it.
std::optional<Price> ReferenceEngine::touch(const Order& order) const {
    for (const auto& [price, level] : instrument(order.instrument).levels(opposite(order.side)))
        if (reaches(order, price) && meets_any(order, level)) return price;
    return std::nullopt;
}

void ReferenceEngine::enter(Order order, const Announcement& announcement) {
    order.place = Place::incoming;
    if (instrument(order.instrument).collects()) return collect(order, announcement);
    const bool repriced = limit_prices(order);
    const auto& combination = instrument(order.instrument).combination;
    if (combination && combination->kind == CombinationKind::basket) {
        announce(announcement, order);
        return enter_basket(order);
    }
    const bool crossing = crosses(order);
    const bool stays = !crossing && may_rest(order);
    if (stays) {
        order.held = order.minimum.value > 0;
        order.aside = order.held;
    }
    const bool appears = stays && comes_into_sight(order);
    if (stays && !appears) rest(order);
    Announcement told = announcement;
    if (repriced) told.flags |= EventFlags::k_repriced;
    announce(told, order);
    if (appears) return rest_remainder(order);
    if (stays) return;
    if (crossing) return enter_crossing(order);
    if (order.time_in_force == TimeInForce::fok)
        take_away(order, order.open, Reason::fill_or_kill);
    else if (order.minimum.value > 0)
        take_away(order, order.open, Reason::minimum_quantity);
    else
        take_away(order, order.open, Reason::unfilled_remainder);
}

void ReferenceEngine::announce(const Announcement& announcement, const Order& order) {
    Event event{};
    event.kind = announcement.kind;
    event.order_id = announcement.order_id;
    event.reference = announcement.reference;
    event.quantity = announcement.quantity;
    event.flags = announcement.flags;
    emit(event, order);
}

/// Phases other than continuous: comes to rest without trading.
void ReferenceEngine::collect(Order& order, const Announcement& announcement) {
    const bool market = order.type == OrderType::market;
    order.held = !market && order.minimum.value > 0;
    order.aside = market || order.held;
    order.sealed = instrument(order.instrument).sealed && !order.aside;
    if (comes_into_sight(order)) {
        announce(announcement, order);
        return rest_remainder(order);
    }
    rest(order);
    announce(announcement, order);
}

/// Section 4, "Crosses".
void ReferenceEngine::enter_crossing(Order& order) {
    if (order.time_in_force == TimeInForce::fok && !is_available(order, order.open))
        return take_away(order, order.open, Reason::fill_or_kill);
    order.held = order.minimum.value > 0 && !is_available(order, order.minimum);
    if (!order.held) return match_and_rest(order);
    if (!may_rest(order)) {
        order.held = false;
        return take_away(order, order.open, Reason::minimum_quantity);
    }
    order.aside = true;
    rest_remainder(order);
}

void ReferenceEngine::match_and_rest(Order& order, bool turn) {
    order.minimum = Quantity{0};
    Matching matching = combinations_.empty() ? match(order) : match_combined(order);
    if (order.open.value > 0 && matching.stopped == Reason::none && !matching.passed_own_in_level) {
        if (next_trade(order)) return breach(order);
        // It meets nobody but its own orders now, at any price.
        order.barred = false;
        order.edge.reset();
        matching = match(order);
    }
    if (order.open.value == 0) return end_link(order, true);
    if (matching.stopped != Reason::none) return take_away(order, order.open, matching.stopped);
    if (!may_rest(order)) return take_away(order, order.open, Reason::unfilled_remainder);
    order.aside = matching.passed_own_in_level;
    if (order.aside && !settle_own_cross(order))
        return take_away(order, order.open, Reason::own_order);
    if (order.aside && (!turn || !is_stopped(order.instrument, latest_stopped_)))
        latest_stopped_ = order.id;
    rest_remainder(order);
}

bool ReferenceEngine::is_stopped(InstrumentId instrument_id, OrderId id) {
    const auto found = id ? find(instrument(instrument_id), id) : std::nullopt;
    return found && found->at->aside && !found->at->held;
}

void ReferenceEngine::rest_remainder(Order& order) {
    rest(order);
    Event event{};
    event.kind = EventKind::rested;
    event.reference = order.public_id;
    emit(event, order);
}

/// Joins the end of its queue. Changes the given order to what rests.
void ReferenceEngine::rest(Order& order) {
    count_trades(order);
    order.place = Place::book;
    const bool whole = order.aside || order.sealed;
    order.slice = whole ? order.open : std::min(order.display, order.open);
    if (order.is_private)
        order.public_id = comes_into_sight(order) ? next_public_id(order) : order.id.value;
    order.arrival = ++arrivals_;
    const Instrument& market = instrument(order.instrument);
    order.batch = market.sealed && !order.held ? market.batch : 0;
    note_top(order);
    // Market orders are visited as if their price was lower than any other.
    const Price price = order.type == OrderType::market ? market.definition.floor() : order.price;
    Level& level = instrument(order.instrument).levels(order.side)[price];
    const bool hidden = order.held || order.hidden || order.sealed;
    (order.aside ? level.aside : hidden ? level.hidden : level.displayed).push_back(order);
}

/// docs/rule-book/price-limits.md, PL-7: the best price at which it trades by section 5.
std::optional<Price> ReferenceEngine::next_trade(Order order) const {
    const Instrument& market = instrument(order.instrument);
    for (const auto& [price, level] : market.levels(opposite(order.side))) {
        if (!reaches(order, price)) return std::nullopt;
        std::vector<Order> met{level.displayed.begin(), level.displayed.end()};
        if (market.shares())
            std::ranges::stable_partition(met, [&](const Order& at) { return is_own(at, order); });
        std::vector<Order> undisplayed{level.hidden.begin(), level.hidden.end()};
        undisplayed.insert(undisplayed.end(), level.aside.begin(), level.aside.end());
        std::ranges::sort(undisplayed, {}, &Order::arrival);
        met.insert(met.end(), undisplayed.begin(), undisplayed.end());
        bool skipped = false;
        for (const Order& resting : met) {
            if (order.open < need(resting)) continue;
            if (!is_own(resting, order)) return price;
            switch (order.self_trade_prevention) {
                case SelfTradePrevention::cancel_newest:
                case SelfTradePrevention::cancel_both:
                    return std::nullopt;
                case SelfTradePrevention::decrement_and_cancel:
                    if (order.open <= resting.open) return std::nullopt;
                    order.open -= resting.open;
                    break;
                case SelfTradePrevention::skip_own:
                    skipped = skipped || !resting.held;
                    break;
                case SelfTradePrevention::none:
                case SelfTradePrevention::cancel_oldest:
                    break;
            }
        }
        if (skipped) return std::nullopt;
    }
    return std::nullopt;
}

/// Section 5.
ReferenceEngine::Matching ReferenceEngine::match(Order& order) {
    Instrument& market = instrument(order.instrument);
    Levels& levels = market.levels(opposite(order.side));
    Matching matching;
    for (auto& [price, level] : levels) {
        if (!reaches(order, price) || !is_allowed(order, price)) break;
        match_level(order, level, matching);
        const bool over = order.open.value == 0 || matching.stopped != Reason::none;
        if (over || matching.passed_own_in_level) break;
    }
    remove_empty_levels(market);
    return matching;
}

void ReferenceEngine::match_level(Order& order, Level& level, Matching& matching) {
    if (instrument(order.instrument).shares())
        match_sharing(order, level.displayed, matching);
    else
        match_queue(order, level.displayed, matching);
    match_undisplayed(order, level, matching);
}

void ReferenceEngine::match_queue(Order& order, Queue& queue, Matching& matching) {
    auto at = queue.begin();
    while (at != queue.end() && order.open.value > 0 && matching.stopped == Reason::none)
        at = meet(order, queue, at, matching);
}

/// Visits the hidden queue and the orders outside the queues, in time order.
void ReferenceEngine::match_undisplayed(Order& order, Level& level, Matching& matching) {
    auto hidden = level.hidden.begin();
    auto aside = level.aside.begin();
    while (order.open.value > 0 && matching.stopped == Reason::none) {
        const bool none_hidden = hidden == level.hidden.end();
        if (none_hidden && aside == level.aside.end()) return;
        if (none_hidden || (aside != level.aside.end() && aside->arrival < hidden->arrival))
            aside = meet(order, level.aside, aside, matching);
        else
            hidden = meet(order, level.hidden, hidden, matching);
    }
}

/// Handles one resting order, points 1 to 3. Returns where to continue.
Queue::iterator ReferenceEngine::meet(Order& order, Queue& queue, Queue::iterator at,
                                      Matching& matching) {
    if (order.open < need(*at)) return std::next(at);
    const bool own = is_own(*at, order);
    if (own && order.self_trade_prevention != SelfTradePrevention::skip_own)
        return prevent_self_trade(order, queue, at, matching);
    if (!own) return trade(order, queue, at);
    matching.passed_own_in_level = matching.passed_own_in_level || !at->held;
    return std::next(at);
}

/// Point 2, all rules that cancel.
Queue::iterator ReferenceEngine::prevent_self_trade(Order& order, Queue& queue, Queue::iterator at,
                                                    Matching& matching) {
    const SelfTradePrevention rule = order.self_trade_prevention;
    if (rule == SelfTradePrevention::cancel_oldest || rule == SelfTradePrevention::cancel_both)
        take_away(*at, at->open, Reason::self_trade);
    if (rule == SelfTradePrevention::cancel_newest || rule == SelfTradePrevention::cancel_both)
        matching.stopped = Reason::self_trade;
    if (rule == SelfTradePrevention::decrement_and_cancel) {
        const Quantity smaller = std::min(order.open, at->open);
        take_away(*at, smaller, Reason::self_trade);
        take_away(order, smaller, Reason::self_trade);
    }
    return at->open.value == 0 ? queue.erase(at) : std::next(at);
}

/// Point 3.
Queue::iterator ReferenceEngine::trade(Order& order, Queue& queue, Queue::iterator at,
                                       std::optional<Price> recorded,
                                       std::optional<Quantity> most) {
    Instrument& market = instrument(order.instrument);
    Order& resting = *at;
    if (resting.held) {
        resting.held = false;
        resting.hidden = true;
        resting.minimum = Quantity{0};
        latest_stopped_ = resting.id;
    }
    const Quantity quantity = most.value_or(std::min(order.open, tradable(resting)));
    note_quote_trade(resting, quantity);
    const Price price = recorded.value_or(resting.price);
    for (Order* side : {&resting, &order}) {
        side->open -= quantity;
        side->executed += quantity;
        state_.accounts[{side->instrument, side->participant}] +=
            side->side == Side::buy ? quantity : -quantity;
    }
    if (resting.display.value != 0) resting.slice -= quantity;
    Event event{};
    event.kind = EventKind::executed;
    event.reference = allocated_id(resting.instrument, ++market.trade_numbers);
    event.quantity = quantity;
    event.price = price;
    emit(event, resting);
    event.flags = EventFlags::k_aggressor;
    emit(event, order);

    auto next = at;
    if (resting.open.value == 0) {
        end_link(resting, true);
        next = queue.erase(at);
    } else if (tradable(resting).value == 0) {
        next = std::next(at);
        refresh_slice({&queue, at});
        if (next == queue.end()) next = at;
    } else {
        count_trades(resting);
    }
    note_trade(market, price);
    return next;
}

/// The next slice joins the end of the queue.
void ReferenceEngine::refresh_slice(const Found& found) {
    Order& order = *found.at;
    order.slice = std::min(order.display, order.open);
    order.top = false;
    order.batch = 0;
    order.public_id = next_public_id(order);
    found.queue->splice(found.queue->end(), *found.queue, found.at);
    Event refreshed{};
    refreshed.kind = EventKind::refreshed;
    refreshed.reference = order.public_id;
    emit(refreshed, order);
}

/// Section 6.
bool ReferenceEngine::is_available(const Order& order, Quantity wanted) const {
    const Levels& levels = instrument(order.instrument).levels(opposite(order.side));
    Sum sum;
    for (const auto& [price, level] : levels) {
        if (!reaches(order, price) || !is_allowed(order, price)) return false;
        count_queue(order, level.displayed, sum, instrument(order.instrument).shares());
        count_undisplayed(order, level, sum);
        if (sum.available >= wanted) return true;
        if (sum.final || sum.own_in_level) return false;
    }
    return false;
}

/// Section 6, point 1, after the displayed queue.
void ReferenceEngine::count_undisplayed(const Order& order, const Level& level, Sum& sum) const {
    if (level.aside.empty()) return count_queue(order, level.hidden, sum);
    Queue both = level.hidden;
    for (const Order& aside : level.aside) both.push_back(aside);
    both.sort([](const Order& a, const Order& b) { return a.arrival < b.arrival; });
    for (const Order& resting : both) {
        if (sum.final) return;
        if (order.open - sum.available < need(resting)) continue;
        const bool own = is_own(resting, order);
        sum.final = own && ends_at_own(order.self_trade_prevention);
        if (own && !resting.held && order.self_trade_prevention == SelfTradePrevention::skip_own)
            sum.own_in_level = true;
        if (!own) sum.available += resting.open;
    }
}

/// Section 6, point 1, for one queue. Where its orders share, an own one is ahead of all.
void ReferenceEngine::count_queue(const Order& order, const Queue& queue, Sum& sum,
                                  bool shared) const {
    if (sum.final) return;
    const bool stops_at_own =
        ends_at_own(order.self_trade_prevention) &&
        std::ranges::any_of(queue, [&](const Order& resting) { return is_own(resting, order); });
    const bool skips_own = order.self_trade_prevention == SelfTradePrevention::skip_own;
    for (const Order& resting : queue) {
        const bool own = is_own(resting, order);
        if (stops_at_own && (own || shared)) {
            sum.final = true;
            return;
        }
        if (own && skips_own) sum.own_in_level = true;
        if (!resting.held && !own) sum.available += stops_at_own ? tradable(resting) : resting.open;
    }
}

/// Section 8: own orders count, too.
bool ReferenceEngine::would_meet_any(const Order& order) const {
    Order anybodys = order;
    anybodys.self_trade_prevention = SelfTradePrevention::none;
    return first_price(anybodys).has_value();
}

/// Section 8: the nearest valid price behind the opposite best price; zero if there is none.
Price ReferenceEngine::price_behind(const Order& order) const {
    const Instrument& market = instrument(order.instrument);
    Order anybodys = order;
    anybodys.self_trade_prevention = SelfTradePrevention::none;
    const Price best = *first_price(anybodys);
    return order.side == Side::buy ? market.definition.next_price_below(best)
                                   : market.definition.next_price_above(best);
}

}  // namespace damrak::reference
