// The words for the choices of price limits in files and on screens.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <damrak/domain/market_rules.hpp>

namespace damrak {

// Each in the order of its enumeration.
inline constexpr auto k_on_breach_names =
    std::to_array<std::string_view>({"rest", "cancel", "interrupt"});
inline constexpr auto k_on_own_cross_names =
    std::to_array<std::string_view>({"rest_undisplayed", "refuse", "reprice"});

[[nodiscard]] constexpr std::string_view name(OnBreach choice) {
    return is_valid(choice) ? k_on_breach_names[std::to_underlying(choice)] : "unknown";
}
[[nodiscard]] constexpr std::string_view name(OnOwnCross choice) {
    return is_valid(choice) ? k_on_own_cross_names[std::to_underlying(choice)] : "unknown";
}

}  // namespace damrak
