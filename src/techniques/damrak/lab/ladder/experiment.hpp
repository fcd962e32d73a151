// The ladder as an experiment of the laboratory: a trial per measure, a variant per rung. Called by
// `damrak lab ladder` and `damrak lab run`; set-up only.
#pragma once

#include <damrak/lab/experiment.hpp>

namespace damrak::lab {

[[nodiscard]] Experiment ladder_experiment();

}  // namespace damrak::lab
