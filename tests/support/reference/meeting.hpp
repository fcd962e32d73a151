// Section 5: whether an incoming order trades with a resting one. Private to the reference model.
#pragma once

#include <algorithm>

#include "support/reference/state.hpp"

namespace damrak::reference {

/// Whether a price is no worse for the side than another one.
[[nodiscard]] inline bool is_within(Side side, Price price, Price worst) {
    return side == Side::buy ? price <= worst : price >= worst;
}

[[nodiscard]] inline bool reaches(const Order& order, Price price) {
    if (order.type == OrderType::market)
        return !order.collar || is_within(order.side, price, *order.collar);
    return is_within(order.side, price, order.price);
}

/// docs/rule-book/price-limits.md: whether it may trade at a price that it reaches.
[[nodiscard]] inline bool is_allowed(const Order& order, Price price) {
    return !order.barred && (!order.edge || is_within(order.side, price, *order.edge));
}

[[nodiscard]] inline bool is_own(const Order& resting, const Order& incoming) {
    return resting.participant == incoming.participant &&
           incoming.self_trade_prevention != SelfTradePrevention::none;
}

/// Smallest quantity that it trades (section 5, point 1).
[[nodiscard]] inline Quantity need(const Order& order) {
    return order.held ? std::min(order.minimum, order.open) : Quantity{0};
}

/// Whether any order of a price would trade with it.
[[nodiscard]] inline bool meets_any(const Order& order, const Level& level) {
    const bool any_aside = std::ranges::any_of(
        level.aside, [&](const Order& aside) { return order.open >= need(aside); });
    return !level.displayed.empty() || !level.hidden.empty() || any_aside;
}

}  // namespace damrak::reference
