// The rules of one instrument that venues differ in, as journaled commands carry them. All zero is
// continuous price-time trading without price limits. docs/rule-book has the rules; venue files
// (docs/reference/venue-file.md) set them. Values are part of the journal format: append only.
#pragma once

#include <array>
#include <cstdint>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak {

/// How the orders at one price share an order that comes in: steps in order, and what the last one
/// leaves goes out in order of time. docs/rule-book/allocation.md.
enum class AllocationStep : std::uint8_t {
    none = 0,
    top = 1,          ///< the top order, up to a maximum
    lead_makers = 2,  ///< each its percentage
    split = 3,        ///< a percentage goes out in order of time
    pro_rata = 4,     ///< in proportion to size
    leveling = 5,     ///< one lot to each order that pro rata gave nothing
    size = 6,         ///< in order of size, then time
    same_broker = 7,  ///< orders of the incoming order's broker, in order of time
};
[[nodiscard]] constexpr bool is_valid(AllocationStep v) { return v <= AllocationStep::same_broker; }

/// Of set_allocation. Without steps: price-time.
struct AllocationDetails {
    std::array<AllocationStep, 5> steps{};
    std::uint8_t split_rounding = 0;  ///< 0 down, 1 to the nearest, 2 up
    std::uint16_t split_basis_points = 0;
    Quantity top_minimum{1};
    Quantity top_maximum{INT64_MAX};
    Quantity pro_rata_minimum{1};  ///< smaller shares become zero
    friend constexpr bool operator==(const AllocationDetails&, const AllocationDetails&) = default;
};

/// What happens to an order at the edge of a price range in which trades are allowed.
enum class OnBreach : std::uint8_t {
    rest = 0,       ///< it rests at the edge, not through it; what may not rest is cancelled
    cancel = 1,     ///< what is left is cancelled
    interrupt = 2,  ///< a call begins, with what is left in the book
};
[[nodiscard]] constexpr bool is_valid(OnBreach v) { return v <= OnBreach::interrupt; }

/// What happens to an order whose self-trade rule (skip own) would leave it crossed with an own
/// order.
enum class OnOwnCross : std::uint8_t {
    rest_undisplayed = 0,  ///< it rests aside until the own order leaves
    refuse = 1,            ///< what is left is cancelled
    reprice = 2,           ///< it rests one tick behind the own order
};
[[nodiscard]] constexpr bool is_valid(OnOwnCross v) { return v <= OnOwnCross::reprice; }

/// Of set_price_limits. A margin is a percentage of a reference price in hundredths of a per cent,
/// and at least an amount; none if both are zero. docs/rule-book/price-limits.md.
struct PriceLimitDetails {
    /// A distance from a reference price; none if both are zero.
    struct Margin {
        std::uint32_t basis_points = 0;
        std::uint32_t at_least = 0;  ///< price units
        [[nodiscard]] constexpr bool exists() const { return (basis_points | at_least) != 0; }
        friend constexpr bool operator==(const Margin&, const Margin&) = default;
    };
    Margin dynamic_corridor{};  ///< around the last trade
    Margin static_corridor{};   ///< around the static reference (set_price_band, or an auction)
    Margin market_collar{};     ///< of market orders, around the other side's best price
    Margin entry_limit{};       ///< limits further through the last trade are refused
    Margin auction_corridor{};  ///< of an auction's price around the static reference; see
                                ///< UncrossConditions
    OnBreach on_breach{};       ///< of corridors and bands
    OnOwnCross on_own_cross{};
    std::uint8_t refuse_reached_stops = 0;  ///< instead of triggering them at once
    friend constexpr bool operator==(const PriceLimitDetails&, const PriceLimitDetails&) = default;
};

/// Of set_price_band. Zeros: no band, no static reference.
struct PriceBandDetails {
    Price lower{};
    Price upper{};
    Price reference{};  ///< the static reference
    [[nodiscard]] constexpr bool exists() const { return lower != Price{} || upper != Price{}; }
    friend constexpr bool operator==(const PriceBandDetails&, const PriceBandDetails&) = default;
};

/// Of set_lead_maker, beside the participant: its share of an order that comes in.
struct LeadMakerDetails {
    std::uint16_t basis_points = 0;  ///< zero: no longer a lead market maker
};

/// Of set_quote_protection: quotes of a participant are cancelled once they have traded this
/// quantity within the window. docs/rule-book/quotes.md.
struct QuoteProtectionDetails {
    Quantity maximum{};       ///< zero: none
    std::int64_t window = 0;  ///< nanoseconds
    friend constexpr bool operator==(const QuoteProtectionDetails&,
                                     const QuoteProtectionDetails&) = default;
};

/// What an instrument with legs is. docs/rule-book/combinations.md.
enum class CombinationKind : std::uint8_t {
    none = 0,
    spread = 1,  ///< has a book of its own, and implied prices
    basket = 2,  ///< no book: an order trades with the books of its legs, whole or not at all
};
[[nodiscard]] constexpr bool is_valid(CombinationKind v) { return v <= CombinationKind::basket; }

/// Of set_combination. Who buys one unit buys `ratio` of each leg; a negative ratio is sold.
struct CombinationDetails {
    static constexpr std::size_t k_maximum_legs = 7;
    /// An instrument of a combination, and how many of it; sold if below zero.
    struct Leg {
        InstrumentId instrument{};
        std::int32_t ratio = 0;
        friend constexpr bool operator==(const Leg&, const Leg&) = default;
    };
    std::array<Leg, k_maximum_legs> legs{};  ///< without gaps; a ratio of zero: no leg
    CombinationKind kind{};
    friend constexpr bool operator==(const CombinationDetails&,
                                     const CombinationDetails&) = default;
};

/// Of breaker_levels: values of the index at which trading in all instruments pauses, in 10^-8.
struct BreakerLevels {
    std::array<std::int64_t, 3> levels{};
    friend constexpr bool operator==(const BreakerLevels&, const BreakerLevels&) = default;
};

}  // namespace damrak
