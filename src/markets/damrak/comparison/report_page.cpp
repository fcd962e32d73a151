// The page of a comparison: findings, a chart of all differences, the table.
#include <algorithm>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/number_text.hpp>
#include <damrak/comparison/report.hpp>
#include <damrak/plot/intervals.hpp>
#include <damrak/plot/page_style.hpp>

namespace damrak::comparison {
namespace {

using plot::escaped;

constexpr const char* k_colour_different = "#d55e00";
constexpr const char* k_colour_equal = "#6e7781";
constexpr std::size_t k_findings = 12;

std::string p_text(double p) { return p < 0.0001 ? "&lt;0.0001" : fmt::format("{:.4f}", p); }

std::string finding(const Difference& one, bool is_primary) {
    return fmt::format(
        "<li><b>{}</b>{}: {:.4g} in A, {:.4g} in B; difference {:+.4g} ({:.4g} to {:.4g}) {}, p "
        "{}{}</li>\n",
        escaped(one.name.text()), is_primary ? " (primary)" : "", one.mean_a, one.mean_b, one.mean,
        one.interval.low, one.interval.high, one.unit == "1" ? "" : escaped(one.unit),
        p_text(one.p_corrected), one.is_significant() ? "" : ": no significant difference");
}

// The primary measure, and of the others the surest ones.
std::string findings(const Comparison& comparison, const CompareOptions& options) {
    const Difference* const primary =
        options.primary.empty() ? nullptr : comparison.find(options.primary);
    std::vector<const Difference*> others;
    for (const Difference& one : comparison.differences)
        if (&one != primary && one.is_significant()) others.push_back(&one);
    std::ranges::sort(others, {},
                      [](const Difference* one) { return std::pair{one->p_corrected, one}; });
    std::string out = "<ul>\n";
    if (primary != nullptr) out += finding(*primary, true);
    for (std::size_t i = 0; i < std::min(others.size(), k_findings); ++i)
        out += finding(*others[i], false);
    out += "</ul>\n";
    if (others.empty() && primary == nullptr) return "<p>No significant difference.</p>\n";
    if (others.size() > k_findings)
        out += fmt::format("<p>And {} more in the table.</p>\n", others.size() - k_findings);
    return out;
}

// A chart for the market in each instrument and for each group.
std::string charts(const Comparison& comparison) {
    std::vector<plot::IntervalChart> all;
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const Difference& one : comparison.differences) {
        if (one.deviation_a <= 0) continue;
        const MeasureName& name = one.name;
        const auto [at, is_new] =
            places.emplace(std::pair{name.instrument, name.group}, all.size());
        if (is_new)
            all.push_back({.title = name.group.empty() ? name.instrument
                                                       : name.instrument + ", " + name.group,
                           .unit = "sd",
                           .are_differences = true,
                           .mark_name = {},
                           .lines = {}});
        all[at->second].lines.push_back(
            {.name = name.measure,
             .low = one.interval.low / one.deviation_a,
             .value = one.mean / one.deviation_a,
             .high = one.interval.high / one.deviation_a,
             .colour = one.is_significant() ? k_colour_different : k_colour_equal});
    }
    std::string out;
    for (const plot::IntervalChart& chart : all)
        out += "<div class=\"wide\">" + plot::render_intervals(chart) + "</div>\n";
    return out;
}

std::string rounded(const std::optional<double>& value) {
    return value ? fmt::format("{:.2f}", *value) : std::string{"-"};
}

std::string table(const Comparison& comparison) {
    std::string out =
        "<div class=\"wide\"><table>\n<tr><th>measure</th><th>unit</th><th>pairs</th><th>A</th>"
        "<th>B</th><th>B − A</th><th>95% interval</th><th>p</th><th>p corrected</th>"
        "<th>correlation</th><th>variance ratio</th><th>detectable</th><th>seeds "
        "needed</th></tr>\n";
    for (const Difference& one : comparison.differences)
        out += fmt::format(
            "<tr><td>{}{}</td><td>{}</td><td>{}</td><td>{:.5g}</td><td>{:.5g}</td><td>{:.4g}</td>"
            "<td>{:.4g} to {:.4g}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{:.3g}</td>"
            "<td>{}</td></tr>\n",
            escaped(one.name.text()), one.is_significant() ? " *" : "", escaped(one.unit),
            one.pairs, one.mean_a, one.mean_b, one.mean, one.interval.low, one.interval.high,
            p_text(one.p), p_text(one.p_corrected), rounded(one.correlation),
            rounded(one.variance_ratio), one.detectable,
            one.seeds_needed ? grouped(static_cast<std::int64_t>(*one.seeds_needed)) : "-");
    out += "</table></div>\n";
    for (const MeasureName& name : comparison.left_out)
        out += fmt::format("<p>{}: fewer than two pairs have it.</p>\n", escaped(name.text()));
    for (const MeasureName& name : comparison.in_other_ticks)
        out += fmt::format("<p>{}: in ticks, which differ; see it in basis points.</p>\n",
                           escaped(name.text()));
    return out;
}

std::string section(const Study& study, std::size_t place) {
    const Comparison& comparison = study.comparisons[place];
    const ComparedMarket& a = study.markets[0];
    const ComparedMarket& b = study.markets[place + 1];
    return fmt::format(
               "<h2>{}</h2>\n<p class=\"about\">A: {} {:016x}. B: {} {:016x}. {} of runs, {} with "
               "equal hashes.</p>\n",
               escaped(b.name + " against " + a.name), escaped(a.file), a.identity, escaped(b.file),
               b.identity, counted(static_cast<std::int64_t>(comparison.pairs), "pair"),
               comparison.equal_hashes) +
           findings(comparison, study.options) +
           "<p class=\"about\">B − A and its 95% interval, in standard deviations of A from seed "
           "to "
           "seed. Coloured: significant.</p>\n" +
           charts(comparison) + table(comparison);
}

}  // namespace

std::string report_html(const Study& study) {
    std::string title = study.markets[0].name;
    for (std::size_t i = 1; i < study.markets.size(); ++i)
        title += (i == 1 ? " and " : ", ") + study.markets[i].name;
    const auto& runs = study.markets[0].runs;
    const std::string about = fmt::format(
        "Seeds {} to {}{}. Paired t test, two-sided; Holm's correction over all measures{}; BCa "
        "bootstrap intervals.{}{}",
        runs.front().seed, runs.back().seed,
        study.has_other_seeds ? ", other seeds for each market" : ", the same for each market",
        study.options.primary.empty() ? "" : " but " + escaped(study.options.primary),
        study.had_enough ? " Ended when the interval was narrow enough." : "",
        study.is_stopped ? " Stopped before all seeds had run." : "");
    std::string out = plot::page_head(title, about);
    for (std::size_t i = 0; i < study.comparisons.size(); ++i) out += section(study, i);
    return out.append(plot::k_page_end);
}

}  // namespace damrak::comparison
