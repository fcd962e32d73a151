// `damrak load --hostile`: what well-behaved clients see of the exchange while others do their
// worst. For each kind of attack a quiet run, the same run beside it, and whether its 99th
// percentile stayed within twice the quiet one and 50 microseconds.
#pragma once

#include "load/options.hpp"

namespace damrak::app {

/// The options are those of the well-behaved clients. Returns the exit code: a failure, if any of
/// them was not answered, or not rightly.
[[nodiscard]] int run_hostile(const LoadOptions& options);

}  // namespace damrak::app
