// Values with their intervals as SVG, one per line; beside each, optionally, a second value for
// comparison. The axis begins at zero, or is logarithmic if the values are far apart. Independent
// of what was measured. Called at the end of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace damrak::plot {

/// A value with the interval that it is in.
struct IntervalLine {
    std::string name;
    double low{};
    double value{};
    double high{};
    std::optional<double> mark{};  ///< drawn as a hollow diamond
    std::string colour;
};

/// What a chart of intervals shows.
struct IntervalChart {
    std::string title;
    std::string unit;
    bool are_differences = false;  ///< an axis around zero, even if none is below it
    std::string mark_name;         ///< legend of the diamonds; empty: there are none
    std::vector<IntervalLine> lines;
};

[[nodiscard]] std::string render_intervals(const IntervalChart& chart);

}  // namespace damrak::plot
