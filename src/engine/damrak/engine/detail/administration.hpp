// Commands about instruments, participants and capacities (rule book, section 2).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason add_instrument(EngineState& engine, const Command& command);
[[nodiscard]] Reason add_tick_band(EngineState& engine, const Command& command);
[[nodiscard]] Reason set_trading_state(EngineState& engine, const Command& command);
[[nodiscard]] Reason set_phase(EngineState& engine, const Command& command);
[[nodiscard]] Reason set_limits(EngineState& engine, const Command& command);
[[nodiscard]] Reason release_participant(EngineState& engine, const Command& command);
/// Allocates if a capacity grows.
[[nodiscard]] Reason set_capacities(EngineState& engine, const Command& command);
/// Resets the engine to new, with these capacities.
void reserve(EngineState& engine, const CapacityDetails& capacities);

}  // namespace damrak::detail
