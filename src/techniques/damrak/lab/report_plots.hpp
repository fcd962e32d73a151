// The pictures of a report: intervals of each trial, distributions of latency, cost against size.
// Called by report.cpp.
#pragma once

#include <damrak/lab/document.hpp>
#include <damrak/lab/results.hpp>

namespace damrak::lab {

/// Time per operation with its interval for each variant, with published figures.
[[nodiscard]] std::string interval_plot(const TrialResult& result);
/// Empty if no latencies were taken.
[[nodiscard]] std::string latency_plot(const TrialResult& result);
/// One plot for each series with more than one size.
void add_size_plots(const ExperimentResult& result, Document& document);

}  // namespace damrak::lab
