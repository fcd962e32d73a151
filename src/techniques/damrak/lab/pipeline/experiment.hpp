// The exchange inside one process as an experiment of `damrak lab run`: both wirings, with and
// without the journal. `damrak lab pipeline` (apps/) runs the same on its own. Set-up only.
#pragma once

#include <damrak/lab/experiment.hpp>

namespace damrak::lab::pipeline {

[[nodiscard]] Experiment experiment();

}  // namespace damrak::lab::pipeline
