// Instructions of each variant if the processor does not count them: this program runs once more as
// a child under callgrind, with marks at the start and end of the measured part
// (lab/profiler_request.hpp). Called after the trials; takes some fifty times as long as the work
// itself.
#pragma once

#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

/// From trial and variant to instructions per operation.
using InstructionCounts = std::map<std::pair<std::string, std::string>, double>;

/// Runs `program` with `arguments`, which must lead to run_counted(), under callgrind. The error
/// says why there are no counts.
[[nodiscard]] std::expected<InstructionCounts, std::string> count_instructions(
    const std::string& program, const std::vector<std::string>& arguments);

/// In the child: runs each countable variant once, and writes one line per variant to standard
/// output.
void run_counted(const Experiment& experiment, const Effort& effort);

}  // namespace damrak::lab
