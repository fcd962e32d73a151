// The place of an order among those that trade before it at its price: the displayed queue, then
// the undisplayed orders by time (rule book, section 5). For questions about the past, not for the
// matching path: it walks over the side of the book.
#pragma once

#include <cstdint>
#include <optional>

#include <damrak/engine/engine.hpp>

namespace damrak::views {

struct QueuePosition {
    std::uint32_t orders_ahead = 0;
    Quantity quantity_ahead{};  ///< counts only the current slice of an iceberg
    bool is_displayed = true;
    friend bool operator==(const QueuePosition&, const QueuePosition&) = default;
};

/// Empty if the order does not rest in the book of this instrument. Orders outside the queues count
/// as undisplayed, although each waits for its own condition.
[[nodiscard]] std::optional<QueuePosition> queue_position(const Engine& engine,
                                                          InstrumentId instrument, OrderId id);

}  // namespace damrak::views
