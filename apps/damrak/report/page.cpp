#include "report/page.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/stage_timing.hpp>
#include <damrak/plot/page_style.hpp>
#include <damrak/plot/percentiles.hpp>
#include <damrak/plot/stacked_bars.hpp>
#include <damrak/plot/svg.hpp>

#include "cli.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr double k_ns_a_us = 1'000;
constexpr std::int64_t k_day_ns = 86'400'000'000'000;

// Told apart by colour-blind readers as well (after Okabe and Ito).
constexpr std::array<std::string_view, 7> k_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#6e7781"};

constexpr std::string_view k_own_style =
    "h2{font-size:19px;margin:2em 0 .4em}"
    ".tiles{display:flex;flex-wrap:wrap;gap:12px}"
    ".tile{border:1px solid var(--line);border-radius:8px;padding:10px 16px;min-width:120px}"
    ".tile b{display:block;font-size:22px}.tile span{color:var(--quiet);font-size:13px}"
    "td:nth-child(2),th:nth-child(2){text-align:left}.strong td{font-weight:600}"
    "@media(max-width:700px){.tiles{gap:8px}.tile{padding:6px 10px;min-width:90px}"
    ".tile b{font-size:17px}}";

std::string escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        if (c == '<')
            out += "&lt;";
        else if (c == '&')
            out += "&amp;";
        else
            out += c;
    }
    return out;
}

std::string text_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return "unknown";
    return found->is_string() ? found->get<std::string>() : found->dump();
}

double number_of(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : 0.0;
}

const Json* row_of(const RunRecord& run, std::string_view request, std::string_view span) {
    if (!run.timing.contains("rows")) return nullptr;
    for (const Json& row : run.timing["rows"])
        if (text_of(row, "request") == request && text_of(row, "span") == span) return &row;
    return nullptr;
}

struct Totals {
    double messages = 0;
    double trades = 0;
    double busiest_per_s = 0;
    double connections = 0;
    double lost = 0;
};

Totals totals_of(const RunRecord& run) {
    Totals totals;
    for (const RunSecond& second : run.seconds) {
        totals.messages += second.messages;
        totals.trades += second.trades;
        totals.lost += second.lost_records;
        totals.busiest_per_s = std::max(totals.busiest_per_s, second.messages_per_s);
        totals.connections = std::max(totals.connections, second.connections);
    }
    return totals;
}

// Short form of a duration: 850 ns, 15.6 µs, 430 ms, 2.5 s.
std::string time_text(double time_ns) {
    constexpr std::array<std::pair<double, const char*>, 4> k_units{
        {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}}};
    for (const auto& [unit_ns, unit] : k_units)
        if (time_ns >= unit_ns) return fmt::format("{:.3g} {}", time_ns / unit_ns, unit);
    return time_ns == 0 ? "0" : fmt::format("{:.2g} ns", time_ns);
}

std::string whole(double number) { return grouped(static_cast<std::int64_t>(number)); }

// Name and value of what matters most, for tiles and for text.
std::vector<std::pair<std::string, std::string>> headlines(const RunRecord& run) {
    const Totals totals = totals_of(run);
    std::vector<std::pair<std::string, std::string>> lines{
        {"messages", whole(totals.messages)},
        {"trades", whole(totals.trades)},
        {"messages/s, busiest second", whole(totals.busiest_per_s)},
        {"connections, most", whole(totals.connections)}};
    if (const Json* const row = row_of(run, "new_order", "internal"))
        for (const auto& [key, label] :
             {std::pair{"p50", "p50"}, {"p99", "p99"}, {"p99_9", "p99.9"}})
            lines.emplace_back(fmt::format("new order, internal, {}", label),
                               time_text(number_of(*row, key)));
    if (totals.lost > 0) lines.emplace_back("records lost by telemetry", whole(totals.lost));
    return lines;
}

// A chart for a window and one for a phone.
template <class Render>
std::string in_both_widths(Render render) {
    constexpr int k_big_width = 960;
    const std::string big = render(k_big_width);
    if (big.empty()) return {};
    return "<div class=\"big\">" + big + "</div><div class=\"small\">" +
           render(plot::k_small_width) + "</div>\n";
}

