#include <damrak/score/report.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include <damrak/plot/curves.hpp>
#include <damrak/plot/intervals.hpp>
#include <damrak/plot/page_style.hpp>

namespace damrak::score {
namespace {

using plot::escaped;

constexpr const char* k_colour_market = "#d55e00";
constexpr const char* k_colour_day = "#0072b2";

std::string wide(const std::string& content) {
    return "<div class=\"wide\">" + content + "</div>\n";
}

std::string chart_of_distances(const std::vector<Score>& scores) {
    plot::IntervalChart chart{.title = "Distance from the day",
                              .unit = "",
                              .are_differences = true,
                              .mark_name = "floor",
                              .lines = {}};
    for (const Score& one : scores) {
        if (!one.unknown.empty()) continue;
        const comparison::Interval interval =
            one.interval.value_or(comparison::Interval{one.distance, one.distance});
        chart.lines.push_back({.name = std::string{one.feature->name},
                               .low = interval.low,
                               .value = one.distance,
                               .high = interval.high,
                               .mark = one.floor,
                               .colour = k_colour_market});
    }
    return wide(plot::render_intervals(chart));
}

std::string title_of(const Feature& feature) {
    return feature.unit == "1" ? std::string{feature.name}
                               : fmt::format("{}, {}", feature.name, feature.unit);
}

std::string points_picture(const Score& one) {
    plot::IntervalChart chart{.title = title_of(*one.feature),
                              .unit = "",
                              .are_differences = false,
                              .mark_name = "day",
                              .lines = {}};
    for (const ScoredPoint& point : one.points)
        chart.lines.push_back({.name = point.name,
                               .low = point.market,
                               .value = point.market,
                               .high = point.market,
                               .mark = point.day,
                               .colour = k_colour_market});
    return wide(plot::render_intervals(chart));
}

/// The share of values up to a size, which has a logarithmic axis.
std::string distribution_picture(const Score& one) {
    plot::CurveChart chart{.title = title_of(*one.feature) + ": share up to",
                           .size_name = std::string{one.feature->unit},
                           .unit = "",
                           .has_shares = true,
                           .curves = {}};
    for (const auto& [name, colour, value] :
         {std::tuple{"market", k_colour_market, &ScoredPoint::market},
          std::tuple{"day", k_colour_day, &ScoredPoint::day}}) {
        plot::Curve curve{.name = name, .colour = colour, .points = {}};
        for (const ScoredPoint& point : one.points)
            if (point.*value > 0) curve.points.push_back({point.*value, point.share});
        chart.curves.push_back(std::move(curve));
    }
    return wide(plot::render_curves(chart));
}

std::string picture_of(const Score& one) {
    const std::string about =
        fmt::format("<p class=\"about\">{}</p>\n", escaped(one.feature->what));
    const bool has_negative = std::ranges::any_of(
        one.points, [](const ScoredPoint& point) { return std::min(point.market, point.day) < 0; });
    return (one.feature->method == Method::curve || has_negative ? points_picture(one)
                                                                 : distribution_picture(one)) +
           about;
}

std::string row_of(const Score& one) {
    const Feature& feature = *one.feature;
    if (!one.unknown.empty())
        return fmt::format("<tr><td>{}</td><td colspan=\"6\">unknown: {}</td></tr>\n", feature.name,
                           escaped(one.unknown));
    return fmt::format(
        "<tr><td>{}</td><td>{:.3f}</td><td>{}</td><td>{}</td><td>{:.5g}</td><td>{:.5g}</td>"
        "<td>{}</td></tr>\n",
        feature.name, one.distance,
        one.interval ? fmt::format("{:.3f} to {:.3f}", one.interval->low, one.interval->high) : "-",
        one.floor ? fmt::format("{:.3f}", *one.floor) : "-", one.market, one.day,
        feature.unit == "1" ? "" : feature.unit);
}

std::string table(const std::vector<Score>& scores) {
    std::string out =
        "<tr><th>feature</th><th>distance</th><th>95% interval</th><th>floor</th><th>market</th>"
        "<th>day</th><th>unit</th></tr>\n";
    for (const Score& one : scores) out += row_of(one);
    return wide("<table>\n" + out + "</table>");
}

}  // namespace

std::string report_html(const Scored& scored) {
    std::string out = plot::page_head(
        fmt::format("{} against {}", scored.market, scored.day),
        "Distance: 0 equal, 1 nothing in common. Floor: of one half of the day from the other. "
        "Interval: 95%, block bootstrap. Market and day in the table: median, or the first point "
        "of a curve.");
    out += chart_of_distances(scored.scores) + table(scored.scores);
    for (const std::string& note : scored.notes) out += "<p>" + escaped(note) + ".</p>\n";
    for (const Score& one : scored.scores)
        if (one.unknown.empty()) out += picture_of(one);
    return out.append(plot::k_page_end);
}

}  // namespace damrak::score
