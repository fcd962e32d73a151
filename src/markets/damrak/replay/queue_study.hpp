// Outcomes of the limit orders of a recorded day, by the queue ahead of them on arrival. Reads each
// message of the instrument once. Memory: 24 bytes per order of the window.
#pragma once

#include <cstdint>
#include <expected>
#include <limits>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/replay/detail/survival.hpp>

namespace damrak::replay {

/// When an order counts as filled.
enum class FillEvent : std::uint8_t {
    first,  ///< at its first execution
    full,   ///< when nothing is left; a partly filled order may still count as cancelled
};

/// Compared with the best price of its side on arrival.
enum class Placement : std::uint8_t { improves, joins, behind };

/// An order with the queue that it joined.
struct QueuedOrder {
    Lifetime lifetime;
    std::uint32_t orders_ahead = 0;    ///< at its price, on arrival
    std::uint64_t quantity_ahead = 0;  ///< at its price, on arrival
    Placement placement{};
};

/// Which orders of a day are studied.
struct QueueWindow {
    std::uint16_t locate = 0;
    std::int64_t from_ns = 0;  ///< earliest arrival of an order
    std::int64_t until_ns =
        std::numeric_limits<std::int64_t>::max();  ///< and are followed up to then
    FillEvent fill = FillEvent::first;
};

/// The displayed orders that arrived in the window, ordered by their ends. A replace counts as a
/// cancel and a new arrival. Where something is missing, the orders are followed up to there.
[[nodiscard]] archive::Answer<std::vector<QueuedOrder>> study_queue(const archive::Day& day,
                                                                    const QueueWindow& window);

}  // namespace damrak::replay
