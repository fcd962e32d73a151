// What became of the limit orders of a recorded day, by the queue that was ahead of them when they
// arrived. Reads each message of the instrument once. Memory: 24 bytes for each order of the
// window.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/replay/survival.hpp>

namespace damrak::replay {

/// When an order counts as filled.
enum class FillEvent : std::uint8_t {
    first,  ///< at its first execution
    full,   ///< when nothing of it is left; cancelled after a part was filled, it is cancelled
};

/// Against the best price of its side on arrival.
enum class Placement : std::uint8_t { improves, joins, behind };

struct QueuedOrder {
    Lifetime lifetime;
    std::uint32_t orders_ahead = 0;    ///< at its price, on arrival
    std::uint64_t quantity_ahead = 0;  ///< likewise
    Placement placement{};
};

struct QueueWindow {
    std::uint16_t locate = 0;
    std::int64_t from_ns = 0;  ///< orders that arrive not earlier,
    std::int64_t until_ns =
        std::numeric_limits<std::int64_t>::max();  ///< and are followed up to then
    FillEvent fill = FillEvent::first;
};

/// The displayed orders that arrived in the window, in the order of their ends. A replaced order
/// counts as cancelled, and the new one as an arrival. An error where the day is damaged.
[[nodiscard]] std::expected<std::vector<QueuedOrder>, std::string> study_queue(
    const archive::Day& day, const QueueWindow& window);

}  // namespace damrak::replay
