// Prices of the terminal are in cents; an exchange may have finer ones.
#pragma once

#include <cstdint>

namespace damrak::client::detail {

/// The nearest number of cents, halves away from zero; `unit`: what a cent is in units of `value`.
[[nodiscard]] constexpr std::int64_t nearest_cents(std::int64_t value, std::int64_t unit) {
    return (value + (value < 0 ? -unit : unit) / 2) / unit;
}

}  // namespace damrak::client::detail
