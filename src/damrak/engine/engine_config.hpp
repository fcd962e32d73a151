// What an engine is started with. Every pool is reserved from these numbers and never grows; a full
// one is a reject with its own reason.
#pragma once

#include <cstdint>

#include <damrak/book/book_store.hpp>

namespace damrak {

/// Who gives orders their ids: the engine (a live exchange) or the commands (replay, benchmarks).
enum class OrderIdSource : std::uint8_t { engine, command };

/// The rule book of this release.
inline constexpr std::uint32_t k_rules_version = 2;

struct EngineConfig {
    OrderIdSource order_id_source = OrderIdSource::engine;
    std::uint32_t maximum_instruments = 1'024;
    std::uint32_t maximum_participants = 16'384;
    /// Open orders of all instruments, stops included.
    std::uint32_t maximum_orders = 1'000'000;
    /// Open orders that are icebergs, stops, held for a minimum quantity, or good till date.
    std::uint32_t maximum_extensions = 100'000;
    /// Pairs of a participant and an instrument it ever had an order in.
    std::uint32_t maximum_accounts = 100'000;
    /// Occupied prices of all books; each side of a book has its own, and so have hidden orders.
    std::uint32_t maximum_levels = 500'000;
    /// Runs of 64 neighbouring prices with at least one occupied, and the few nodes above them.
    std::uint32_t maximum_ladder_nodes = 250'000;
    /// Events of one slice; a command has as many slices as it needs. At least 16.
    std::uint32_t maximum_events = 4'096;
    /// Rules of version 1 only: resting orders that one incoming order may pass over.
    std::uint32_t maximum_skips = 1'000;
    /// Of the rule book that holds. 1, for journals that were written by it: the events of a
    /// command are bounded by `maximum_events`, and what does not fit is cancelled or left to a
    /// continuation. 2: a command runs to its end.
    std::uint32_t rules_version = k_rules_version;

    [[nodiscard]] BookCapacity book_capacity() const {
        return {.orders = maximum_orders,
                .extensions = maximum_extensions,
                .levels = maximum_levels,
                .ladder_nodes = maximum_ladder_nodes};
    }
    friend bool operator==(const EngineConfig&, const EngineConfig&) = default;
};

}  // namespace damrak
