#include "support/reference/state.hpp"

#include <algorithm>

namespace damrak::reference {

Quantity tradable(const Order& order) {
    return order.display.value == 0 ? order.open : order.slice;
}

Quantity displayed(const Order& order) {
    const bool shown =
        order.place == Place::book && !order.hidden && !order.held && !order.aside && !order.sealed;
    return shown ? tradable(order) : Quantity{0};
}

bool is_extended(const Order& order) {
    return is_stop(order.type) || order.display.value != 0 || order.minimum.value != 0 ||
           order.time_in_force == TimeInForce::gtd || is_for_auctions(order.time_in_force) ||
           order.peg != PegReference::none || order.to_limit || order.link != Link::none ||
           order.awake || order.quoted ||
           (order.is_private && order.type == OrderType::limit &&
            !is_immediate(order.time_in_force) && !order.hidden);
}

void visit(const Instrument& instrument, const std::function<bool(const Order&)>& visitor) {
    const auto over_queue = [&](const Queue& queue) { return std::ranges::all_of(queue, visitor); };
    const auto over_levels = [&](const Levels& levels) {
        return std::ranges::all_of(levels,
                                   [&](const auto& entry) {
                                       return over_queue(entry.second.displayed) &&
                                              over_queue(entry.second.hidden);
                                   }) &&
               std::ranges::all_of(
                   levels, [&](const auto& entry) { return over_queue(entry.second.aside); });
    };
    const auto over_stops = [&](const Stops& stops) {
        return std::ranges::all_of(stops,
                                   [&](const auto& entry) { return over_queue(entry.second); });
    };
    static_cast<void>(over_levels(instrument.bids) && over_levels(instrument.asks) &&
                      over_stops(instrument.buy_stops) && over_stops(instrument.sell_stops) &&
                      over_queue(instrument.dependent) && over_queue(instrument.elected) &&
                      over_queue(instrument.waiting));
}

std::optional<Found> find(Instrument& instrument, OrderId id) {
    const auto in_queue = [id](Queue& queue) -> std::optional<Found> {
        const auto at = std::ranges::find(queue, id, &Order::id);
        return at == queue.end() ? std::nullopt : std::optional{Found{&queue, at}};
    };
    for (Levels* levels : {&instrument.bids, &instrument.asks}) {
        for (auto& [price, level] : *levels) {
            if (const auto found = in_queue(level.displayed)) return found;
            if (const auto found = in_queue(level.hidden)) return found;
            if (const auto found = in_queue(level.aside)) return found;
        }
    }
    for (Stops* stops : {&instrument.buy_stops, &instrument.sell_stops})
        for (auto& [price, queue] : *stops)
            if (const auto found = in_queue(queue)) return found;
    if (const auto found = in_queue(instrument.dependent)) return found;
    if (const auto found = in_queue(instrument.elected)) return found;
    return in_queue(instrument.waiting);
}

std::optional<Price> best_displayed(const Instrument& instrument, Side side) {
    for (const auto& [price, level] : instrument.levels(side))
        if (!level.displayed.empty()) return price;
    return std::nullopt;
}

void clear_top(Instrument& instrument) {
    for (Levels* levels : {&instrument.bids, &instrument.asks}) clear_top(*levels);
}

void clear_top(Levels& levels) {
    for (auto& [price, level] : levels)
        for (Order& order : level.displayed) order.top = false;
}

void remove_empty_levels(Instrument& instrument) {
    for (Levels* levels : {&instrument.bids, &instrument.asks})
        std::erase_if(*levels, [](const auto& entry) {
            return entry.second.displayed.empty() && entry.second.hidden.empty() &&
                   entry.second.aside.empty();
        });
    for (Stops* stops : {&instrument.buy_stops, &instrument.sell_stops})
        std::erase_if(*stops, [](const auto& entry) { return entry.second.empty(); });
}

std::size_t State::count_orders(const std::function<bool(const Order&)>& wanted) const {
    std::size_t count = 0;
    for (const auto& [id, instrument] : instruments) {
        visit(instrument, [&](const Order& order) {
            count += wanted(order) ? 1U : 0U;
            return true;
        });
    }
    return count;
}

}  // namespace damrak::reference
