// How the resting orders at one price share an incoming order in continuous trading.
//
// Called once for each price level that an aggressor reaches, where the policy is not plain
// price-time. No allocation; time is linear in the orders, or n log n where a step ranks them by
// size. Source: CME Globex Matching Algorithm Steps. docs/rule-book/allocation.md has the rules.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/auction/rounding.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::auction {

inline constexpr std::size_t k_most_lead_makers = 8;

/// An order at the price, as far as it takes part: of an iceberg the displayed slice.
struct RestingOrder {
    Quantity quantity;  ///< above zero
    ParticipantId broker{};
    std::uint8_t lead_maker = 0;  ///< from 1, in the order of the policy; zero: of nobody
    bool top = false;             ///< the order of its side that bettered the market
};

/// The order that comes in.
struct IncomingOrder {
    Quantity quantity;
    ParticipantId broker{};
};

/// The rules of an instrument with what they depend on.
struct AllocationPolicy {
    AllocationDetails rules{};
    Quantity lot{1};  ///< quantities of all orders are multiples of it
    std::array<std::uint16_t, k_most_lead_makers> lead_basis_points{};  ///< of each lead maker
};

/// Price-time, and F of CME.
[[nodiscard]] constexpr AllocationDetails price_time_policy() { return {}; }
/// The largest order first. Of equal ones the earliest.
[[nodiscard]] constexpr AllocationDetails size_time_policy() {
    return {.steps = {AllocationStep::size}};
}
/// Orders of the same broker before others.
[[nodiscard]] constexpr AllocationDetails price_broker_time_policy() {
    return {.steps = {AllocationStep::same_broker}};
}

// The algorithms of CME by their tags; parameters of the product are members of the policy.
[[nodiscard]] constexpr AllocationDetails cme_a_policy() {
    return {.steps = {AllocationStep::top, AllocationStep::pro_rata}, .pro_rata_minimum{2}};
}
[[nodiscard]] constexpr AllocationDetails cme_c_policy() {
    return {.steps = {AllocationStep::pro_rata}};
}
[[nodiscard]] constexpr AllocationDetails cme_k_policy(std::uint16_t split_basis_points,
                                                       Quantity pro_rata_minimum, bool leveling) {
    return {.steps = {AllocationStep::top, AllocationStep::lead_makers, AllocationStep::split,
                      AllocationStep::pro_rata,
                      leveling ? AllocationStep::leveling : AllocationStep::none},
            .split_rounding = static_cast<std::uint8_t>(Rounding::nearest),
            .split_basis_points = split_basis_points,
            .pro_rata_minimum = pro_rata_minimum};
}
/// Threshold pro rata.
[[nodiscard]] constexpr AllocationDetails cme_o_policy(Quantity top_minimum, Quantity top_maximum) {
    return {.steps = {AllocationStep::top, AllocationStep::pro_rata},
            .top_minimum = top_minimum,
            .top_maximum = top_maximum};
}
/// Threshold pro rata with lead market makers.
[[nodiscard]] constexpr AllocationDetails cme_q_policy(Quantity top_minimum, Quantity top_maximum) {
    return {.steps = {AllocationStep::top, AllocationStep::lead_makers, AllocationStep::pro_rata},
            .top_minimum = top_minimum,
            .top_maximum = top_maximum};
}
[[nodiscard]] constexpr AllocationDetails cme_s_policy() {
    return {.steps = {AllocationStep::top, AllocationStep::lead_makers}};
}
[[nodiscard]] constexpr AllocationDetails cme_t_policy() {
    return {.steps = {AllocationStep::lead_makers}};
}

/// Whether the rules fit together: see rule AL-12.
[[nodiscard]] bool is_sound(const AllocationDetails& rules);

/// Writes the quantity that each order gets; the orders are in order of time. `fills` and `scratch`
/// are as long as `orders`. Returns the sum: all that is there, or all that came in.
Quantity allocate(const AllocationPolicy& policy, const IncomingOrder& incoming,
                  std::span<const RestingOrder> orders, std::span<Quantity> fills,
                  std::span<std::uint32_t> scratch);

}  // namespace damrak::auction
