// Section 5: an incoming order meets a resting one. Private to the reference model.
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

/// The least that it trades with (section 5, point 1).
[[nodiscard]] inline Quantity need(const Order& order) {
    return order.held ? std::min(order.minimum, order.open) : Quantity{0};
}

}  // namespace damrak::reference
