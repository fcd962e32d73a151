// Reduces points to pixel columns, so that the size of a chart does not grow with its data. Called
// by svg.cpp, once per layer; one pass over the points.
#pragma once

#include <span>
#include <vector>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/svg.hpp>

namespace damrak::plot {

/// The values that fall into one pixel column.
struct Column {
    int index{};  // from the left
    double low{};
    double high{};
    double last{};

    friend bool operator==(const Column&, const Column&) = default;
};

/// Columns between two gaps in the data, ascending. A gap within one column is not drawn.
struct Run {
    std::vector<Column> columns;
    int end{};  // the column up to which the last value holds
};

/// Points after the time range are ignored; the last one before it gives column 0 its value.
[[nodiscard]] std::vector<Run> to_runs(std::span<const Point> points, Range time_ns, int width);

/// The range to show: all values, or, if a few outliers would flatten the rest, the middle 98% with
/// a margin of that width on both sides.
[[nodiscard]] Range shown_range(std::vector<double> values);

}  // namespace damrak::plot
