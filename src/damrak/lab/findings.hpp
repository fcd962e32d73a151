// What the numbers of a trial say, in plain words. Nothing here is written by hand about a result:
// each sentence is made of a comparison. Called when a report is made.
#pragma once

#include <string>
#include <vector>

#include <damrak/lab/results.hpp>

namespace damrak::lab {

/// Findings on each variant against the baseline, on the control, and on the warm-up where it is
/// visible.
[[nodiscard]] std::vector<std::string> findings_of(const TrialResult& result);

/// What others published beside what was found here, a sentence for each claim.
[[nodiscard]] std::vector<std::string> claims_of(const TrialResult& result);

/// In some sentences over all experiments: how many comparisons, how many told, how many controls
/// held.
[[nodiscard]] std::string summary_of(const RunResult& run);

[[nodiscard]] std::string_view name(Measure measure);

/// "a message", "an order".
[[nodiscard]] std::string with_article(const std::string& operation);

}  // namespace damrak::lab
