// Keys of timers that participants share: zero for the next decision, else an own order.
#pragma once

#include <cstdint>

#include <damrak/market_kernel/participant.hpp>

namespace damrak::participants::detail {

/// Never zero for an order.
[[nodiscard]] constexpr std::uint64_t key_of(market_kernel::OrderHandle order) {
    return std::uint64_t{order.generation} << 32U | order.slot;
}
[[nodiscard]] constexpr market_kernel::OrderHandle handle_of(std::uint64_t key) {
    return {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32U)};
}

[[nodiscard]] constexpr std::int64_t nanoseconds(double seconds) {
    constexpr double k_most_s = 1e9;  // thirty years: never
    return static_cast<std::int64_t>((seconds < k_most_s ? seconds : k_most_s) * 1e9);
}

inline void wake_after(market_kernel::MarketAccess& access, double seconds, std::uint64_t key = 0) {
    access.wake_at({access.now().value + nanoseconds(seconds)}, key);
}

}  // namespace damrak::participants::detail
