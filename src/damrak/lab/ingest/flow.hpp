// The orders of the ingest study. Made before anything is timed; ids are used again when all orders
// are gone.
//
// The flow of the flood has limit orders of one share on either side of a middle, half of a hundred
// ticks wide, and cancels of those that have waited a while, so that the book has some hundreds of
// orders on many levels however long it goes on. The published one has bursts of limit orders of 1
// to 100 shares within ten ticks, and no cancels.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ingest {

inline constexpr std::int32_t k_middle_ticks = 10'000;
inline constexpr std::int32_t k_price_max_ticks = 20'000;
inline constexpr std::uint32_t k_new_orders = 30'000;  ///< of a round of the flow, with ids from 1
inline constexpr std::uint32_t k_burst_orders = 2'000;
inline constexpr std::uint32_t k_bursts = 30;  ///< of a round of the published flow, ids from 1
inline constexpr std::uint32_t k_published_orders = k_burst_orders * k_bursts;
/// The pairs with which a round trip is measured have ids from here on.
inline constexpr std::uint32_t k_pairs_from = k_published_orders + 1;
inline constexpr std::uint32_t k_pairs = 10'000;

[[nodiscard]] std::vector<ladder::Request> make_flow(std::uint64_t seed);

[[nodiscard]] std::vector<ladder::Request> make_published_flow(std::uint64_t seed);
/// Takes an order of a flow back.
[[nodiscard]] ladder::Request cancel_of(const ladder::Request& order);

/// Pair number `index`: a sell that rests, or the buy that takes it.
[[nodiscard]] ladder::Request pair_order(std::uint32_t index, Side side);

/// The ids of the second sender of a flood, and of those behind it, are so many further on each.
inline constexpr std::uint32_t k_more_senders_from = k_pairs_from + 2 * k_pairs;
/// Like make_flow(), for further senders; `sender` counts from 1.
[[nodiscard]] std::vector<ladder::Request> make_flow_of(std::uint32_t sender, std::uint64_t seed);

[[nodiscard]] inline ladder::Setup setup(std::uint32_t senders = 1) {
    return {.symbols = 1,
            .price_max_ticks = k_price_max_ticks,
            .orders = k_more_senders_from + (senders - 1) * (k_new_orders + 1)};
}

}  // namespace damrak::lab::ingest
