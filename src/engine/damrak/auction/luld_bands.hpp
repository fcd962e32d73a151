// Limit up, limit down: the price bands of an American stock.
//
// Called when the reference price changes, and when the bands are doubled before the close. No
// allocation. Source: Plan to Address Extraordinary Market Volatility (LULD), Amendment 18.
// docs/rule-book/limit-up-limit-down.md has the rules.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/auction/detail/durations.hpp>
#include <damrak/auction/price_range.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::auction {

enum class LuldTier : std::uint8_t { one = 1, two = 2 };

/// What the bands of a security depend on.
struct LuldSecurity {
    LuldTier tier = LuldTier::one;
    Price previous_close{};
    /// Of a leveraged product of tier 2: its ratio in hundredths.
    std::int64_t leverage_hundredths = 100;
};

/// The numbers of the plan. Prices are in units of 0.0001.
struct LuldPlan {
    std::int64_t tier_one_basis_points = 500;
    std::int64_t tier_two_basis_points = 1'000;
    std::int64_t middle_basis_points = 2'000;  ///< both tiers, previous close up to `upper_price`
    std::int64_t low_basis_points = 7'500;     ///< both tiers, previous close below `lower_price`
    Price low_amount{1'500};                   ///< there at most this
    Price upper_price{30'000};
    Price lower_price{7'500};
    Price tick{100};  ///< bands are multiples of it
    Timestamp doubled_before_close = minutes(25);
};

/// Whether the bands are doubled: late in the session, for tier 1 and for cheap stocks of tier 2.
[[nodiscard]] constexpr bool is_doubled(const LuldPlan& plan, const LuldSecurity& security,
                                        Timestamp now, Timestamp close) {
    return now >= close - plan.doubled_before_close &&
           (security.tier == LuldTier::one || security.previous_close <= plan.upper_price);
}

/// Lower and upper band around a reference price, which is not outside them.
[[nodiscard]] PriceRange luld_bands(const LuldPlan& plan, const LuldSecurity& security,
                                    Price reference, bool doubled);

/// The best price at which an order may stand: no bid above the upper band, no offer below the
/// lower one.
[[nodiscard]] constexpr Price capped(Side side, Price limit, PriceRange bands) {
    return side == Side::buy ? std::min(limit, bands.high) : std::max(limit, bands.low);
}

/// Whether a quote can be traded with: a bid below the lower band and an offer above the upper one
/// are shown only.
[[nodiscard]] constexpr bool is_executable(Side side, Price quote, PriceRange bands) {
    return side == Side::buy ? quote >= bands.low : quote <= bands.high;
}

}  // namespace damrak::auction
