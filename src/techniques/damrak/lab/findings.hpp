// The results of a trial as sentences. Each sentence is generated from a comparison. Called when a
// report is made.
#pragma once

#include <string>
#include <vector>

#include <damrak/lab/results.hpp>

namespace damrak::lab {

/// Findings on each variant against the baseline, on the control, and on the warm-up if it is
/// visible.
[[nodiscard]] std::vector<std::string> findings_of(const TrialResult& result);

/// Published figures beside those found here, one sentence per claim.
[[nodiscard]] std::vector<std::string> claims_of(const TrialResult& result);

/// A summary of all experiments: how many comparisons, how many differences, how many valid
/// controls.
[[nodiscard]] std::string summary_of(const RunResult& run);

[[nodiscard]] std::string_view name(Measure measure);

/// "a message", "an order".
[[nodiscard]] std::string with_article(const std::string& operation);

}  // namespace damrak::lab
