#include <damrak/plot/curves.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>

#include <fmt/format.h>

#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::pixel;

constexpr int k_width = 960;
constexpr int k_height = 340;
constexpr int k_left = 80;
constexpr int k_right = 170;  // for the names of the curves
constexpr int k_top = 40;
constexpr int k_bottom = 40;
constexpr double k_name_height = 13;

struct Scale {
    double low = 1e300;
    double high = 0;
    bool is_linear = false;

    void take(double value) {
        low = std::min(low, value);
        high = std::max(high, value);
    }
    // Extends the range to powers of ten, so that there is a grid line at either end.
    void round_out() {
        low = std::pow(10, std::floor(std::log10(low)));
        high = std::max(std::pow(10, std::ceil(std::log10(high))), low * 10);
    }
    /// From zero to the first of some round shares that is at least the highest value.
    void make_linear() {
        constexpr std::array k_tops{0.05, 0.1, 0.2, 0.5, 1.0};
        is_linear = true;
        low = 0;
        high = *std::ranges::find_if(k_tops, [&](double top) { return top >= high || top == 1; });
    }
    [[nodiscard]] double share(double value) const {
        return is_linear ? value / high : std::log(value / low) / std::log(high / low);
    }
};

struct Frame {
    Scale sizes;
    Scale values;
    [[nodiscard]] double x(double size) const {
        return k_left + (k_width - k_left - k_right) * sizes.share(size);
    }
    [[nodiscard]] double y(double value) const {
        return k_height - k_bottom - (k_height - k_top - k_bottom) * values.share(value);
    }
};

std::string grid(const CurveChart& chart, const Frame& frame) {
    std::string out;
    for (double size = frame.sizes.low; size <= frame.sizes.high * 1.01; size *= 10)
        out += fmt::format(
            "<path class=\"g\" d=\"M{0} {1}V{2}\"/>\n<text class=\"h\" x=\"{0}\" "
            "y=\"{3}\">{4:g}</text>\n",
            pixel(frame.x(size)), k_top, k_height - k_bottom, k_height - k_bottom + 16, size);
    if (chart.has_shares)
        for (int i = 0; i <= 5; ++i) {
            const double value = frame.values.high * i / 5;
            const std::string y = pixel(frame.y(value) + 4);
            out += fmt::format(
                "<path class=\"g\" d=\"M{} {}H{}\"/>\n<text class=\"v\" x=\"{}\" y=\"{}\">{:g} "
                "%</text>\n",
                k_left, pixel(frame.y(value)), k_width - k_right, k_left - 8, y, 100 * value);
        }
    for (double value = frame.values.low; !chart.has_shares && value <= frame.values.high * 1.01;
         value *= 10)
        out += fmt::format(
            "<path class=\"g\" d=\"M{0} {1}H{2}\"/>\n<text class=\"v\" x=\"{3}\" y=\"{4}\">{5:g} "
            "{6}</text>\n",
            k_left, pixel(frame.y(value)), k_width - k_right, k_left - 8, pixel(frame.y(value) + 4),
            value, escaped(chart.unit));
    return out + fmt::format("<text class=\"h\" x=\"{}\" y=\"{}\">{}</text>\n",
                             (k_left + k_width - k_right) / 2, k_height - 6,
                             escaped(chart.size_name));
}

std::string path_of(const Curve& curve, const Frame& frame) {
    constexpr std::size_t k_most_dots = 20;
    const bool has_dots = curve.points.size() <= k_most_dots;
    std::string path;
    std::string dots;
    for (const CurvePoint& point : curve.points) {
        const std::string x = pixel(frame.x(point.size));
        const std::string y = pixel(frame.y(point.value));
        path += fmt::format("{}{} {}", path.empty() ? 'M' : 'L', x, y);
        if (!has_dots) continue;
        dots +=
            fmt::format("<circle fill=\"{}\" cx=\"{}\" cy=\"{}\" r=\"3\"/>\n", curve.colour, x, y);
    }
    return fmt::format("<path class=\"l\" stroke=\"{}\" d=\"{}\"/>\n{}", curve.colour, path, dots);
}

// The names at the ends of their curves, moved apart where they would overlap.
std::string names(const CurveChart& chart, const Frame& frame) {
    std::vector<const Curve*> order;
    for (const Curve& curve : chart.curves)
        if (!curve.points.empty()) order.push_back(&curve);
    const auto end_of = [&](const Curve* curve) { return frame.y(curve->points.back().value); };
    std::ranges::sort(order, {}, end_of);
    // Moves names down, then up from the axis if there is not enough room below.
    std::vector<double> at(order.size());
    double lowest = 0;
    for (std::size_t i = 0; i < order.size(); ++i)
        at[i] = lowest = std::max(end_of(order[i]) + 4, lowest + k_name_height);
    double highest = k_height - k_bottom + 4 + k_name_height;
    for (std::size_t i = order.size(); i-- > 0;)
        at[i] = highest = std::min(at[i], highest - k_name_height);
    std::string out;
    for (std::size_t i = 0; i < order.size(); ++i)
        out += fmt::format("<text x=\"{}\" y=\"{}\" style=\"fill:{}\">{}</text>\n",
                           pixel(frame.x(order[i]->points.back().size) + 8), pixel(at[i]),
                           order[i]->colour, escaped(order[i]->name));
    return out;
}

}  // namespace

std::string render_curves(const CurveChart& chart) {
    Frame frame;
    for (const Curve& curve : chart.curves) {
        for (const CurvePoint& point : curve.points) {
            frame.sizes.take(point.size);
            frame.values.take(point.value);
        }
    }
    std::string out = detail::svg_begin(k_width, k_height, chart.title);
    out += fmt::format("<text class=\"p\" x=\"20\" y=\"24\">{}</text>\n", escaped(chart.title));
    if (frame.values.high > 0 && frame.sizes.high > 0) {
        frame.sizes.round_out();
        if (chart.has_shares)
            frame.values.make_linear();
        else
            frame.values.round_out();
        out += grid(chart, frame);
        for (const Curve& curve : chart.curves) out += path_of(curve, frame);
        out += names(chart, frame);
    }
    return out + "</svg>\n";
}

}  // namespace damrak::plot
