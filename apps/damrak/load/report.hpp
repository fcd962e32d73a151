// Reports of a `damrak load` run, for people and as one JSON object.
#pragma once

#include <optional>

#include "load/options.hpp"

namespace damrak::app {

/// `echo` is the floor that was measured before.
void print_load_report(const LoadOptions& options, const LoadResult& result,
                       const std::optional<LoadResult>& echo);

}  // namespace damrak::app
