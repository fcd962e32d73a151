// How the resting orders at one price share an incoming order in continuous trading.
//
// Called once for each price level that an aggressor reaches, where the policy is not plain
// price-time. No allocation; time is linear in the orders, or n log n where a step ranks them by
// size. Source: CME Globex Matching Algorithm Steps. docs/rule-book/allocation.md has the rules.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>

#include <damrak/auction/rounding.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::auction {

/// An order at the price, as far as it takes part: of an iceberg the displayed slice.
struct RestingOrder {
    Quantity quantity;  ///< above zero
    ParticipantId broker{};
    std::uint16_t lead_basis_points = 0;  ///< the share of a lead market maker; 0: is none
    bool top = false;                     ///< the order of its side that bettered the market
};

struct IncomingOrder {
    Quantity quantity;
    ParticipantId broker{};
};

struct AllocationPolicy {
    std::array<AllocationStep, 5> steps{};
    Quantity lot{1};  ///< quantities of all orders are multiples of it
    Quantity top_minimum{1};
    Quantity top_maximum{std::numeric_limits<std::int64_t>::max()};
    Quantity pro_rata_minimum{1};  ///< smaller shares become zero
    std::uint16_t split_basis_points = 0;
    Rounding split_rounding = Rounding::nearest;
};

/// Price-time, and F of CME.
[[nodiscard]] constexpr AllocationPolicy price_time_policy() { return {}; }
/// The largest order first. Of equal ones the earliest.
[[nodiscard]] constexpr AllocationPolicy size_time_policy() {
    return {.steps = {AllocationStep::size}};
}
/// Orders of the same broker before others.
[[nodiscard]] constexpr AllocationPolicy price_broker_time_policy() {
    return {.steps = {AllocationStep::same_broker}};
}

// The algorithms of CME by their tags; parameters of the product are members of the policy.
[[nodiscard]] constexpr AllocationPolicy cme_a_policy() {
    return {.steps = {AllocationStep::top, AllocationStep::pro_rata}, .pro_rata_minimum{2}};
}
[[nodiscard]] constexpr AllocationPolicy cme_c_policy() {
    return {.steps = {AllocationStep::pro_rata}};
}
[[nodiscard]] constexpr AllocationPolicy cme_k_policy(std::uint16_t split_basis_points,
                                                      Quantity pro_rata_minimum, bool leveling) {
    return {.steps = {AllocationStep::top, AllocationStep::lead_makers, AllocationStep::split,
                      AllocationStep::pro_rata,
                      leveling ? AllocationStep::leveling : AllocationStep::none},
            .pro_rata_minimum = pro_rata_minimum,
            .split_basis_points = split_basis_points};
}
/// Threshold pro rata.
[[nodiscard]] constexpr AllocationPolicy cme_o_policy(Quantity top_minimum, Quantity top_maximum) {
    return {.steps = {AllocationStep::top, AllocationStep::pro_rata},
            .top_minimum = top_minimum,
            .top_maximum = top_maximum};
}
/// Threshold pro rata with lead market makers.
[[nodiscard]] constexpr AllocationPolicy cme_q_policy(Quantity top_minimum, Quantity top_maximum) {
    return {.steps = {AllocationStep::top, AllocationStep::lead_makers, AllocationStep::pro_rata},
            .top_minimum = top_minimum,
            .top_maximum = top_maximum};
}
[[nodiscard]] constexpr AllocationPolicy cme_s_policy() {
    return {.steps = {AllocationStep::top, AllocationStep::lead_makers}};
}
[[nodiscard]] constexpr AllocationPolicy cme_t_policy() {
    return {.steps = {AllocationStep::lead_makers}};
}

/// Whether an order that comes to rest in continuous trading is the top order of its side from now
/// on. `best` is the best price of the side before it.
[[nodiscard]] constexpr bool becomes_top(const AllocationPolicy& policy, Side side, Price price,
                                         Quantity quantity, std::optional<Price> best) {
    const bool better = !best || (side == Side::buy ? price > *best : price < *best);
    return better && quantity >= policy.top_minimum;
}

/// Writes the quantity that each order gets; the orders are in order of time. `fills` and `scratch`
/// are as long as `orders`. Returns the sum: all that is there, or all that came in.
Quantity allocate(const AllocationPolicy& policy, const IncomingOrder& incoming,
                  std::span<const RestingOrder> orders, std::span<Quantity> fills,
                  std::span<std::uint32_t> scratch);

}  // namespace damrak::auction
