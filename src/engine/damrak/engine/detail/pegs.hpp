// Pegged orders: the price that each follows, and the list of those of an instrument
// (docs/rule-book/pegged-orders.md).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// Per participant and instrument.
inline constexpr std::uint32_t k_most_pegged_orders = 100;

/// The nearest valid price away from the market, for an order of this side; zero if there is none.
[[nodiscard]] Tick valid_tick(const InstrumentState& in, Side side, Tick tick);
/// Whether the command has the terms of a pegged order.
[[nodiscard]] Reason check_peg(const InstrumentState& in, const Command& command);
/// Of a new order; follows nothing if it is not pegged.
[[nodiscard]] Peg peg_of(const InstrumentState& in, const Command& command);
/// The price at which it enters now, if it is pegged; `tick` stays otherwise.
[[nodiscard]] Reason check_peg_price(const EngineState& engine, const InstrumentState& in,
                                     const Peg& peg, Tick& tick);
/// Of an order that is pegged.
[[nodiscard]] Peg peg_of(const EngineState& engine, const Order& order);
/// Of the displayed orders that are not pegged.
[[nodiscard]] BestPrices best_prices(const EngineState& engine, const InstrumentState& in);
/// The price at which a pegged order stands by these best prices; zero if there is none.
[[nodiscard]] Tick peg_tick(const InstrumentState& in, const BestPrices& best, const Peg& peg);
/// The next pegged order, by time, that stands at another price than it should; zero if there is
/// none, or while the store of price levels could run out.
[[nodiscard]] OrderIndex next_to_move(const EngineState& engine, InstrumentState& in);
/// Moves this order and the next ones, by time, while they are hidden and rest where they come,
/// which needs no turn. Returns the first other one, or the next one if the slice is full; zero if
/// all have moved.
[[nodiscard]] OrderIndex move_hidden(EngineState& engine, InstrumentState& in, OrderIndex index);
/// Puts an order that has its extension at the end of the list.
void enlist_peg(EngineState& engine, const Incoming& order);

}  // namespace damrak::detail
