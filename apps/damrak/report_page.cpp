#include "report_page.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

#include <damrak/base/stage_timing.hpp>
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

constexpr std::string_view k_page_style =
    "body{font:15px/1.5 system-ui,-apple-system,'Segoe UI',Roboto,'Helvetica Neue','DejaVu Sans',"
    "sans-serif;color:#1f2328;max-width:1140px;margin:2em auto;padding:0 20px}"
    "h1{font-size:26px;margin:0}h2{font-size:19px;margin:2em 0 .4em}"
    "svg{max-width:100%;height:auto;display:block}"
    ".about{color:#57606a;margin:.2em 0 1.4em}"
    ".tiles{display:flex;flex-wrap:wrap;gap:12px}"
    ".tile{border:1px solid #d0d7de;border-radius:8px;padding:10px 16px;min-width:120px}"
    ".tile b{display:block;font-size:22px}.tile span{color:#57606a;font-size:13px}"
    "table{border-collapse:collapse;font-size:13px;font-variant-numeric:tabular-nums}"
    "td,th{padding:3px 8px;text-align:right;border-bottom:1px solid #e6e9ed;font-weight:400}"
    "th{color:#57606a}td:first-child,td:nth-child(2),th:first-child,th:nth-child(2)"
    "{text-align:left}.strong td{font-weight:600}.wide{overflow-x:auto}";

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
                               fmt::format("{:.2f} µs", number_of(*row, key) / k_ns_a_us));
    if (totals.lost > 0) lines.emplace_back("records lost by telemetry", whole(totals.lost));
    return lines;
}

// The axis is one of a day; of a run over midnight it goes on behind 24:00.
std::string throughput(const RunRecord& run) {
    if (run.seconds.empty()) return "<p>The run was too short for a row of throughput.</p>\n";
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
         .panels = {
             {.title = "Per second",
              .height_share = 3,
              .layers = {plot::StepArea{"messages", colour(0), points(&RunSecond::messages_per_s)},
                         plot::StepLine{"trades", colour(1), points(&RunSecond::trades_per_s)}}},
             {.title = "Open connections",
              .height_share = 1,
              .layers = {plot::StepArea{"", colour(6), points(&RunSecond::connections)}}}}});
}

std::string distribution(const RunRecord& run, std::string_view span, const std::string& title) {
    plot::PercentileChart chart{.title = title, .curves = {}};
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

// The mean time of each request until its answers are buffered, by stage.
std::string stages(const RunRecord& run) {
    plot::StackedBars chart{
        .title = "Mean time until the answers are buffered", .unit = "µs", .parts = {}, .bars = {}};
    for (std::size_t i = 0; i + 1 < k_stages; ++i)
        chart.parts.push_back({std::string{k_stage_names[i]}, std::string{k_colours[i]}});
    for (const char* const request : {"new_order", "cancel", "modify", "hello", "logout"}) {
        if (row_of(run, request, "internal") == nullptr) continue;
        plot::Bar bar{.name = request, .values = {}};
        for (const plot::BarPart& part : chart.parts) {
            const Json* const row = row_of(run, request, part.name);
            bar.values.push_back(row == nullptr ? 0 : number_of(*row, "mean") / k_ns_a_us);
        }
        chart.bars.push_back(std::move(bar));
    }
    return chart.bars.empty() ? "" : plot::render_bars(chart);
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
            names += "<th>" + escaped(name) + "</th>";
            if (value.is_string())
                cells += "<td>" + escaped(value.get<std::string>()) + "</td>";
            else if (name == "count")
                cells += "<td>" + whole(value.get<double>()) + "</td>";
            else
                cells += fmt::format("<td>{:.2f}</td>", value.get<double>() / k_ns_a_us);
        }
        head = "<tr>" + names + "</tr>\n";
        body += fmt::format("<tr{}>{}</tr>\n", sum ? " class=\"strong\"" : "", cells);
    }
    return "<div class=\"wide\"><table>\n" + head + body + "</table></div>\n";
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
    const std::string name = escaped(run.folder.filename().string());
    std::string out = fmt::format(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<title>Run {}</title>\n"
        "<style>{}</style>\n</head>\n<body>\n<h1>Run {}</h1>\n<p class=\"about\">{}</p>\n"
        "<div class=\"tiles\">\n",
        name, k_page_style, name, escaped(about(run)));
    for (const auto& [label, value] : headlines(run))
        out += fmt::format("<div class=\"tile\"><b>{}</b><span>{}</span></div>\n", value, label);
    out += "</div>\n<h2>Throughput over time</h2>\n" + throughput(run);
    if (run.timing.contains("rows") && !run.timing["rows"].empty()) {
        out += "<h2>Latency distributions</h2>\n" +
               distribution(run, "internal", "From the return of the read to the buffered answer") +
               distribution(run, "total", "From the return of the read to the written answer") +
               "<h2>Where the time goes</h2>\n" + stages(run) +
               fmt::format(
                   "<h2>All stages, in microseconds</h2>\n<p class=\"about\">One message "
                   "of {} was timed.</p>\n",
                   text_of(run.timing, "sampled_every")) +
               table(run);
    } else {
        out += "<h2>Latency</h2>\n<p>No message was timed, or the run did not end in order.</p>\n";
    }
    return out + "</body>\n</html>\n";
}

std::string report_summary(const RunRecord& run) {
    std::string out = fmt::format("run {}\n{}\n", run.folder.string(), about(run));
    for (const auto& [label, value] : headlines(run))
        out += fmt::format("{:>16}  {}\n", value, label);
    return out;
}

}  // namespace damrak::app
