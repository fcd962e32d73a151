// The report of a run: machine, method, and for each experiment its tables, plots, published
// figures beside ours, and findings. Called at the end of a run.
#pragma once

#include <damrak/lab/document.hpp>
#include <damrak/lab/results.hpp>

namespace damrak::lab {

[[nodiscard]] Document report_of(const RunResult& run);

/// The tables and findings of one experiment, also shown on the terminal.
void add_experiment(const ExperimentResult& result, Document& document);

}  // namespace damrak::lab
