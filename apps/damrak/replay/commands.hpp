// `damrak replay --format commands`: a command script through the engine, its events one a line.
#pragma once

#include "replay/options.hpp"

namespace damrak::app {

int replay_commands(const ReplayOptions& options);

}  // namespace damrak::app
