#include <damrak/lab/report_plots.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include <fmt/format.h>

#include <damrak/lab/findings.hpp>
#include <damrak/plot/curves.hpp>
#include <damrak/plot/intervals.hpp>
#include <damrak/plot/percentiles.hpp>

namespace damrak::lab {

namespace {

// Distinguishable for colour-blind readers (after Okabe and Ito).
constexpr std::array<std::string_view, 7> k_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#6e7781"};
constexpr std::array k_fractions{0.0,  0.1,   0.25,  0.5,   0.75,   0.9,    0.95,    0.98,
                                 0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999, 0.99999, 1.0};
constexpr std::size_t k_curves_most = 6;

std::string colour(std::size_t i) { return std::string{k_colours.at(i % k_colours.size())}; }

std::optional<double> published_time(const Trial& trial, const std::string& variant) {
    for (const Published& claim : trial.published)
        if (claim.variant == variant && claim.measure == Measure::time_ns) return claim.figure;
    return std::nullopt;
}

}  // namespace

std::string interval_plot(const TrialResult& result) {
    plot::IntervalChart chart{.title = fmt::format("Time {}: median and its 95% interval",
                                                   with_article(result.trial.operation)),
                              .unit = "ns",
                              .mark_name = {},
                              .lines = {}};
    const auto add = [&](const VariantResult& variant, std::string line_colour) {
        const auto& rounds = variant.of(Measure::time_ns);
        if (rounds.empty()) return;
        const Interval interval = median_interval(rounds, 1);
        const auto mark = published_time(result.trial, variant.name);
        if (mark) chart.mark_name = "published";
        chart.lines.push_back({.name = variant.name,
                               .low = interval.low,
                               .value = median(rounds),
                               .high = interval.high,
                               .mark = mark,
                               .colour = std::move(line_colour)});
    };
    for (std::size_t i = 0; i < result.variants.size(); ++i) add(result.variants[i], colour(i));
    add(result.control, "#8c959f");
    return plot::render_intervals(chart);
}

std::string latency_plot(const TrialResult& result) {
    plot::PercentileChart chart{.title = "Latency by percentile", .curves = {}};
    for (std::size_t i = 0; i < result.variants.size() && chart.curves.size() < k_curves_most;
         ++i) {
        const VariantResult& variant = result.variants[i];
        if (variant.latency_ns.count() == 0) continue;
        plot::PercentileCurve curve{.name = variant.name, .colour = colour(i), .points = {}};
        for (const double fraction : k_fractions) {
            const auto value = variant.latency_ns.percentile(100 * fraction);
            if (value > 0) curve.points.push_back({fraction, static_cast<double>(value)});
        }
        if (!curve.points.empty()) chart.curves.push_back(std::move(curve));
    }
    return chart.curves.empty() ? "" : plot::render_percentiles(chart, "ns");
}

void add_size_plots(const ExperimentResult& result, Document& document) {
    std::map<std::string, std::map<std::string, std::vector<plot::CurvePoint>>> series;
    std::map<std::string, std::string> operations;
    for (const TrialResult& trial : result.trials) {
        if (!trial.trial.size || trial.trial.series.empty()) continue;
        operations[trial.trial.series] = trial.trial.operation;
        for (const VariantResult& variant : trial.variants)
            if (variant.has(Measure::time_ns))
                series[trial.trial.series][variant.name].push_back(
                    {*trial.trial.size, median(variant.of(Measure::time_ns))});
    }
    for (auto& [name, curves] : series) {
        plot::CurveChart chart{
            .title = fmt::format("{}: time {} against size", name, with_article(operations[name])),
            .size_name = "size",
            .unit = "ns",
            .curves = {}};
        std::size_t longest = 0;
        for (auto& [variant, points] : curves) {
            std::ranges::sort(points, {}, &plot::CurvePoint::size);
            longest = std::max(longest, points.size());
            chart.curves.push_back({variant, colour(chart.curves.size()), points});
        }
        if (longest > 1) document.emplace_back(Picture{plot::render_curves(chart)});
    }
}

}  // namespace damrak::lab
