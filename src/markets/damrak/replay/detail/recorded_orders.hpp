// What rematch and the run of a day by a venue's rules share: the orders that participants must
// have sent, derived from recorded messages (docs/reference/replay.md).
#pragma once

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/engine/engine_config.hpp>
#include <damrak/order_flow/recorded.hpp>

namespace damrak::replay {

/// An execution of a resting order.
struct Fill {
    OrderId order;
    Price price;
    Quantity quantity;
    friend bool operator==(const Fill&, const Fill&) = default;
};

struct RematchCapacity {
    std::uint32_t instruments{1};
    std::uint32_t orders{1U << 18U};
};

namespace detail {

inline constexpr ParticipantId k_buyers{1};
inline constexpr ParticipantId k_sellers{2};
constexpr ParticipantId owner(Side side) { return side == Side::buy ? k_buyers : k_sellers; }

/// Ids of incoming orders: no recording has ids this high; anonymous orders have the bit above.
inline constexpr std::uint64_t k_incoming_ids = std::uint64_t{1} << 61U;
constexpr bool is_incoming(OrderId id) { return id.value >> 61U == 1; }

/// The executions of one incoming order, as they are read.
struct Incoming {
    std::int64_t time_ns{};
    Side resting{};
    std::vector<Fill> fills;
    /// Who stood ahead of the resting orders is known; not at a level with anonymous quantity.
    bool knows_priority = true;

    /// Whether an execution belongs to the same order.
    [[nodiscard]] bool takes(const order_flow::At& at, Side side) const;
    void add(const order_flow::At& at, Side side, const Fill& fill) {
        time_ns = at.time_ns;
        resting = side;
        fills.push_back(fill);
    }
    /// That order: immediate or cancel, at the worst of its prices.
    [[nodiscard]] Command order(InstrumentId instrument, OrderId id) const;
};

[[nodiscard]] std::uint64_t volume_of(const std::vector<Fill>& fills);
[[nodiscard]] EngineConfig engine_config(const RematchCapacity& capacity);
[[nodiscard]] Command instrument_command(InstrumentId id, std::string_view symbol);
[[nodiscard]] Command order_command(InstrumentId instrument, OrderId id, Side side, Price price,
                                    Quantity quantity);
[[nodiscard]] Command replace_command(InstrumentId instrument, Side side, OrderId id, OrderId fresh,
                                      Price price, Quantity quantity);
/// Removes a quantity; zero: all.
[[nodiscard]] Command cancel_command(InstrumentId instrument, Side side, OrderId id,
                                     Quantity quantity);

}  // namespace detail

}  // namespace damrak::replay
