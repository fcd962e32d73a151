// Facts about a measurement: the machine, and how the program was compiled. Called once per run.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace damrak::lab {

/// Name and value, in the order of the report.
using Facts = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] Facts machine_facts();

}  // namespace damrak::lab
