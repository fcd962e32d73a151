// Horizontal stacked bars as SVG, one per line, each with its sum. Independent of what was
// measured. Called at the end of a run. A bar that is far longer than the others is cut, so that
// these stay visible; its sum is still shown.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

/// A part of every bar.
struct BarPart {
    std::string name;  ///< for the legend
    std::string colour;
};

/// One bar of the chart.
struct Bar {
    std::string name;
    std::vector<double> values;  ///< one per part, none negative
};

struct StackedBars {
    std::string title;
    std::string unit;
    int width{960};  ///< narrow for phones
    std::vector<BarPart> parts;
    std::vector<Bar> bars;
};

[[nodiscard]] std::string render_bars(const StackedBars& chart);

}  // namespace damrak::plot
