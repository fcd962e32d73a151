// Values with the interval they are known to lie in, a line each, as SVG; beside each, where there
// is one, a second value to hold it against. The axis begins at zero, or is logarithmic where
// values lie far apart. Knows nothing of what was measured. Called at the end of a run.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace damrak::plot {

struct IntervalLine {
    std::string name;
    double low{};
    double value{};
    double high{};
    std::optional<double> mark{};  ///< drawn as a hollow diamond
    std::string colour;
};

struct IntervalChart {
    std::string title;
    std::string unit;
    std::string mark_name;  ///< what the diamonds are, in the legend; empty: there are none
    std::vector<IntervalLine> lines;
};

[[nodiscard]] std::string render_intervals(const IntervalChart& chart);

}  // namespace damrak::plot
