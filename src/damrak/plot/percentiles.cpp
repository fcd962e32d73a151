#include <damrak/plot/percentiles.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <ranges>

#include <fmt/format.h>

#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::escaped;
using detail::pixel;

constexpr int k_width = 960;
constexpr int k_height = 340;
constexpr int k_left = 72;
constexpr int k_right = 20;
constexpr int k_top = 40;
constexpr int k_bottom = 36;

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

// How many nines: 0.9 is one, 0.99 two. The last value of all stands at the end of the axis.
double nines(double fraction, double most) {
    return fraction >= 1 ? most : std::min(most, -std::log10(1 - fraction));
}

struct Frame {
    double most_nines = 1;
    double low_decade = 0;
    double high_decade = 1;

    [[nodiscard]] double x(double fraction) const {
        return k_left + (k_width - k_left - k_right) * nines(fraction, most_nines) / most_nines;
    }
    [[nodiscard]] double y(double value) const {
        const double decade =
            std::clamp(std::log10(std::max(value, 1e-9)), low_decade, high_decade);
        return k_height - k_bottom -
               (k_height - k_top - k_bottom) * (decade - low_decade) / (high_decade - low_decade);
    }
};

Frame frame_of(const PercentileChart& chart) {
    Frame frame;
    double low = 1e300;
    double high = 0;
    for (const PercentileCurve& curve : chart.curves) {
        for (const Percentile& point : curve.points) {
            if (point.value > 0) low = std::min(low, point.value);
            high = std::max(high, point.value);
            if (point.fraction < 1)
                frame.most_nines = std::max(frame.most_nines, -std::log10(1 - point.fraction));
        }
    }
    if (high <= 0) return frame;
    frame.low_decade = std::floor(std::log10(low));
    frame.high_decade = std::max(std::ceil(std::log10(high)), frame.low_decade + 1);
    return frame;
}

std::string grid(const Frame& frame, const std::string& unit) {
    std::string lines;
    std::string labels;
    for (const Tick& tick : k_ticks) {
        if (tick.fraction > 0 && -std::log10(1 - tick.fraction) > frame.most_nines) continue;
        const std::string x = pixel(frame.x(tick.fraction));
        lines += fmt::format("M{} {}V{}", x, k_top, k_height - k_bottom);
        labels += fmt::format("<text class=\"h\" x=\"{}\" y=\"{}\">{}%</text>\n", x,
                              k_height - k_bottom + 18, tick.label);
    }
    for (double decade = frame.low_decade; decade <= frame.high_decade; ++decade) {
        const double value = std::pow(10.0, decade);
        const double y = frame.y(value);
        lines += fmt::format("M{} {}H{}", k_left, pixel(y), k_width - k_right);
        labels += fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{:g} {}</text>\n", k_left - 8,
                              pixel(y + 4), value, escaped(unit));
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
    const Frame frame = frame_of(chart);
    std::string out = detail::svg_begin(k_width, k_height, chart.title);
    out += fmt::format("<text class=\"p\" x=\"{}\" y=\"24\">{}</text>\n", k_left,
                       escaped(chart.title));
    out += grid(frame, unit);
    double right = k_width - k_right;
    for (const PercentileCurve& curve : chart.curves | std::views::reverse) {
        out += fmt::format("<path class=\"l\" stroke=\"{}\" d=\"{}\"/>\n", curve.colour,
                           path_of(curve, frame));
        out += fmt::format("<text class=\"v\" x=\"{}\" y=\"24\">{}</text>\n", pixel(right),
                           escaped(curve.name));
        right -= 6.6 * static_cast<double>(curve.name.size()) + 7;
        out += fmt::format("<path stroke=\"{}\" stroke-width=\"3\" d=\"M{} 20h12\"/>\n",
                           curve.colour, pixel(right - 14));
        right -= 32;
    }
    return out + "</svg>\n";
}

}  // namespace damrak::plot