// The axis is one of a day; of a run over midnight it continues beyond 24:00.
std::string throughput(const RunRecord& run, int width) {
    const std::int64_t midnight = run.seconds.front().time_ns / k_day_ns * k_day_ns;
    const auto points = [&](double RunSecond::* member) {
        std::vector<plot::Point> all;
        all.reserve(run.seconds.size());
        for (std::size_t i = 0; i < run.seconds.size(); ++i)
            // A row tells of the time before it.
            all.push_back(
                {(i == 0 ? run.seconds[0].time_ns - 1'000'000'000 : run.seconds[i - 1].time_ns) -
                     midnight,
                 run.seconds[i].*member});
        return all;
    };
    const auto colour = [](std::size_t i) { return std::string{k_colours[i]}; };
    return plot::render_svg(
        {.title = "Throughput",
         .subtitle = "every second, UTC",
         .begin_ns = run.seconds.front().time_ns - 1'000'000'000 - midnight,
         .end_ns = run.seconds.back().time_ns - midnight,
         .width = width,
         .panels = {
             {.title = "Per second",
              .height_share = 3,
              .spikes_leave = true,
              .layers = {plot::StepArea{"messages", colour(0), points(&RunSecond::messages_per_s)},
                         plot::StepLine{"trades", colour(1), points(&RunSecond::trades_per_s)}}},
             {.title = "Open connections",
              .height_share = 1,
              .layers = {plot::StepArea{"", colour(6), points(&RunSecond::connections)}}}}});
}

std::string distribution(const RunRecord& run, std::string_view span, const std::string& title,
                         int width) {
    plot::PercentileChart chart{.title = title, .width = width, .curves = {}};
    for (const RunDistribution& one : run.distributions) {
        if (one.span != span || one.percentiles.empty()) continue;
        plot::PercentileCurve curve{
            .name = one.request,
            .colour = std::string{k_colours[chart.curves.size() % k_colours.size()]},
            .points = {}};
        for (const RunPercentile& point : one.percentiles)
            curve.points.push_back({point.fraction, point.value_us});
        chart.curves.push_back(std::move(curve));
    }
    return chart.curves.empty() ? "" : plot::render_percentiles(chart, "µs");
}

// The usual time of each request until its answers are buffered, by stage. Of medians, since a
// single request that waited long makes the mean of all.
std::string stages(const RunRecord& run, int width) {
    plot::StackedBars chart{.title = "Median by stage until the answers are buffered",
                            .unit = "µs",
                            .width = width,
                            .parts = {},
                            .bars = {}};
    for (std::size_t i = 0; i + 1 < k_stages; ++i)
        chart.parts.push_back({std::string{k_stage_names[i]}, std::string{k_colours[i]}});
    for (const char* const request : {"new_order", "cancel", "modify", "hello", "logout"}) {
        if (row_of(run, request, "internal") == nullptr) continue;
        plot::Bar bar{.name = request, .values = {}};
        for (const plot::BarPart& part : chart.parts) {
            const Json* const row = row_of(run, request, part.name);
            bar.values.push_back(row == nullptr ? 0 : number_of(*row, "p50") / k_ns_a_us);
        }
        chart.bars.push_back(std::move(bar));
    }
    return chart.bars.empty() ? "" : plot::render_bars(chart);
}

// Columns that fit on a phone.
bool is_on_phones(std::string_view column) {
    constexpr std::array<std::string_view, 6> k_few{"request", "span", "count",
                                                    "p50",     "p99",  "max"};
    return std::ranges::find(k_few, column) != k_few.end();
}

std::string table(const RunRecord& run) {
    std::string head;
    std::string body;
    for (const Json& row : run.timing["rows"]) {
        const std::string span = text_of(row, "span");
        const bool sum = span == "internal" || span == "total";
        std::string cells;
        std::string names;
        for (const auto& [name, value] : row.items()) {
            const char* const look = is_on_phones(name) ? "" : " class=\"more\"";
            const std::string text = value.is_string() ? escaped(value.get<std::string>())
                                     : name == "count" ? whole(value.get<double>())
                                                       : time_text(value.get<double>());
            names += fmt::format("<th{}>{}</th>", look, escaped(name));
            cells += fmt::format("<td{}>{}</td>", look, text);
        }
        head = "<tr>" + names + "</tr>\n";
        body += fmt::format("<tr{}>{}</tr>\n", sum ? " class=\"strong\"" : "", cells);
    }
    return "<div class=\"wide\"><table>\n" + head + body + "</table></div>\n";
}

std::string latencies(const RunRecord& run) {
    const auto distributions = [&run](std::string_view span, const std::string& title) {
        return in_both_widths([&](int width) { return distribution(run, span, title, width); });
    };
    return "<h2>Latency distributions</h2>\n" +
           distributions("internal", "From the read's return to the buffered answer") +
           distributions("total", "From the read's return to the written answer") +
           "<h2>Where the time goes</h2>\n" +
           in_both_widths([&](int width) { return stages(run, width); }) +
           fmt::format(
               "<h2>All stages</h2>\n<p class=\"about\">One message of {} was timed."
               "<span class=\"small\">A wider window shows all percentiles.</span></p>\n",
               text_of(run.timing, "sampled_every")) +
           table(run);
}

std::string about(const RunRecord& run) {
    const Json machine = run.metadata.value("machine", Json::object());
    const Json clock = run.metadata.value("clock", Json::object());
    return fmt::format("damrak {}, {} build, compiler {} · {}, {} processors, {} · clock: {}",
                       text_of(run.metadata, "version"), text_of(run.metadata, "build"),
                       text_of(run.metadata, "compiler"), text_of(machine, "processor"),
                       text_of(machine, "processors"), text_of(machine, "system"),
                       text_of(clock, "source"));
}

}  // namespace

std::string report_page(const RunRecord& run) {
    std::string out = plot::page_head(fmt::format("Run {}", run.folder.filename().string()),
                                      escaped(about(run)), k_own_style);
    out += "<div class=\"tiles\">\n";
    for (const auto& [label, value] : headlines(run))
        out += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", value, label);
    out += "</div>\n<h2>Throughput over time</h2>\n";
    out += run.seconds.empty()
               ? std::string{"<p>The run was too short for throughput samples.</p>\n"}
               : in_both_widths([&](int width) { return throughput(run, width); });
    const bool timed = run.timing.contains("rows") && !run.timing["rows"].empty();
    out += timed ? latencies(run)
                 : "<h2>Latency</h2>\n<p>No message was timed, or the run did not end "
                   "order.</p>\n";
    return out.append(plot::k_page_end);
}

std::string report_summary(const RunRecord& run) {
    std::string out = fmt::format("run {}\n{}\n", run.folder.string(), about(run));
    for (const auto& [label, value] : headlines(run))
        out += fmt::format("{:>16}  {}\n", value, label);
    return out;
}

}  // namespace damrak::app
