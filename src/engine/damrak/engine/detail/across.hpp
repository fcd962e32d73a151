// Trades across the books of a combination, as orders that come in and orders at rest of spreads
// make them (combinations.cpp, waiting_spreads.cpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/base/wide_integer.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/engine/detail/combinations.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// One book that an order of another instrument trades with: `ratio` of it for each unit.
struct Part {
    InstrumentState* in = nullptr;
    Side resting{};
    std::int64_t ratio = 0;
};

/// What an order could trade with across the books of one combination, at their best prices.
struct Across {
    InstrumentState* combination = nullptr;
    std::array<Part, CombinationDetails::k_maximum_legs> parts{};
    std::size_t count = 0;
    std::int64_t units = 0;  ///< zero: nothing
    PriceKey key = k_no_price;
};

[[nodiscard]] InstrumentState& state_of(const EngineState& engine, InstrumentId id);
/// Whether it trades continuously.
[[nodiscard]] bool is_open(const InstrumentState& in);
/// On the side of the part.
[[nodiscard]] bool has_orders(const EngineState& engine, ParticipantId owner, const Part& part);
[[nodiscard]] Across look_across(const EngineState& engine, const Taker& taker,
                                 InstrumentId combination);
/// Begins a trade of this many units.
void begin_across(EngineState& engine, const Across& across, std::int64_t units);
/// The parts of the current trade trade. False if the slice is full.
[[nodiscard]] bool trade_parts(EngineState& engine);
/// Of a unit, for the order that trades with the parts.
[[nodiscard]] Price price_across(const TradeAcross& trade, Side side);
/// An order at rest trades across books, not always at its own price.
void fill_across(EngineState& engine, InstrumentState& in, OrderIndex index, Quantity quantity,
                 Tick tick);

}  // namespace damrak::detail
