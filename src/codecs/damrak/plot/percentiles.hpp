// Distributions as SVG: values over percentiles, both axes logarithmic, so that the tail gets as
// much space as the rest. Independent of what was measured. Called at the end of a run; one pass
// over the points, some dozens per curve.
//
// Outliers leave the chart at its top and are listed as text, so that a single one does not flatten
// all curves.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

/// A point of a curve of percentiles.
struct Percentile {
    double fraction{};  ///< part of the values that is not larger, from 0 to 1
    double value{};     ///< above zero
};

/// A line in a chart of percentiles.
struct PercentileCurve {
    std::string name;  ///< for the legend
    std::string colour;
    std::vector<Percentile> points;  ///< ascending
};

/// What a chart of percentiles shows.
struct PercentileChart {
    std::string title;
    int width{960};  ///< narrow for phones
    std::vector<PercentileCurve> curves;
};

/// `unit` follows the numbers of the value axis.
[[nodiscard]] std::string render_percentiles(const PercentileChart& chart, const std::string& unit);

}  // namespace damrak::plot
