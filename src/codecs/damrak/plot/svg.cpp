#include <damrak/plot/svg.hpp>

#include <algorithm>
#include <cmath>
#include <ranges>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include <damrak/plot/axis.hpp>
#include <damrak/plot/detail/columns.hpp>
#include <damrak/plot/detail/svg_text.hpp>

namespace damrak::plot {
namespace {

using detail::pixel;

constexpr int k_left = 72;  // for the labels of the values
constexpr int k_right = 20;
constexpr int k_label_width = 70;  // width of a time label
constexpr int k_header = 66;       // for title and subtitle
constexpr int k_footer = 44;       // for the labels of the time
constexpr int k_panel_title = 26;
constexpr int k_panel_gap = 12;
constexpr int k_panels_height = 480;  // of all panels together

// Position of a panel on the page, and the ranges that it shows.
struct Frame {
    int plot_width{};
    int top{};
    int height{};
    Range values;
    double beyond{};
    Range time_ns;

    [[nodiscard]] double y(double value) const {
        return top + height * (1 - (value - values.low) / values.width());
    }
    [[nodiscard]] double x(double time) const {
        return k_left + plot_width * (time - time_ns.low) / time_ns.width();
    }
};

std::string step_path(const Run& run, const Frame& frame) {
    std::string path;
    std::string at;  // current height of the pen
    const auto go = [&](double value) {
        const std::string to = pixel(frame.y(value));
        if (to != at) path += 'V' + to;
        at = to;
    };
    for (const Column& column : run.columns) {
        if (path.empty()) {
            at = pixel(frame.y(column.low));
            path = fmt::format("M{} {}", k_left + column.index, at);
        } else {
            path += fmt::format("H{}", k_left + column.index);
        }
        go(column.low);
        go(column.high);
        go(column.last);
    }
    return path + fmt::format("H{}", k_left + run.end);
}

std::vector<Run> runs_of(std::span<const Point> points, const Frame& frame) {
    return to_runs(points, frame.time_ns, frame.plot_width);
}

void draw(const StepLine& line, const Frame& frame, std::string& out) {
    std::string path;
    for (const Run& run : runs_of(line.points, frame)) path += step_path(run, frame);
    out += fmt::format("<path class=\"l\" stroke=\"{}\" d=\"{}\"/>\n", line.colour, path);
}

void draw(const StepArea& area, const Frame& frame, std::string& out) {
    std::string path;
    for (const Run& run : runs_of(area.points, frame)) {
        const std::string zero = pixel(frame.y(0));
        path += step_path(run, frame) +
                fmt::format("V{}H{}Z", zero, k_left + run.columns.front().index);
    }
    out += fmt::format(
        "<path d=\"{}\" fill=\"{}\" fill-opacity=\".35\" stroke=\"{}\" stroke-width=\".6\"/>\n",
        path, area.colour, area.colour);
}

// A dot is a line of zero length with round ends. The more dots, the smaller they are drawn, so
// that they do not hide the lines below.
void draw(const Dots& dots, const Frame& frame, std::string& out) {
    std::string path;
    double columns = 0;
    for (const Run& run : runs_of(dots.points, frame)) {
        columns += static_cast<double>(run.columns.size());
        for (const Column& column : run.columns) {
            std::string before;
            for (const double value : {column.low, column.last, column.high}) {
                const std::string y = pixel(frame.y(value));
                if (y != before) path += fmt::format("M{}.5 {}h0", k_left + column.index, y);
                before = y;
            }
        }
    }
    out += fmt::format("<path class=\"d\" stroke=\"{}\" stroke-width=\"{}\" d=\"{}\"/>\n",
                       dots.colour, pixel(std::clamp(1600 / columns, 1.8, 4.5)), path);
}

std::vector<double> drawn_values(const Panel& panel, Range time_ns, int plot_width) {
    std::vector<double> values;
    for (const Layer& layer : panel.layers) {
        const auto& points =
            std::visit([](const auto& any) -> const auto& { return any.points; }, layer);
        for (const Run& run : to_runs(points, time_ns, plot_width)) {
            for (const Column& column : run.columns) {
                values.insert(values.end(), {column.low, column.high});
            }
        }
        if (std::holds_alternative<StepArea>(layer)) values.push_back(0);
    }
    return values;
}

// The upper end of the common values, if a few values rise far above all others.
double common_high(std::vector<double> values) {
    constexpr double k_most_spikes = 0.02;  // part of the values
    constexpr double k_far = 4;
    std::ranges::sort(values);
    const auto spikes =
        static_cast<std::size_t>(std::ceil(k_most_spikes * static_cast<double>(values.size())));
    const double common = values[values.size() - 1 - std::min(spikes, values.size() - 1)];
    return common > 0 && values.back() > common * k_far ? common : values.back();
}

struct Values {
    Range shown;
    double beyond{};  // the largest value that is cut off; 0: none is
};

Values value_range(const Panel& panel, Range time_ns, int plot_width) {
    std::vector<double> values = drawn_values(panel, time_ns, plot_width);
    const double most = values.empty() ? 0 : *std::ranges::max_element(values);
    if (panel.spikes_leave && !values.empty()) {
        const double high = common_high(values);
        std::erase_if(values, [high](double value) { return value > high; });
    }
    const Range shown = shown_range(values);
    const double margin = shown.width() * 0.05;
    const Range range{shown.low == 0 ? 0 : shown.low - margin,
                      shown.high == 0 ? 0 : shown.high + margin};
    return {range, panel.spikes_leave && most > range.high ? most : 0};
}

// The title at the left, the names of the layers at the right.
void draw_heading(const Panel& panel, const Frame& frame, std::string& out) {
    const int baseline = frame.top - 8;
    out += fmt::format("<text class=\"p\" x=\"{}\" y=\"{}\">{}</text>\n", k_left, baseline,
                       escaped(panel.title));
    if (frame.beyond > 0)
        out += fmt::format("<text x=\"{}\" y=\"{}\">up to {}, beyond the chart</text>\n",
                           k_left + 6, frame.top + 14, number_label(frame.beyond, 1));
    double right = k_left + frame.plot_width;
    for (const Layer& layer : panel.layers | std::views::reverse) {
        std::visit(
            [&](const auto& any) {
                if (any.name.empty()) return;
                const bool round = std::is_same_v<std::decay_t<decltype(any)>, Dots>;
                out += fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>\n", pixel(right),
                                   baseline, escaped(any.name));
                right -= detail::text_width(any.name) + 7;
                out += fmt::format(
                    "<path stroke=\"{}\" stroke-width=\"{}\" stroke-linecap=\"round\" "
                    "d=\"M{} {}h{}\"/>\n",
                    any.colour, round ? 6 : 3, pixel(round ? right - 3 : right - 14), baseline - 4,
                    round ? 0 : 12);
                right -= 32;
            },
            layer);
    }
}

void draw_grid(const Panel& panel, const Frame& frame, const Ticks& times, std::string& out) {
    std::string grid;
    for (const double time : times.at) {
        grid += fmt::format("M{} {}v{}", pixel(frame.x(time)), frame.top, frame.height);
    }
    const Ticks values = number_ticks(frame.values, std::max(3, frame.height / 28));
    std::string labels;
    for (const double value : values.at) {
        const double y = frame.y(value);
        grid += fmt::format("M{} {}h{}", k_left, pixel(y), frame.plot_width);
        labels +=
            fmt::format("<text class=\"v\" x=\"{}\" y=\"{}\">{}</text>\n", k_left - 8, pixel(y + 4),
                        number_label(panel.unsigned_labels ? std::abs(value) : value, values.step));
    }
    out += fmt::format("<path class=\"g\" d=\"{}\"/>\n{}", grid, labels);
}

void draw_panel(const Panel& panel, const Frame& frame, const Ticks& times, std::string& out) {
    draw_heading(panel, frame, out);
    draw_grid(panel, frame, times, out);
    out += fmt::format(
        "<clipPath id=\"c{0}\"><path d=\"M{1} {0}h{2}v{3}h-{2}z\"/></clipPath>\n"
        "<g clip-path=\"url(#c{0})\">\n",
        frame.top, k_left, frame.plot_width, frame.height);
    for (const Layer& layer : panel.layers) {
        std::visit([&](const auto& any) { draw(any, frame, out); }, layer);
    }
    out += fmt::format("</g>\n<path class=\"f\" d=\"M{} {}h{}v{}h-{}z\"/>\n", k_left, frame.top,
                       frame.plot_width, frame.height, frame.plot_width);
}

}  // namespace

