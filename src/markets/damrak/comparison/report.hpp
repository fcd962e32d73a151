// A whole comparison, and its report: one HTML page that needs nothing else, tables as CSV.
// Called at the end.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <damrak/comparison/comparison.hpp>
#include <damrak/comparison/detail/values.hpp>

namespace damrak::comparison {

/// A market in the report.
struct ComparedMarket {
    std::string name;  ///< of a study: unlike that of the others
    std::string about;
    std::string file;  ///< empty: from the catalogue
    std::uint64_t identity = 0;
    std::vector<MeasuredRun> runs;
};

/// Markets and how the others differ from the first.
struct Study {
    std::vector<ComparedMarket> markets;  ///< the first is what the others are compared with
    std::vector<Comparison> comparisons;  ///< of each other market
    CompareOptions options;
    bool is_stopped = false;  ///< before all seeds had run
    bool had_enough = false;  ///< by --until-ci
    bool has_other_seeds = false;
};

/// Compares all with the first, and corrects. As many runs of each. Markets of one name get the
/// file, the identity or the place behind it, so that each has a name of its own.
[[nodiscard]] Study study_of(std::vector<ComparedMarket> markets, const CompareOptions& options);

[[nodiscard]] std::string differences_csv(const Study& study);
/// A row for each run and value.
[[nodiscard]] std::string runs_csv(const Study& study);
[[nodiscard]] std::string report_html(const Study& study);

}  // namespace damrak::comparison
