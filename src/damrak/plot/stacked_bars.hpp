// Lying bars of several parts as SVG, a bar a line, with the sum behind it. Knows nothing of what
// was measured. Called at the end of a run. A bar that is far longer than the others is cut, so
// that they can be seen; its sum is reported as that of all.
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
    int width{960};  ///< a page shows a narrow one to a phone
    std::vector<BarPart> parts;
    std::vector<Bar> bars;
};

[[nodiscard]] std::string render_bars(const StackedBars& chart);

}  // namespace damrak::plot
