// Structures of rules version 1 whose layout differs from today's, as in the memory of the release
// that wrote the snapshots (see earlier_snapshot.hpp). All others are unchanged.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/base/sequence_window.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/book/price_ladder.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/engine/stop_book.hpp>
#include <damrak/fix_gateway/fix_order.hpp>

namespace damrak::exchange::rules_1 {

struct OrderBook {
    alignas(64) std::uint64_t arrivals = 0;
    std::array<PriceLadder, 2> ladders{};
};

struct InstrumentDefinition {
    static constexpr std::size_t k_maximum_bands = 16;

    InstrumentId id{};
    Symbol symbol{};
    std::array<TickBand, k_maximum_bands> tick_bands{};
    std::uint8_t band_count = 0;
    std::uint8_t price_decimals = 0;
    MatchingPolicy policy{};
    bool unpublished = false;
    std::uint16_t shard_group = 0;
    Quantity lot_size{};
    Price maximum_price{};
    Quantity maximum_quantity{};

    [[nodiscard]] damrak::InstrumentDefinition today() const {
        damrak::InstrumentDefinition made{.id = id,
                                          .symbol = symbol,
                                          .tick_bands = {},
                                          .band_count = band_count,
                                          .price_decimals = price_decimals,
                                          .policy = policy,
                                          .unpublished = unpublished,
                                          .shard_group = shard_group,
                                          .lot_size = lot_size,
                                          .maximum_price = maximum_price,
                                          .maximum_quantity = maximum_quantity};
        std::ranges::copy(tick_bands, made.tick_bands.begin());
        return made;
    }
};

struct InstrumentState {
    alignas(64) std::array<std::uint64_t, 5> of_definition{};  ///< derived from the definition
    std::uint64_t orders_hash = 0;
    std::array<AccountIndex, 4> recent_accounts{};
    std::uint64_t order_number = 0;
    std::uint64_t trade_number = 0;
    Tick last_trade = 0;
    std::uint32_t held_orders = 0;
    TradingState state{};
    bool ever_used = false;
    StopBook stops;
    OrderBook book;
    bool banded = false;
    InstrumentDefinition definition;
};
static_assert(std::is_trivially_copyable_v<InstrumentState>);
static_assert(offsetof(InstrumentState, order_number) == 64 &&
              offsetof(InstrumentState, held_orders) == 88 &&
              offsetof(InstrumentState, ever_used) == 93 && offsetof(InstrumentState, stops) == 96);

/// For an order of the binary or the UDP door.
struct OrderName {
    OrderId id{};
    ClientOrderId name{};
};

struct FixOrder {
    alignas(64) OrderId id{};
    Price price{};
    Quantity ordered{};
    Quantity executed{};
    Price stop{};
    InstrumentId instrument{};
    ParticipantId participant{};
    Int128 notional = 0;
    gateway::ShortName name;
    gateway::ShortName previous;
    std::uint32_t member = 0;
    std::uint32_t name_index = 0;
    std::uint32_t next = 0;
    std::uint32_t previous_index = 0;
    Side side{};
    OrderType type{};
    TimeInForce time_in_force{};
    gateway::FixOrderState state{};
    bool triggered = false;
};
static_assert(sizeof(FixOrder) == 128 && offsetof(FixOrder, notional) == 48 &&
              offsetof(FixOrder, member) == 104);

struct FixName {
    gateway::ShortName text;
    ParticipantId participant{};
    std::uint32_t order = 0;
};
static_assert(sizeof(FixName) == 28);

struct UdpSource {
    SessionId session{};
    ParticipantId participant{};
    std::uint32_t open_orders = 0;
    std::array<std::uint8_t, 6> link{};
    std::uint8_t has_ordered = 0;
    std::uint8_t begins = 0;
    std::array<std::uint32_t, 4> begun{};
    SequenceWindow window;
};

}  // namespace damrak::exchange::rules_1