std::string render_svg(const Figure& figure) {
    const Range time_ns{static_cast<double>(figure.begin_ns),
                        static_cast<double>(std::max(figure.end_ns, figure.begin_ns + 1))};
    const int plot_width = figure.width - k_left - k_right;
    const Ticks times = time_ticks(time_ns, plot_width / k_label_width + 1);
    double shares = 0;
    for (const Panel& panel : figure.panels) shares += panel.height_share;

    std::string body;
    int bottom = k_header;
    for (const Panel& panel : figure.panels) {
        const Values values = value_range(panel, time_ns, plot_width);
        const Frame frame{.plot_width = plot_width,
                          .top = bottom + k_panel_title,
                          .height = static_cast<int>(k_panels_height * panel.height_share / shares),
                          .values = values.shown,
                          .beyond = values.beyond,
                          .time_ns = time_ns};
        draw_panel(panel, frame, times, body);
        bottom = frame.top + frame.height + k_panel_gap;
    }
    const Frame time_axis{
        .plot_width = plot_width, .top = bottom, .height = 0, .values = {0, 1}, .time_ns = time_ns};
    for (const double time : times.at) {
        const std::string label = time_label(time, times.step);
        // Centred below its time, but not beyond the edge of the picture.
        const double at =
            std::min(time_axis.x(time), figure.width - detail::text_width(label) / 2 - 1);
        body += fmt::format("<text class=\"h\" x=\"{}\" y=\"{}\">{}</text>\n", pixel(at),
                            bottom + 8, label);
    }
    const int height = bottom - k_panel_gap + k_footer;
    return detail::svg_begin(figure.width, height, figure.title) +
           fmt::format(
               "<text class=\"t\" x=\"{0}\" y=\"36\">{1}</text>\n"
               "<text x=\"{0}\" y=\"57\">{2}</text>\n{3}</svg>\n",
               k_left, escaped(figure.title), escaped(figure.subtitle), body);
}

}  // namespace damrak::plot
