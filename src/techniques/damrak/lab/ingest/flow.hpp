// The orders of the ingest study. Made before anything is timed; ids are reused once all orders
// have ended.
//
// The flow of the flood has limit orders of one share on either side of a middle, half of them
// within a hundred ticks, and cancels of orders that have rested for a while, so the book keeps
// some hundreds of orders on many levels however long it runs. The published flow has bursts of
// limit orders of 1 to 100 shares within ten ticks, and no cancels.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ingest {

inline constexpr std::int32_t k_middle_ticks = 10'000;
inline constexpr std::int32_t k_price_max_ticks = 20'000;
inline constexpr std::uint32_t k_new_orders = 30'000;  ///< in a round of the flow, ids from 1
inline constexpr std::uint32_t k_burst_orders = 2'000;
inline constexpr std::uint32_t k_bursts = 30;  ///< in a round of the published flow, ids from 1
inline constexpr std::uint32_t k_published_orders = k_burst_orders * k_bursts;
/// First id of the pairs that measure round trips.
inline constexpr std::uint32_t k_pairs_from = k_published_orders + 1;
inline constexpr std::uint32_t k_pairs = 10'000;

[[nodiscard]] std::vector<ladder::Request> make_flow(std::uint64_t seed);

[[nodiscard]] std::vector<ladder::Request> make_published_flow(std::uint64_t seed);
/// The cancel of an order of a flow.
[[nodiscard]] ladder::Request cancel_of(const ladder::Request& order);

/// Pair number `index`: the resting sell, or the buy that takes it.
[[nodiscard]] ladder::Request pair_order(std::uint32_t index, Side side);

/// First id of the second sender of a flood; each further sender adds the same distance.
inline constexpr std::uint32_t k_more_senders_from = k_pairs_from + 2 * k_pairs;
/// Like make_flow(), for further senders; `sender` counts from 1.
[[nodiscard]] std::vector<ladder::Request> make_flow_of(std::uint32_t sender, std::uint64_t seed);

[[nodiscard]] inline ladder::Setup setup(std::uint32_t senders = 1) {
    return {.symbols = 1,
            .price_max_ticks = k_price_max_ticks,
            .orders = k_more_senders_from + (senders - 1) * (k_new_orders + 1)};
}

}  // namespace damrak::lab::ingest
