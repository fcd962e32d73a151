// The place of an order among those that trade before it at its price: the displayed queue, then
// the orders that are not displayed, in time (rule book, section 5). For questions about the past,
// not for the matching path: a walk over the side of the book.
#pragma once

#include <cstdint>
#include <optional>

#include <damrak/engine/engine.hpp>

namespace damrak::views {

struct QueuePosition {
    std::uint32_t orders_ahead = 0;
    Quantity quantity_ahead{};  ///< of icebergs their slices
    bool is_displayed = true;
    friend bool operator==(const QueuePosition&, const QueuePosition&) = default;
};

/// Nothing: the order does not rest in the book of this instrument. Orders aside count among those
/// that are not displayed, although each waits for what lets it trade.
[[nodiscard]] std::optional<QueuePosition> queue_position(const Engine& engine,
                                                          InstrumentId instrument, OrderId id);

}  // namespace damrak::views
