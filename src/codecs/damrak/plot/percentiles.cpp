#include <damrak/plot/percentiles.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::pixel;

constexpr int k_height = 300;  // of the plot without its labels
constexpr int k_left = 84;
constexpr int k_edge = 12;  // margin of title and legend
constexpr int k_right = 20;
constexpr int k_bottom = 36;
constexpr int k_least_label = 52;  // between two percentile labels
// Values above a hundred times the 90th percentile of every curve are listed, not drawn.
constexpr double k_common_fraction = 0.9;
constexpr double k_far = 100;

struct Tick {
    double fraction;
    const char* label;
};
constexpr std::array<Tick, 8> k_ticks{{{0, "0"},
                                       {0.5, "50"},
                                       {0.9, "90"},
                                       {0.99, "99"},
                                       {0.999, "99.9"},
                                       {0.9999, "99.99"},
                                       {0.99999, "99.999"},
                                       {0.999999, "99.9999"}}};

// The number of nines: 0.9 is one, 0.99 two. The largest value of all is at the end of the axis.
double nines(double fraction, double most) {
    return fraction >= 1 ? most : std::min(most, -std::log10(1 - fraction));
}

struct Frame {
    int width = 0;
    int top = 0;
    double most_nines = 1;
    double low_decade = 0;
    double high_decade = 1;

    [[nodiscard]] double x(double fraction) const {
        return k_left + (width - k_left - k_right) * nines(fraction, most_nines) / most_nines;
    }
    [[nodiscard]] double y(double value) const {
        const double decade =
            std::clamp(std::log10(std::max(value, 1e-9)), low_decade, high_decade);
        return bottom() - (bottom() - top) * (decade - low_decade) / (high_decade - low_decade);
    }
    [[nodiscard]] int bottom() const { return top + k_height - k_bottom; }
};

struct Extent {
    double low = 1e300;
    double high = 0;
    double common = 0;  // the largest value of a curve at the common fraction
    double most_nines = 1;
};

Extent extent_of(const PercentileChart& chart) {
    Extent extent;
    for (const PercentileCurve& curve : chart.curves) {
        for (const Percentile& point : curve.points) {
            if (point.value > 0) extent.low = std::min(extent.low, point.value);
            extent.high = std::max(extent.high, point.value);
            if (point.fraction <= k_common_fraction)
                extent.common = std::max(extent.common, point.value);
            if (point.fraction < 1)
                extent.most_nines = std::max(extent.most_nines, -std::log10(1 - point.fraction));
        }
    }
    return extent;
}

Frame frame_of(const PercentileChart& chart, const Extent& extent, int top) {
    Frame frame{.width = chart.width, .top = top, .most_nines = extent.most_nines};
    if (extent.high <= 0) return frame;
    const double drawn =
        extent.common > 0 ? std::min(extent.high, extent.common * k_far) : extent.high;
    frame.low_decade = std::floor(std::log10(extent.low));
    frame.high_decade = std::max(std::ceil(std::log10(drawn)), frame.low_decade + 1);
    return frame;
}

// Text about the curves that leave the chart.
std::string beyond(const PercentileChart& chart, const Frame& frame, const std::string& unit) {
    std::string text;
    for (const PercentileCurve& curve : chart.curves) {
        double most = 0;
        for (const Percentile& point : curve.points) most = std::max(most, point.value);
        if (most > std::pow(10.0, frame.high_decade) * (1 + 1e-9))
            text += fmt::format("{}{} up to {} {}", text.empty() ? "beyond the chart: " : ", ",
                                curve.name, number_label(most, 1), unit);
    }
    return text;
}

std::string grid(const Frame& frame, const std::string& unit) {
    std::string lines;
    std::string labels;
    double label_at = -k_least_label;
    for (const Tick& tick : k_ticks) {
        if (tick.fraction > 0 && -std::log10(1 - tick.fraction) > frame.most_nines) continue;
        const double x = frame.x(tick.fraction);
        lines += fmt::format("M{} {}V{}", pixel(x), frame.top, frame.bottom());
        if (x - label_at < k_least_label) continue;
        label_at = x;
        labels += fmt::format("<text class=\"h\" x=\"{}\" y=\"{}\">{}%</text>\n", pixel(x),
                              frame.bottom() + 18, tick.label);
    }
    for (double decade = frame.low_decade; decade <= frame.high_decade; ++decade) {
        const double value = std::pow(10.0, decade);
        const double y = frame.y(value);
        lines += fmt::format("M{} {}H{}", k_left, pixel(y), frame.width - k_right);
        labels += fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{} {}</text>\n", k_left - 8,
                              pixel(y + 4), number_label(value, value), escaped(unit));
    }
    return fmt::format("<path class=\"g\" d=\"{}\"/>\n{}", lines, labels);
}

std::string path_of(const PercentileCurve& curve, const Frame& frame) {
    std::string path;
    for (const Percentile& point : curve.points)
        path += fmt::format("{}{} {}", path.empty() ? 'M' : 'L', pixel(frame.x(point.fraction)),
                            pixel(frame.y(point.value)));
    return path;
}

}  // namespace

std::string render_percentiles(const PercentileChart& chart, const std::string& unit) {
    constexpr int k_title = 32;
    constexpr int k_note = 18;
    std::vector<detail::LegendEntry> entries;
    entries.reserve(chart.curves.size());
    for (const PercentileCurve& curve : chart.curves)
        entries.push_back({.name = curve.name, .colour = curve.colour});
    const auto legend = detail::legend(entries, k_edge, chart.width - k_right, k_title);
    const Extent extent = extent_of(chart);
    const std::string note = beyond(chart, frame_of(chart, extent, 0), unit);
    const int above = k_title + legend.height + (note.empty() ? 0 : k_note) + 8;
    const Frame frame = frame_of(chart, extent, above);
    std::string out = detail::svg_begin(chart.width, above + k_height, chart.title);
    out += fmt::format("<text class=\"p\" x=\"{}\" y=\"24\">{}</text>\n{}", k_edge,
                       escaped(chart.title), legend.svg);
    if (!note.empty())
        out +=
            fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", k_edge, above - 13, escaped(note));
    out += grid(frame, unit);
    for (const PercentileCurve& curve : chart.curves)
        out += fmt::format("<path class=\"l\" stroke=\"{}\" d=\"{}\"/>\n", curve.colour,
                           path_of(curve, frame));
    return out + "</svg>\n";
}

}  // namespace damrak::plot
