#include <damrak/plot/stacked_bars.hpp>

#include <algorithm>
#include <numeric>
#include <ranges>

#include <fmt/format.h>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::escaped;
using detail::pixel;

constexpr int k_width = 960;
constexpr int k_left = 100;   // names of the bars
constexpr int k_right = 100;  // sums behind them
constexpr int k_top = 40;
constexpr int k_line = 30;
constexpr int k_thickness = 20;
constexpr int k_bottom = 30;

double sum_of(const Bar& bar) { return std::accumulate(bar.values.begin(), bar.values.end(), 0.0); }

std::string legend(const StackedBars& chart) {
    std::string out;
    double right = k_width - 20;
    for (const BarPart& part : chart.parts | std::views::reverse) {
        out += fmt::format("<text class=\"v\" x=\"{}\" y=\"24\">{}</text>\n", pixel(right),
                           escaped(part.name));
        right -= 6.6 * static_cast<double>(part.name.size()) + 7;
        out += fmt::format("<path fill=\"{}\" d=\"M{} 14h12v12h-12z\"/>\n", part.colour,
                           pixel(right - 14));
        right -= 32;
    }
    return out;
}

}  // namespace

std::string render_bars(const StackedBars& chart) {
    const int height = k_top + k_line * static_cast<int>(chart.bars.size()) + k_bottom;
    double most = 0;
    for (const Bar& bar : chart.bars) most = std::max(most, sum_of(bar));
    const double scale = most > 0 ? (k_width - k_left - k_right) / most : 0;
    std::string out = detail::svg_begin(k_width, height, chart.title);
    out += fmt::format("<text class=\"p\" x=\"{}\" y=\"24\">{}</text>\n", k_left,
                       escaped(chart.title));
    out += legend(chart);
    const int axis = height - k_bottom;
    if (most > 0) {
        const Ticks ticks = number_ticks({0, most}, 8);
        for (const double at : ticks.at)
            out += fmt::format(
                "<path class=\"g\" d=\"M{0} {1}V{2}\"/>\n<text class=\"h\" x=\"{0}\" y=\"{3}\">{4} "
                "{5}</text>\n",
                pixel(k_left + at * scale), k_top, axis, axis + 18, number_label(at, ticks.step),
                escaped(chart.unit));
    }
    int top = k_top + (k_line - k_thickness) / 2;
    for (const Bar& bar : chart.bars) {
        out += fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>\n", k_left - 8, top + 14,
                           escaped(bar.name));
        double x = k_left;
        for (std::size_t i = 0; i < bar.values.size() && i < chart.parts.size(); ++i) {
            const double width = bar.values[i] * scale;
            out +=
                fmt::format("<path fill=\"{}\" d=\"M{} {}h{}v{}h-{}z\"/>\n", chart.parts[i].colour,
                            pixel(x), top, pixel(width), k_thickness, pixel(width));
            x += width;
        }
        out += fmt::format("<text x=\"{}\" y=\"{}\">{:.2f} {}</text>\n", pixel(x + 6), top + 14,
                           sum_of(bar), escaped(chart.unit));
        top += k_line;
    }
    return out + "</svg>\n";
}

}  // namespace damrak::plot
