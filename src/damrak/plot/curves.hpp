// Values over a size as SVG, both axes logarithmic: what something costs as it grows. Knows nothing
// of what was measured. Called at the end of a run.
#pragma once

#include <string>
#include <vector>

namespace damrak::plot {

struct CurvePoint {
    double size{};   ///< above zero
    double value{};  ///< above zero
};

struct Curve {
    std::string name;  ///< at its end
    std::string colour;
    std::vector<CurvePoint> points;  ///< ascending
};

struct CurveChart {
    std::string title;
    std::string size_name;
    std::string unit;
    std::vector<Curve> curves;
};

[[nodiscard]] std::string render_curves(const CurveChart& chart);

}  // namespace damrak::plot
