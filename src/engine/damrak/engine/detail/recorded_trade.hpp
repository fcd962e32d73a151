// A trade that a recording reports against one of its orders (rule book, section 12).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason recorded_trade(EngineState& engine, const Command& command,
                                    OrderIdMap::Key key);
/// Continues in the next slice.
void go_on_with_recorded_trade(EngineState& engine);

}  // namespace damrak::detail
