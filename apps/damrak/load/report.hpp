// Reports of a `damrak load` run, for people and as one JSON object.
#pragma once

#include <optional>
#include <string>

#include "load/options.hpp"

namespace damrak::app {

/// A rate a second, to whole ones, in groups of three digits.
[[nodiscard]] std::string rate_text(double rate);

/// `echo` is the floor that was measured before.
void print_load_report(const LoadOptions& options, const LoadResult& result,
                       const std::optional<LoadResult>& echo);

}  // namespace damrak::app
