// The workloads of the ladder: requests that fill the books, and timed requests. The same for every
// rung; made once per run.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/lab/ladder/request.hpp>

namespace damrak::lab::ladder {

/// Requests that a rung is measured on.
struct Scene {
    Setup setup;
    std::vector<Request> before;  ///< not timed
    std::vector<Request> timed;
};

/// Resting orders, all at one price.
[[nodiscard]] Scene insert_at_one_price(std::uint32_t orders);
/// Resting orders at a thousand random prices.
[[nodiscard]] Scene insert_at_random_prices(std::uint32_t orders, std::uint64_t seed);
/// Each takes the order at the front of the queue.
[[nodiscard]] Scene match_single(std::uint32_t orders);
/// Each takes a hundred orders at `levels` prices.
[[nodiscard]] Scene match_hundred(std::uint32_t orders, std::uint32_t levels);
/// Cancels of random orders in the book, each followed by an order that replaces it: only the
/// cancels are timed, one by one.
[[nodiscard]] Scene cancel_among(std::uint32_t resting, std::uint32_t cancels, std::uint64_t seed);
/// The neutral flow of eight symbols and 12,000 live orders.
[[nodiscard]] Scene neutral_flow(std::uint64_t messages, std::uint64_t seed);

}  // namespace damrak::lab::ladder
