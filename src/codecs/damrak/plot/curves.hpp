// Values or shares over a size, as SVG: how a cost or an amount grows with the size. Both axes are
// logarithmic; shares have a linear axis. Independent of what was measured. Called at the end of a
// run.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

/// A point of a curve.
struct CurvePoint {
    double size{};   ///< above zero
    double value{};  ///< above zero; a share from 0 to 1
};

/// A line in a chart of curves.
struct Curve {
    std::string name;  ///< shown at its end
    std::string colour;
    std::vector<CurvePoint> points;  ///< ascending
};

/// What a chart of curves shows: values by size.
struct CurveChart {
    std::string title;
    std::string size_name;
    std::string unit;
    bool has_shares = false;  ///< the values are shares, on a linear axis in percent
    std::vector<Curve> curves;
};

[[nodiscard]] std::string render_curves(const CurveChart& chart);

}  // namespace damrak::plot
