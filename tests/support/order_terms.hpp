// The terms of an order in a trader's words, for tests: `buy(alice, 100, at(10.00), ioc)`. Each
// modifies a command; terms that are not given have their defaults (day, no self-trade rule, a
// market order without a price).
#pragma once

#include <cmath>
#include <cstdint>

#include <damrak/domain/command.hpp>

namespace damrak::terms {

inline constexpr ParticipantId alice{1};
inline constexpr ParticipantId bob{2};
inline constexpr ParticipantId carol{3};
inline constexpr ParticipantId dave{4};

/// In ten thousandths of the currency: at(10.00) is 100'000 price units.
[[nodiscard]] inline Price price(double amount) { return {std::llround(amount * 10'000)}; }

/// A limit price.
[[nodiscard]] inline auto at(double amount) {
    return [=](Command& command) {
        command.price = price(amount);
        command.order_type =
            command.order_type == OrderType::stop ? OrderType::stop_limit : OrderType::limit;
    };
}
/// The stop price of a stop, or of a stop-limit order together with `at`.
[[nodiscard]] inline auto stop(double amount) {
    return [=](Command& command) {
        command.order.stop_price = price(amount);
        command.order_type =
            command.order_type == OrderType::limit ? OrderType::stop_limit : OrderType::stop;
    };
}
/// An iceberg that displays this quantity.
[[nodiscard]] inline auto showing(std::int64_t quantity) {
    return [=](Command& command) { command.order.display_quantity = Quantity{quantity}; };
}
[[nodiscard]] inline auto at_least(std::int64_t quantity) {
    return [=](Command& command) { command.order.minimum_quantity = Quantity{quantity}; };
}
/// Good till date.
[[nodiscard]] inline auto until(std::int64_t time) {
    return [=](Command& command) {
        command.time_in_force = TimeInForce::gtd;
        command.order.expire_time = Timestamp{time};
    };
}
[[nodiscard]] inline auto flag(CommandFlags::Bits bit) {
    return [=](Command& command) { command.flags |= bit; };
}
[[nodiscard]] inline auto lasting(TimeInForce tif) {
    return [=](Command& command) { command.time_in_force = tif; };
}
[[nodiscard]] inline auto rule(SelfTradePrevention prevention) {
    return [=](Command& command) { command.self_trade_prevention = prevention; };
}
[[nodiscard]] inline auto id(std::uint64_t value) {
    return [=](Command& command) { command.order_id = OrderId{value}; };
}
[[nodiscard]] inline auto new_id(std::uint64_t value) {
    return [=](Command& command) { command.new_order_id = OrderId{value}; };
}
[[nodiscard]] inline auto client_id(std::uint64_t value) {
    return [=](Command& command) { command.client_order_id = ClientOrderId{value}; };
}
[[nodiscard]] inline auto in(std::uint32_t instrument) {
    return [=](Command& command) { command.instrument = InstrumentId{instrument}; };
}
[[nodiscard]] inline auto at_time(std::int64_t time) {
    return [=](Command& command) { command.timestamp = Timestamp{time}; };
}

inline const auto ioc = lasting(TimeInForce::ioc);
inline const auto fok = lasting(TimeInForce::fok);
inline const auto gtc = lasting(TimeInForce::gtc);
inline const auto hidden = flag(CommandFlags::k_hidden);
inline const auto post_only = flag(CommandFlags::k_post_only);
inline const auto post_only_reprice = flag(CommandFlags::k_post_only_reprice);
inline const auto in_total = flag(CommandFlags::k_quantity_is_total);
inline const auto lose_priority = flag(CommandFlags::k_lose_priority);

inline const auto cancel_newest = rule(SelfTradePrevention::cancel_newest);
inline const auto cancel_oldest = rule(SelfTradePrevention::cancel_oldest);
inline const auto cancel_both = rule(SelfTradePrevention::cancel_both);
inline const auto decrement = rule(SelfTradePrevention::decrement_and_cancel);
inline const auto skip_own = rule(SelfTradePrevention::skip_own);

}  // namespace damrak::terms
