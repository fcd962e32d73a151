// Converts a state of rules version 1 to today's rules: orders that rest under a condition leave
// the queues (rule book, sections 5 and 7). No order trades here, as there is no command to report
// it.
#pragma once

#include <damrak/engine/engine_state.hpp>

namespace damrak::detail {

void adopt_rules_1(EngineState& engine);

}  // namespace damrak::detail
