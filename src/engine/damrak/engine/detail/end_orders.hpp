// Commands that end many orders: mass cancel, kill switch, end of day (rule book, section 11). A
// full slice leaves the rest to the next one.
#pragma once

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason mass_cancel(EngineState& engine, const Command& command);
/// Blocking a participant ends its orders.
[[nodiscard]] Reason set_participant_state(EngineState& engine, const Command& command);
[[nodiscard]] Reason end_day(EngineState& engine, const Command& command);
/// Continues from the instrument where the last slice stopped.
void go_on_ending(EngineState& engine);

}  // namespace damrak::detail
