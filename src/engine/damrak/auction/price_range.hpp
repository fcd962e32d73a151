// Ranges of prices, and margins around a price. Used by price determination and by all price
// limits; plain values.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include <damrak/auction/rounding.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::auction {

/// Both ends belong to the range.
struct PriceRange {
    Price low;
    Price high;
    [[nodiscard]] constexpr bool contains(Price price) const {
        return low <= price && price <= high;
    }
    friend constexpr bool operator==(const PriceRange&, const PriceRange&) = default;
};

inline constexpr PriceRange k_any_price{Price{std::numeric_limits<std::int64_t>::min() / 4},
                                        Price{std::numeric_limits<std::int64_t>::max() / 4}};

/// The middle of two prices, which may lie between two units.
struct Midpoint {
    Price low;
    Price high;
    static constexpr Midpoint at(Price price) { return {price, price}; }
    /// Twice the distance from a price.
    [[nodiscard]] constexpr std::int64_t twice_distance(Price price) const {
        const std::int64_t difference = 2 * price.value - low.value - high.value;
        return difference < 0 ? -difference : difference;
    }
    friend constexpr bool operator==(const Midpoint&, const Midpoint&) = default;
};

/// A percentage of a price, at least a fixed amount. Of a price below zero, that of the price
/// without its sign.
struct Margin {
    std::int64_t basis_points = 0;
    Price at_least{};

    /// Rounded down to the price unit, so that all prices around are within the exact margin.
    [[nodiscard]] constexpr Price of(const Midpoint& price) const {
        const Wide twice = Wide{price.low.value} + price.high.value;
        return std::max(at_least, Price{quotient((twice < 0 ? -twice : twice) * basis_points,
                                                 2 * k_basis_points, Rounding::down)});
    }
    [[nodiscard]] constexpr PriceRange around(Price price) const {
        const Price amount = of(Midpoint::at(price));
        return {price - amount, price + amount};
    }
};

}  // namespace damrak::auction
