// The words for phases, calls, auction rules and causes in files and on screens.
#pragma once

#include <array>
#include <string_view>
#include <utility>

#include <damrak/domain/order_terms.hpp>

namespace damrak {

// Each in the order of its enumeration.
inline constexpr auto k_phase_names =
    std::to_array<std::string_view>({"continuous", "pre_open", "call", "closed", "at_last"});
inline constexpr auto k_call_kind_names = std::to_array<std::string_view>(
    {"intraday", "opening", "closing", "interruption", "reopening"});
inline constexpr auto k_auction_rule_names =
    std::to_array<std::string_view>({"xetra", "euronext", "lse", "nasdaq", "frequent_batch"});
inline constexpr auto k_halt_cause_names =
    std::to_array<std::string_view>({"none", "limit_up_limit_down", "market_wide_1",
                                     "market_wide_2", "market_wide_3", "volatility"});

[[nodiscard]] constexpr std::string_view name(Phase phase) {
    return is_valid(phase) ? k_phase_names[std::to_underlying(phase)] : "unknown";
}
[[nodiscard]] constexpr std::string_view name(CallKind kind) {
    return is_valid(kind) ? k_call_kind_names[std::to_underlying(kind)] : "unknown";
}
[[nodiscard]] constexpr std::string_view name(AuctionRule rule) {
    return is_valid(rule) ? k_auction_rule_names[std::to_underlying(rule)] : "unknown";
}
[[nodiscard]] constexpr std::string_view name(HaltCause cause) {
    return is_valid(cause) ? k_halt_cause_names[std::to_underlying(cause)] : "unknown";
}

}  // namespace damrak
