// Section 5: whether an incoming order trades with a resting one. Private to the reference model.
#pragma once

#include <algorithm>

#include "support/reference/state.hpp"

namespace damrak::reference {

[[nodiscard]] inline bool reaches(const Order& order, Price price) {
    if (order.type == OrderType::market) return true;
    return order.side == Side::buy ? price <= order.price : price >= order.price;
}

[[nodiscard]] inline bool is_own(const Order& resting, const Order& incoming) {
    return resting.participant == incoming.participant &&
           incoming.self_trade_prevention != SelfTradePrevention::none;
}

/// Smallest quantity that it trades (section 5, point 1).
[[nodiscard]] inline Quantity need(const Order& order) {
    return order.held ? std::min(order.minimum, order.open) : Quantity{0};
}

}  // namespace damrak::reference
