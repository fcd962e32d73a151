// Queries on an archived day: the messages of an instrument in a time window, and the life of an
// order with its place in the queue. A window reads its blocks; an order reads all blocks. Any
// thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/day_trade.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::archive {

/// `sequence` is the number of the message in the day, from 1.
using OnMessage = std::function<void(std::uint64_t sequence, const wire::itch::Message& message)>;

/// Calls the function for each message of the range, in order.
[[nodiscard]] Completeness for_each_message(const Day& day, const DayRange& range,
                                            const OnMessage& on_message);

/// Which trades: after a message, within a time window, and at most how many.
struct TradeWindow {
    std::uint64_t after = 0;
    std::int64_t from_ns = 0;
    std::int64_t to_ns = std::numeric_limits<std::int64_t>::max();
    std::size_t limit = std::numeric_limits<std::size_t>::max();
};
/// Trades in order. Reads from the last checkpoint before the window.
[[nodiscard]] Answer<std::vector<DayTrade>> trades(const Day& day, std::uint16_t locate,
                                                   const TradeWindow& window);

/// An order after a message that changed it or the queue ahead of it.
struct OrderStep {
    std::uint64_t sequence = 0;
    std::int64_t time_ns = 0;
    char type = 0;                ///< of the message
    bool made_by_view = false;    ///< the order came into view, or left it
    std::uint64_t reference = 0;  ///< changes with a replace
    std::uint32_t price_e4 = 0;
    /// Open quantity; zero: the order has ended. None: not known, as it left the view or came into
    /// it with a part of its quantity.
    std::optional<std::uint32_t> shares = 0;
    /// None: not known, as the price has anonymous quantity or orders known in part, which may be
    /// ahead or behind.
    std::optional<std::uint64_t> orders_ahead = 0;
    std::optional<std::uint64_t> shares_ahead = 0;
};

/// What became of an order, step by step.
struct OrderLife {
    std::uint16_t locate = 0;
    Side side{};
    std::vector<OrderStep> steps;  ///< empty: the day has no such order
};

/// The life of an order: from the message that added it, through its replaces, to its end.
[[nodiscard]] Answer<OrderLife> order_life(const Day& day, std::uint64_t reference);

}  // namespace damrak::archive
