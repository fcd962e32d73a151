// Busted and corrected trades (docs/rule-book/busted-trades.md).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason bust_trade(EngineState& engine, const Command& command);
[[nodiscard]] Reason correct_trade(EngineState& engine, const Command& command);
/// At the end of a day: the trades of its instruments stand from now on.
void settle_trades(EngineState& engine, const Command& end_day);

}  // namespace damrak::detail
