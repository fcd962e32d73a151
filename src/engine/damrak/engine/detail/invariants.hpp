// Checks the invariants between commands by walking over everything. Slow: for tests.
#pragma once

#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

void check_invariants(const EngineState& engine);

}  // namespace damrak::detail
