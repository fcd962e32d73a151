// A state of rules version 1 becomes one of today's: what rests under a condition leaves the queues
// (rule book, sections 5 and 7). No order trades here, as no command could tell of it.
#pragma once

#include <damrak/engine/engine_state.hpp>

namespace damrak::detail {

void adopt_rules_1(EngineState& engine);

}  // namespace damrak::detail
