// The names of commands, events and terms of orders, for logs, JSON and the messages of tests:
// those of the enumerators. An invalid byte is "unknown".
#pragma once

#include <array>
#include <string_view>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak {

[[nodiscard]] std::string_view name(CommandKind kind);
[[nodiscard]] std::string_view name(EventKind kind);
[[nodiscard]] std::string_view name(Side side);
[[nodiscard]] std::string_view name(OrderType type);
[[nodiscard]] std::string_view name(TimeInForce time_in_force);
[[nodiscard]] std::string_view name(SelfTradePrevention rule);

/// Of EventFlags, the lowest bit first.
inline constexpr std::array<std::string_view, 8> k_event_flag_names{
    "on_book", "aggressor", "hidden", "repriced", "waiting", "held", "cross", "implied"};

}  // namespace damrak
