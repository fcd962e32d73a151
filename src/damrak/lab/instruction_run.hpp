// Instructions of each variant where the processor does not count them: this program runs once more
// as a child under callgrind, which is told where the measured part begins and ends
// (lab/profiler_request.hpp).
// Called after the trials have run; takes some fifty times as long as the work itself.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

/// Trial and variant, to instructions an operation.
using InstructionCounts = std::map<std::pair<std::string, std::string>, double>;

/// Runs `program` with `arguments` (which have to lead to run_counted()) under callgrind. The error
/// says why there are no counts.
[[nodiscard]] std::expected<InstructionCounts, std::string> count_instructions(
    const std::string& program, const std::vector<std::string>& arguments);

/// In the child: runs each countable variant once, and writes a line for each on standard output.
void run_counted(const Experiment& experiment, const Effort& effort);

}  // namespace damrak::lab
