// All results of a laboratory run: the input of report, JSON and terminal output.
#pragma once

#include <string>
#include <vector>

#include <damrak/lab/experiment.hpp>
#include <damrak/lab/machine.hpp>
#include <damrak/lab/runner.hpp>

namespace damrak::lab {

/// An experiment with the outcome of its trials.
struct ExperimentResult {
    Experiment experiment;
    std::vector<TrialResult> trials;
    std::string why_no_counts;  ///< of instructions; empty if there are any
};

/// The outcome of a run of the laboratory.
struct RunResult {
    Facts machine;
    RunSettings settings;
    std::vector<ExperimentResult> experiments;
    std::string counted_by;  ///< how instructions were counted
    double elapsed_s = 0;
};

}  // namespace damrak::lab
