// What a measurement was made on: the machine, and how the program was compiled. Called once a run.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace damrak::lab {

/// Name and value, in the order in which a report shows them.
using Facts = std::vector<std::pair<std::string, std::string>>;

[[nodiscard]] Facts machine_facts();

}  // namespace damrak::lab
