// Section 10 of the rule book: turns and stops.
#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "support/reference/meeting.hpp"
#include "support/reference/reference_engine.hpp"

namespace damrak::reference {

/// Section 10: entry of a stop order, or of any other.
void ReferenceEngine::enter_or_wait(Order order, const Announcement& announcement) {
    if (is_for_auctions(order.time_in_force))
        return enter_auction_order(std::move(order), announcement);
    if (order.link == Link::waits) {
        order.place = Place::waiting;
        announce(announcement, order);
        return instrument(order.instrument).dependent.push_back(std::move(order));
    }
    if (!is_stop(order.type)) return enter(std::move(order), announcement);
    Instrument& market = instrument(order.instrument);
    const bool reached =
        market.last_trade && (order.side == Side::buy ? *market.last_trade >= order.stop_price
                                                      : *market.last_trade <= order.stop_price);
    order.place = reached && !market.collects() ? Place::incoming : Place::pending;
    Event event{};
    event.kind = announcement.kind;
    event.order_id = announcement.order_id;
    event.reference = announcement.reference;
    event.quantity = announcement.quantity;
    emit(event, order);
    if (order.place == Place::incoming) return trigger(std::move(order));
    if (order.trail.value != 0 && announcement.kind == EventKind::accepted) {
        std::erase(market.trailing, order.id);  // of one that has ended
        market.trailing.push_back(order.id);
    }
    market.stops(order.side)[order.stop_price].push_back(std::move(order));
}

void ReferenceEngine::note_trade(Instrument& market, Price traded) {
    market.last_trade = traded;
    market.highest_trade = std::max(market.highest_trade.value_or(traded), traded);
    market.lowest_trade = std::min(market.lowest_trade.value_or(traded), traded);
    elect(market, traded);
}

/// Section 10: elects the stops that this price reaches.
void ReferenceEngine::elect(Instrument& market, Price traded) {
    for (const Side side : {Side::buy, Side::sell}) {
        Stops& stops = market.stops(side);
        while (!stops.empty()) {
            const Price stop_price = stops.begin()->first;
            if (side == Side::buy ? stop_price > traded : stop_price < traded) break;
            Queue& queue = stops.begin()->second;
            for (Order& order : queue) {
                order.place = Place::elected;
                order.trail = {};
            }
            market.elected.splice(market.elected.end(), queue);
            stops.erase(stops.begin());
        }
    }
}

void ReferenceEngine::trigger(Order order) {
    const bool awakes = std::exchange(order.awake, false);
    if (awakes && is_stop(order.type))
        return enter_or_wait(std::move(order), Announcement{.kind = EventKind::triggered});
    if (order.link == Link::cancels) cancel_other(order);
    order.type = order.type == OrderType::stop ? OrderType::market : OrderType::limit;
    order.stop_price = Price{0};
    order.trail = {};
    enter(std::move(order), Announcement{.kind = EventKind::triggered});
}

/// Section 10: elected stops take their turn.
void ReferenceEngine::cascade(InstrumentId id) {
    due_.insert(due_.begin(), id);
    while (!due_.empty()) {
        const InstrumentId next = due_.front();
        due_.erase(due_.begin());
        take_turns(instrument(next));
        trade_waiting(next);
    }
}

void ReferenceEngine::take_turns(Instrument& market) {
    const auto ready = [&] { return !market.elected.empty() && market.trades(); };
    for (;;) {
        settle_due();
        follow_trades(market);
        if (market.trades() && release_next(market)) continue;
        if (!ready() && market.trades() && move_next_peg(market)) continue;
        if (!ready()) break;
        Order order = market.elected.front();
        market.elected.pop_front();
        trigger(std::move(order));
    }
    latest_stopped_ = {};
}

/// Section 10: the first, the last or the latest of a side's stopped orders takes a turn.
bool ReferenceEngine::release_next(Instrument& market) {
    for (const Side side : {Side::buy, Side::sell}) {
        std::vector<OrderId> stopped;
        std::optional<OrderId> latest;
        for (const auto& [price, level] : market.levels(side)) {
            for (const Order& order : level.aside) {
                if (order.held) continue;
                stopped.push_back(order.id);
                if (order.id == latest_stopped_) latest = order.id;
            }
        }
        if (stopped.empty()) continue;
        for (const OrderId id : {stopped.front(), stopped.back(), latest.value_or(OrderId{})}) {
            if (!id) continue;
            const Found found = *find(market, id);
            if (must_wait(*found.at)) continue;
            Order order = *found.at;
            found.queue->erase(found.at);
            remove_empty_levels(market);
            order.place = Place::incoming;
            order.aside = false;
            renew_public_id(order);
            static_cast<void>(limit_prices(order));
            match_and_rest(order, true);
            return true;
        }
    }
    return false;
}

/// Section 10: whether it would be stopped again before it trades.
bool ReferenceEngine::must_wait(const Order& order) const {
    if (order.self_trade_prevention != SelfTradePrevention::skip_own) return false;
    for (const auto& [price, level] : instrument(order.instrument).levels(opposite(order.side))) {
        if (!reaches(order, price)) return false;
        bool any_own = false;
        for (const Queue* queue : {&level.displayed, &level.hidden, &level.aside}) {
            for (const Order& other : *queue) {
                if (order.open < need(other)) continue;
                if (!is_own(other, order)) return false;
                any_own = any_own || !other.held;
            }
        }
        if (any_own) return true;
    }
    return false;
}

}  // namespace damrak::reference
