#include <damrak/plot/intervals.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {

namespace {

using detail::pixel;

constexpr int k_width = 960;
constexpr int k_left = 210;
constexpr int k_right = 120;
constexpr int k_top = 40;
constexpr int k_line = 26;
constexpr int k_bottom = 30;
constexpr double k_far_apart = 20;  // above this ratio the axis is logarithmic
constexpr int k_ticks = 8;
constexpr double k_glyph = 6.6;  // about the width of a letter

struct Frame {
    double low = 0;
    double high = 1;
    bool logarithmic = false;

    [[nodiscard]] double x(double value) const {
        const double share = logarithmic
                                 ? std::log(std::max(value, low) / low) / std::log(high / low)
                                 : (value - low) / (high - low);
        return k_left + (k_width - k_left - k_right) * std::clamp(share, 0.0, 1.0);
    }
};

// Around zero, which lies in it.
Frame signed_frame_of(const IntervalChart& chart) {
    double least = 0;
    double most = 0;
    for (const IntervalLine& line : chart.lines) {
        const double mark = line.mark.value_or(line.value);
        least = std::min({least, line.low, mark});
        most = std::max({most, line.high, mark});
    }
    if (most - least <= 0) return {.low = -1, .high = 1};
    const double margin = (most - least) * 0.02;
    return {.low = least - margin, .high = most + margin};
}

Frame frame_of(const IntervalChart& chart) {
    if (chart.are_differences || std::ranges::any_of(chart.lines, [](const IntervalLine& line) {
            return std::min(line.low, line.mark.value_or(0)) < 0;
        }))
        return signed_frame_of(chart);
    double least = 1e300;
    double most = 0;
    for (const IntervalLine& line : chart.lines) {
        for (const double value :
             {line.low, line.value, line.high, line.mark.value_or(line.value)}) {
            if (value > 0) least = std::min(least, value);
            most = std::max(most, value);
        }
    }
    if (most <= 0) return {};
    if (most / least < k_far_apart) return {.low = 0, .high = most * 1.02};
    return {.low = least / 1.3, .high = most * 1.3, .logarithmic = true};
}

std::vector<double> ticks_of(const Frame& frame) {
    if (!frame.logarithmic) return number_ticks({frame.low, frame.high}, k_ticks).at;
    const bool many_decades = frame.high / frame.low > 1e3;
    std::vector<double> at;
    for (double decade = std::pow(10, std::floor(std::log10(frame.low))); decade <= frame.high;
         decade *= 10)
        for (const double part : {1.0, 2.0, 5.0})
            if (const double tick = decade * part;
                tick >= frame.low && tick <= frame.high && (part == 1.0 || !many_decades))
                at.push_back(tick);
    return at;
}

std::string grid(const IntervalChart& chart, const Frame& frame, int height) {
    std::string out;
    const int axis = height - k_bottom;
    for (const double at : ticks_of(frame))
        out += fmt::format(
            "<path class=\"g\" d=\"M{0} {1}V{2}\"/>\n<text class=\"h\" x=\"{0}\" y=\"{3}\">{4:g} "
            "{5}</text>\n",
            pixel(frame.x(at)), k_top, axis, axis + 18, at, escaped(chart.unit));
    if (frame.low < 0)
        out += fmt::format("<path class=\"f\" d=\"M{} {}V{}\"/>\n", pixel(frame.x(0)), k_top, axis);
    return out;
}

std::string diamond(double x, double y) {
    return fmt::format("<path class=\"m\" d=\"M{} {}l5 5l-5 5l-5-5z\"/>\n", pixel(x), pixel(y - 5));
}

std::string line_of(const IntervalLine& line, const IntervalChart& chart, const Frame& frame,
                    double y) {
    std::string out = fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>\n", k_left - 12,
                                  pixel(y + 4), escaped(line.name));
    const double low = frame.x(line.low);
    const double high = frame.x(line.high);
    out += fmt::format(
        "<path stroke=\"{0}\" stroke-width=\"2\" fill=\"none\" d=\"M{1} {2}H{3}M{1} {4}V{5}M{3} "
        "{4}V{5}\"/>\n<circle fill=\"{0}\" cx=\"{6}\" cy=\"{2}\" r=\"4\"/>\n",
        line.colour, pixel(low), pixel(y), pixel(high), pixel(y - 4), pixel(y + 4),
        pixel(frame.x(line.value)));
    const std::string text = fmt::format("{:.4g} {}", line.value, escaped(chart.unit));
    double text_at = high;
    if (line.mark) {
        const double mark = frame.x(*line.mark);
        out += diamond(mark, y);
        // Beside its value, or behind the mark if that would be within the text.
        const double text_end = high + 20 + k_glyph * static_cast<double>(text.size());
        if (mark > high && mark < text_end) text_at = mark;
    }
    return out + fmt::format("<text x=\"{}\" y=\"{}\">{}</text>\n", pixel(text_at + 10),
                             pixel(y + 4), text);
}

}  // namespace

std::string render_intervals(const IntervalChart& chart) {
    const int height = k_top + k_line * static_cast<int>(chart.lines.size()) + k_bottom;
    const Frame frame = frame_of(chart);
    std::string out = detail::svg_begin(k_width, height, chart.title);
    out += fmt::format("<text class=\"p\" x=\"20\" y=\"24\">{}</text>\n", escaped(chart.title));
    if (!chart.mark_name.empty()) {
        const double right = k_width - 20;
        out += fmt::format("<text class=\"v\" x=\"{}\" y=\"24\">{}</text>\n", pixel(right),
                           escaped(chart.mark_name));
        out += diamond(right - k_glyph * static_cast<double>(chart.mark_name.size()) - 14, 20);
    }
    out += grid(chart, frame, height);
    double y = k_top + k_line / 2.0;
    for (const IntervalLine& line : chart.lines) {
        out += line_of(line, chart, frame, y);
        y += k_line;
    }
    return out + "</svg>\n";
}

}  // namespace damrak::plot
