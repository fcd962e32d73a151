// Trailing stops: stops whose price follows the market at a distance
// (docs/rule-book/trailing-stops.md).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// Whether the command has the terms of a trailing stop, if it is one.
[[nodiscard]] Reason check_trail(const InstrumentState& in, const Command& command);
/// The stop price of a new stop order; for a trailing one by the last trade. Says why it has none.
[[nodiscard]] Reason check_stop_price(const InstrumentState& in, const Command& command,
                                      Tick& stop);
/// Moves the trailing stops by the trades since they moved last, and elects those that the last
/// trade has reached then. They stay where they are while the store of price levels could run out.
void follow_trades(EngineState& engine, InstrumentState& in);

}  // namespace damrak::detail
