// Price, quantity and time: signed 64-bit counts that cannot be mixed. They add, subtract and
// compare like counts; anything else goes through `.value` and is visible as such.
#pragma once

#include <compare>
#include <cstdint>

namespace damrak {

/// A signed count of a unit; `Tag` separates the units.
template <class Tag>
struct Measure {
    std::int64_t value{};

    friend constexpr auto operator<=>(const Measure&, const Measure&) = default;
    friend constexpr Measure operator+(Measure a, Measure b) { return {a.value + b.value}; }
    friend constexpr Measure operator-(Measure a, Measure b) { return {a.value - b.value}; }
    friend constexpr Measure operator-(Measure a) { return {-a.value}; }
    constexpr Measure& operator+=(Measure b) { return *this = *this + b; }
    constexpr Measure& operator-=(Measure b) { return *this = *this - b; }
};

/// In the instrument's price unit; by default 0.0001 of the currency, as in ITCH and OUCH.
using Price = Measure<struct PriceTag>;
/// Number of shares or contracts.
using Quantity = Measure<struct QuantityTag>;
/// Nanoseconds since the Unix epoch, UTC.
using Timestamp = Measure<struct TimestampTag>;

}  // namespace damrak
