// Runs a check in its own process, so that an assertion, a crash or an endless loop in it is a
// finding like any other. For tests only; a call costs a fork.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace damrak {

/// Result of the check; or how its process ended, if it crashed or exceeded its processor time.
[[nodiscard]] std::optional<std::string> run_in_child(
    const std::function<std::optional<std::string>()>& check, unsigned cpu_limit_s,
    bool silent = false);

}  // namespace damrak
