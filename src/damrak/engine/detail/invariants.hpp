// What must hold between commands, checked by walking over everything. For tests: it is slow.
#pragma once

#include <damrak/engine/engine_state.hpp>

namespace damrak::detail {

void check_invariants(const EngineState& engine);

}  // namespace damrak::detail
