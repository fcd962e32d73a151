// Lying bars of several parts as SVG, a bar a line, with the sum behind it. Knows nothing of what
// was measured. Called at the end of a run.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

struct BarPart {
    std::string name;  ///< in the legend
    std::string colour;
};

struct Bar {
    std::string name;
    std::vector<double> values;  ///< one a part, none below zero
};

struct StackedBars {
    std::string title;
    std::string unit;
    std::vector<BarPart> parts;
    std::vector<Bar> bars;
};

[[nodiscard]] std::string render_bars(const StackedBars& chart);

}  // namespace damrak::plot
