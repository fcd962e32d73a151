// Configuration of an engine at start. The numbers here set the size of every pool, and only a
// command (set_capacities) can raise them. A full pool causes a reject with its own reason.
#pragma once

#include <cstdint>

#include <damrak/book/book_store.hpp>
#include <damrak/domain/command.hpp>

namespace damrak {

/// Who allocates order ids. Part of the journal format: append only.
enum class OrderIdSource : std::uint8_t {
    engine = 0,        ///< the engine, which counts all orders alike
    command = 1,       ///< the commands (replay, benchmarks)
    engine_apart = 2,  ///< the engine, which counts undisplayed orders apart (a live exchange)
};

/// Version of the rule book: increased when the same commands give other events or another state
/// than before.
inline constexpr std::uint32_t k_rules_version = 5;

struct EngineConfig {
    OrderIdSource order_id_source = OrderIdSource::engine;
    std::uint32_t maximum_instruments = 1'024;
    std::uint32_t maximum_participants = 16'384;
    /// Open orders of all instruments, stops included.
    std::uint32_t maximum_orders = 1'000'000;
    /// Open orders that are icebergs, stops, held for a minimum quantity, or good till date.
    std::uint32_t maximum_extensions = 100'000;
    /// Pairs of a participant and an instrument in which it ever had an order.
    std::uint32_t maximum_accounts = 100'000;
    /// Occupied prices of all books, counted for each side, and separately for hidden orders.
    std::uint32_t maximum_levels = 500'000;
    /// Groups of 64 adjacent prices of which at least one is occupied, and the few nodes above
    /// them.
    std::uint32_t maximum_ladder_nodes = 250'000;
    /// Events of one slice; a command has as many slices as it needs. At least 16.
    std::uint32_t maximum_events = 4'096;

    [[nodiscard]] bool allocates_ids() const { return order_id_source != OrderIdSource::command; }
    [[nodiscard]] BookCapacity book_capacity() const {
        return {.orders = maximum_orders,
                .extensions = maximum_extensions,
                .levels = maximum_levels,
                .ladder_nodes = maximum_ladder_nodes};
    }
    /// Of all limits of an auction: those with a level, and those of orders outside the queues.
    [[nodiscard]] std::size_t maximum_prices() const {
        return std::size_t{maximum_levels} + maximum_orders;
    }
    [[nodiscard]] CapacityDetails capacities(std::uint32_t anonymous_share) const {
        return {.instruments = maximum_instruments,
                .orders = maximum_orders,
                .extensions = maximum_extensions,
                .levels = maximum_levels,
                .ladder_nodes = maximum_ladder_nodes,
                .participants = maximum_participants,
                .accounts = maximum_accounts,
                .anonymous_share = anonymous_share};
    }
    [[nodiscard]] EngineConfig with(const CapacityDetails& capacities) const {
        EngineConfig config = *this;
        config.maximum_instruments = capacities.instruments;
        config.maximum_orders = capacities.orders;
        config.maximum_extensions = capacities.extensions;
        config.maximum_levels = capacities.levels;
        config.maximum_ladder_nodes = capacities.ladder_nodes;
        config.maximum_participants = capacities.participants;
        config.maximum_accounts = capacities.accounts;
        return config;
    }
    /// Whether each capacity is at least the other's, and within plausible bounds.
    [[nodiscard]] bool has_room_of(const EngineConfig& other) const {
        constexpr std::uint32_t k_most = 100'000'000;
        static_assert(k_largest_maximum_quantity.value <= INT64_MAX / k_most);
        const auto at_least = [](std::uint32_t here, std::uint32_t there) {
            return here >= there && here <= k_most;
        };
        return at_least(maximum_instruments, other.maximum_instruments) &&
               maximum_instruments <= k_maximum_instruments &&
               at_least(maximum_orders, other.maximum_orders) &&
               at_least(maximum_extensions, other.maximum_extensions) &&
               at_least(maximum_levels, other.maximum_levels) &&
               at_least(maximum_ladder_nodes, other.maximum_ladder_nodes) &&
               at_least(maximum_participants, other.maximum_participants) &&
               at_least(maximum_accounts, other.maximum_accounts);
    }
    friend bool operator==(const EngineConfig&, const EngineConfig&) = default;
};

}  // namespace damrak
