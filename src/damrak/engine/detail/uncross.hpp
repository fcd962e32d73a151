// The end of a call auction (docs/rule-book/phases.md).
#pragma once

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/engine_state.hpp>

namespace damrak::detail {

[[nodiscard]] Reason uncross(EngineState& engine, const Command& command);
void go_on_with_uncross(EngineState& engine);

}  // namespace damrak::detail
