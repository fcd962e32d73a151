#include <damrak/plot/stacked_bars.hpp>

#include <algorithm>
#include <iterator>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::pixel;

constexpr int k_left = 84;   // for the names of the bars
constexpr int k_right = 84;  // for the sums after the bars
constexpr int k_title = 32;
constexpr int k_edge = 12;  // margin of title and legend
constexpr int k_line = 30;
constexpr int k_thickness = 20;
constexpr int k_bottom = 30;

double sum_of(const Bar& bar) { return std::accumulate(bar.values.begin(), bar.values.end(), 0.0); }

// End of the axis: the longest bar that is not an outlier. Bars longer than four times the median
// are cut.
double axis_end(const StackedBars& chart) {
    constexpr double k_far = 4;
    std::vector<double> sums;
    sums.reserve(chart.bars.size());
    for (const Bar& bar : chart.bars) sums.push_back(sum_of(bar));
    std::ranges::sort(sums);
    if (sums.empty()) return 0;
    const double middle = sums[(sums.size() - 1) / 2];
    const auto common = std::ranges::upper_bound(sums, middle * k_far);
    return middle > 0 ? *std::prev(common) : sums.back();
}

// Two slanted strokes that mark a cut bar.
std::string cut_mark(double x, int top) {
    return fmt::format("<path class=\"m\" d=\"M{} {}l8 -{}h5l-8 {}z\"/>\n", pixel(x - 24),
                       top + k_thickness + 2, k_thickness + 4, k_thickness + 4);
}

std::string bar_of(const Bar& bar, const StackedBars& chart, double scale, double right, int top) {
    std::string out = fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>\n", k_left - 8,
                                  top + 14, escaped(bar.name));
    double x = k_left;
    for (std::size_t i = 0; i < bar.values.size() && i < chart.parts.size(); ++i) {
        const double width = std::min(bar.values[i] * scale, right - x);
        out += fmt::format("<path fill=\"{}\" d=\"M{} {}h{}v{}h-{}z\"/>\n", chart.parts[i].colour,
                           pixel(x), top, pixel(width), k_thickness, pixel(width));
        x += width;
    }
    const double sum = sum_of(bar);
    if (sum * scale > (right - k_left) * (1 + 1e-9)) out += cut_mark(x, top);
    return out + fmt::format("<text x=\"{}\" y=\"{}\">{} {}</text>\n", pixel(x + 6), top + 14,
                             number_label(sum, sum < 100 ? 0.01 : 1), escaped(chart.unit));
}

}  // namespace

std::string render_bars(const StackedBars& chart) {
    std::vector<detail::LegendEntry> entries;
    entries.reserve(chart.parts.size());
    for (const BarPart& part : chart.parts)
        entries.push_back({.name = part.name, .colour = part.colour});
    const auto legend = detail::legend(entries, k_edge, chart.width - 20, k_title);
    const int bars_top = k_title + legend.height + 8;
    const int axis = bars_top + k_line * static_cast<int>(chart.bars.size());
    const double most = axis_end(chart);
    const double right = chart.width - k_right;
    const double scale = most > 0 ? (right - k_left) / most : 0;
    std::string out = detail::svg_begin(chart.width, axis + k_bottom, chart.title);
    out += fmt::format("<text class=\"p\" x=\"{}\" y=\"24\">{}</text>\n{}", k_edge,
                       escaped(chart.title), legend.svg);
    if (most > 0) {
        constexpr int k_label_width = 80;
        const Ticks ticks = number_ticks({0, most}, chart.width / k_label_width - 2);
        for (const double at : ticks.at)
            out += fmt::format(
                "<path class=\"g\" d=\"M{0} {1}V{2}\"/>\n<text class=\"h\" x=\"{0}\" y=\"{3}\">{4} "
                "{5}</text>\n",
                pixel(k_left + at * scale), bars_top, axis, axis + 18, number_label(at, ticks.step),
                escaped(chart.unit));
    }
    int top = bars_top + (k_line - k_thickness) / 2;
    for (const Bar& bar : chart.bars) {
        out += bar_of(bar, chart, scale, right, top);
        top += k_line;
    }
    return out + "</svg>\n";
}

}  // namespace damrak::plot
