// Distributions as SVG: values over the percentile at which they lie, both axes logarithmic, so
// that the tail is as wide as the rest. Knows nothing of what was measured. Called at the end of a
// run; one pass over the points, of which there are some dozens a curve.
//
// Values that are far from all others leave the chart at its top and are reported in words, so that
// one of them does not press all curves together.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

struct Percentile {
    double fraction{};  ///< of the values that are not larger, from 0 to 1
    double value{};     ///< above zero
};

struct PercentileCurve {
    std::string name;  ///< in the legend
    std::string colour;
    std::vector<Percentile> points;  ///< ascending
};

struct PercentileChart {
    std::string title;
    int width{960};  ///< a page shows a narrow one to a phone
    std::vector<PercentileCurve> curves;
};

/// `unit` stands behind the numbers of the value axis.
[[nodiscard]] std::string render_percentiles(const PercentileChart& chart, const std::string& unit);

}  // namespace damrak::plot
