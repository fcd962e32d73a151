// `damrak sim compare` and what it shares with `damrak sim results`: markets with their runs,
// compared with the first of them, as a table and as JSON.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include <damrak/comparison/comparison.hpp>
#include <damrak/comparison/report.hpp>

namespace damrak::app {

[[nodiscard]] nlohmann::ordered_json json_of(const comparison::Study& study);
/// A table for each comparison.
void print(const comparison::Study& study);

}  // namespace damrak::app
