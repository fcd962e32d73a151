#include <damrak/plot/detail/columns.hpp>

#include <algorithm>
#include <cmath>

namespace damrak::plot {

std::vector<Run> to_runs(std::span<const Point> points, Range time_ns, int width) {
    std::vector<Run> runs;
    bool open = false;
    const double scale = time_ns.width() > 0 ? width / time_ns.width() : 0.0;
    for (const Point& point : points) {
        const auto time = static_cast<double>(point.time_ns);
        if (time > time_ns.high) break;
        if (time < time_ns.low) runs.clear(), open = false;
        const int index = std::clamp(static_cast<int>((time - time_ns.low) * scale), 0, width - 1);
        if (std::isnan(point.value)) {
            if (open) runs.back().end = index;
            open = false;
            continue;
        }
        if (!open && (runs.empty() || runs.back().end != index)) runs.push_back({});
        open = true;
        Run& run = runs.back();
        run.end = width;
        if (run.columns.empty() || run.columns.back().index != index) {
            run.columns.push_back({index, point.value, point.value, point.value});
        } else {
            Column& column = run.columns.back();
            column.low = std::min(column.low, point.value);
            column.high = std::max(column.high, point.value);
            column.last = point.value;
        }
    }
    return runs;
}

Range shown_range(std::vector<double> values) {
    if (values.empty()) return {0, 1};
    std::ranges::sort(values);
    const std::size_t tail = values.size() / 100;
    const Range middle{values[tail], values[values.size() - 1 - tail]};
    const double margin = middle.width();
    Range shown{values.front(), values.back()};
    if (margin > 0 && shown.width() > 6 * margin) {
        shown = {std::max(shown.low, middle.low - margin),
                 std::min(shown.high, middle.high + margin)};
    }
    if (shown.width() > 0) return shown;
    const double around = std::max(std::abs(shown.low) * 0.001, 0.01);
    return {shown.low - around, shown.high + around};
}

}  // namespace damrak::plot
