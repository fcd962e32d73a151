#include "lab/ingest_report.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/number_text.hpp>
#include <damrak/lab/statistics.hpp>
#include <damrak/plot/percentiles.hpp>
#include <damrak/plot/svg.hpp>
#include <damrak/telemetry/run_directory.hpp>

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
using lab::ingest::Load;

constexpr double k_published_mean = 3.56;
constexpr double k_published_median = 4.22;
// Below this share of orders that did not come, a step took all that the sender could send.
constexpr double k_took_all = 0.001;
constexpr std::array<std::string_view, 8> k_colours{"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                                    "#e69f00", "#56b4e9", "#6e7781", "#8c564b"};

double mean(std::span<const double> values) {
    return values.empty() ? 0
                          : std::accumulate(values.begin(), values.end(), 0.0) /
                                static_cast<double>(values.size());
}

/// How many times as long the first took; nothing where a round of either has no trade.
std::optional<lab::Comparison> times(const std::vector<double>& first,
                                     const std::vector<double>& step, std::uint64_t seed) {
    if (first.size() != step.size() || first.empty() || std::ranges::min(first) <= 0 ||
        std::ranges::min(step) <= 0)
        return std::nullopt;
    const lab::Comparison found = lab::compare(step, first, seed);
    return std::isfinite(found.ratio) ? std::optional{found} : std::nullopt;
}

Json times_json(const std::optional<lab::Comparison>& found) {
    if (!found) return nullptr;
    return {{"times", found->ratio}, {"interval_95", {found->interval.low, found->interval.high}}};
}

Json gains_json(const RoundLatencies& first, const RoundLatencies& step, std::uint64_t seed) {
    return {{"mean", times_json(times(first.means, step.means, seed))},
            {"median", times_json(times(first.medians, step.medians, seed))}};
}

Json latency_json(const Histogram& ns) {
    return {{"count", ns.count()},      {"mean", ns.mean()},        {"p50", ns.percentile(50)},
            {"p90", ns.percentile(90)}, {"p99", ns.percentile(99)}, {"p99_9", ns.percentile(99.9)},
            {"max", ns.max()}};
}

Json load_json(const Load& load) {
    return {{"sent", load.sent},
            {"received", load.received},
            {"lost_share", load.lost()},
            {"trade_latency_from_earlier_order_ns", latency_json(load.from_earlier_ns)},
            {"trade_latency_from_later_order_ns", latency_json(load.from_later_ns)}};
}

Json step_json(const IngestStep& one) {
    Json flood = load_json(one.flood);
    flood["orders_per_s"] = {{"mean", mean(one.slices)}, {"median", lab::median(one.slices)}};
    flood["trades_per_s"] = {{"mean", mean(one.trade_slices)},
                             {"median", lab::median(one.trade_slices)}};
    flood["orders_per_s_by_slice"] = one.slices;
    return {{"name", one.step->name},
            {"what", one.step->what},
            {"path", one.path},
            {"published_workload", load_json(one.bursts)},
            {"paced", load_json(one.paced)},
            {"flood", std::move(flood)},
            {"round_trip_ns", latency_json(one.round_trip_ns)},
            {"recorded_orders_per_s",
             {{"mean", mean(one.recorded_slices)}, {"median", lab::median(one.recorded_slices)}}},
            {"dropped_by_the_kernel", one.kernel_drops},
            {"fill_empty", one.fill_empty}};
}

std::string us(double ns) {
    return ns < 1e6 ? fmt::format("{:.3g}", ns / 1e3) : grouped(std::llround(ns / 1e3));
}

std::string us(const Histogram& histogram_ns, double percent) {
    if (histogram_ns.count() == 0) return "no trade";
    return us(static_cast<double>(histogram_ns.percentile(percent)));
}

std::string lost_text(const Load& load) {
    return load.sent == 0 ? "-" : fmt::format("{:.2f}%", 100 * load.lost());
}

std::string times_text(const std::optional<lab::Comparison>& found) {
    if (!found) return "cannot be determined";
    return fmt::format("{:.2f} ({:.2f} to {:.2f})", found->ratio, found->interval.low,
                       found->interval.high);
}

// Histogram with equal classes from minimum to maximum.
std::string bars(const std::vector<double>& values) {
    static constexpr std::array<const char*, 9> k_bars{" ", "▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    constexpr std::size_t k_classes = 24;
    if (values.empty()) return {};
    const auto [low, high] = std::ranges::minmax(values);
    std::array<std::size_t, k_classes> counts{};
    for (const double value : values) {
        const double share = high > low ? (value - low) / (high - low) : 0;
        ++counts.at(std::min(k_classes - 1, static_cast<std::size_t>(share * k_classes)));
    }
    const std::size_t most = std::ranges::max(counts);
    std::string drawn;
    for (const std::size_t count : counts) drawn += k_bars.at((count * 8 + most - 1) / most);
    return drawn;
}

std::string sketch(const std::vector<double>& values) {
    if (values.empty()) return {};
    const auto [low, high] = std::ranges::minmax(values);
    return fmt::format("{} [{}] {}", grouped(std::llround(low)), bars(values),
                       grouped(std::llround(high)));
}

// Histogram of latencies from minimum to maximum; each class is twice as wide as its predecessor.
std::string sketch(const Histogram& ns) {
    if (ns.count() == 0) return {};
    std::vector<double> classes;
    constexpr double k_step = 0.5;
    for (double percent = k_step / 2; percent < 100; percent += k_step)
        classes.push_back(std::log2(std::max(1.0, static_cast<double>(ns.percentile(percent)))));
    return fmt::format("{} [{}] {}", us(ns, 0), bars(classes), us(ns, 100));
}

lab::Table load_table(const IngestReport& report, Load IngestStep::* load) {
    lab::Table table{{"step", "lost", "earlier order: mean", "p50", "p99", "later order: mean",
                      "p50", "p99", "later order, by its logarithm"},
                     {}};
    for (const IngestStep& one : report.steps) {
        const Load& of = one.*load;
        table.rows.push_back(
            {std::string{one.step->name}, lost_text(of), us(of.from_earlier_ns.mean()),
             us(of.from_earlier_ns, 50), us(of.from_earlier_ns, 99), us(of.from_later_ns.mean()),
             us(of.from_later_ns, 50), us(of.from_later_ns, 99), sketch(of.from_later_ns)});
    }
    return table;
}

lab::Table gain_table(const IngestReport& report) {
    lab::Table table{{"step", "earlier order: mean", "median", "later order: mean", "median"}, {}};
    const IngestStep& first = report.steps.front();
    const std::uint64_t seed = report.options.seed;
    for (const IngestStep& one : report.steps.subspan(1))
        table.rows.push_back(
            {std::string{one.step->name},
             times_text(times(first.from_earlier.means, one.from_earlier.means, seed)),
             times_text(times(first.from_earlier.medians, one.from_earlier.medians, seed)),
             times_text(times(first.from_later.means, one.from_later.means, seed)),
             times_text(times(first.from_later.medians, one.from_later.medians, seed))});
    return table;
}

lab::Table flood_table(const IngestReport& report) {
    lab::Table table{{"step", "orders/s, median", "mean", "trades/s, median", "lost", "bound by",
                      "slices by orders/s"},
                     {}};
    const char* const sender = report.options.senders == 1 ? "the sender" : "the senders";
    for (const IngestStep& one : report.steps)
        table.rows.push_back(
            {std::string{one.step->name}, grouped(std::llround(lab::median(one.slices))),
             grouped(std::llround(mean(one.slices))),
             grouped(std::llround(lab::median(one.trade_slices))), lost_text(one.flood),
             one.flood.lost() < k_took_all ? sender : "the engine's side", sketch(one.slices)});
    return table;
}

lab::Table recorded_table(const IngestReport& report) {
    lab::Table table{{"step", "orders/s, median", "mean", "times the flood", "slices by orders/s"},
                     {}};
    for (const IngestStep& one : report.steps) {
        const double alone = lab::median(one.recorded_slices);
        const double flood = lab::median(one.slices);
        table.rows.push_back(
            {std::string{one.step->name}, grouped(std::llround(alone)),
             grouped(std::llround(mean(one.recorded_slices))),
             flood > 0 ? fmt::format("{:.1f}", alone / flood) : "cannot be determined",
             sketch(one.recorded_slices)});
    }
    return table;
}

lab::Table trip_table(const IngestReport& report) {
    lab::Table table{{"step", "p50", "p90", "p99", "p99.9"}, {}};
    for (const IngestStep& one : report.steps)
        table.rows.push_back({std::string{one.step->name}, us(one.round_trip_ns, 50),
                              us(one.round_trip_ns, 90), us(one.round_trip_ns, 99),
                              us(one.round_trip_ns, 99.9)});
    return table;
}

const IngestStep& last_of(const IngestReport& report) {
    return report.steps[lab::ingest::product_step()];
}

std::string verdict(const std::optional<lab::Comparison>& found, double published) {
    if (!found) return fmt::format("cannot be determined (published {:.2f})", published);
    const char* const word = found->interval.high < published  ? "not reached"
                             : found->interval.low > published ? "exceeded"
                                                               : "within the interval";
    return fmt::format("{}; published {:.2f}: {}", times_text(found), published, word);
}

lab::Bullets conclusion(const IngestReport& report) {
    const IngestStep& first = report.steps.front();
    const IngestStep& last = last_of(report);
    const std::uint64_t seed = report.options.seed;
    const auto line = [&](const char* from, const RoundLatencies& before,
                          const RoundLatencies& after) {
        return fmt::format(
            "Speed-up over the basic step, measured from the {} order: mean {}; median {}.", from,
            verdict(times(before.means, after.means, seed), k_published_mean),
            verdict(times(before.medians, after.medians, seed), k_published_median));
    };
    return {{line("earlier", first.from_earlier, last.from_earlier),
             line("later", first.from_later, last.from_later)}};
}

std::string latency_picture(const IngestReport& report) {
    constexpr std::array k_fractions{0.0,  0.1,   0.25,  0.5,   0.75,   0.9,    0.95, 0.98,
                                     0.99, 0.995, 0.998, 0.999, 0.9995, 0.9999, 1.0};
    plot::PercentileChart chart{.title = "Bursts: a trade, from the later of its two orders",
                                .curves = {}};
    for (const IngestStep& one : report.steps) {
        if (one.bursts.from_later_ns.count() == 0) continue;
        plot::PercentileCurve curve{
            .name = std::string{one.step->name},
            .colour = std::string{k_colours.at(chart.curves.size() % k_colours.size())},
            .points = {}};
        for (const double fraction : k_fractions)
            curve.points.push_back(
                {fraction,
                 static_cast<double>(one.bursts.from_later_ns.percentile(100 * fraction)) / 1e3});
        chart.curves.push_back(std::move(curve));
    }
    return chart.curves.empty() ? "" : plot::render_percentiles(chart, "µs");
}

std::string slice_picture(const IngestReport& report) {
    constexpr std::int64_t k_slice_ns = 2'500'000;
    plot::Figure figure{.title = "The flood by slices of 2.5 ms",
                        .subtitle = "orders per second, all rounds concatenated",
                        .panels = {}};
    for (std::size_t i = 0; i < report.steps.size(); ++i) {
        const IngestStep& one = report.steps[i];
        plot::StepLine line{
            .name = "", .colour = std::string{k_colours.at(i % k_colours.size())}, .points = {}};
        for (std::size_t slice = 0; slice < one.slices.size(); ++slice)
            line.points.push_back(
                {static_cast<std::int64_t>(slice) * k_slice_ns, one.slices[slice]});
        figure.end_ns =
            std::max(figure.end_ns, static_cast<std::int64_t>(one.slices.size()) * k_slice_ns);
        figure.panels.push_back({.title = std::string{one.step->name}, .layers = {line}});
    }
    return plot::render_svg(figure);
}

}  // namespace

void IngestStep::add(lab::ingest::Run&& run) {
    bursts.merge(run.bursts);
    paced.merge(run.paced);
    flood.merge(run.flood);
    from_earlier.add(run.bursts.from_earlier_ns);
    from_later.add(run.bursts.from_later_ns);
    slices.insert(slices.end(), run.orders_per_s.begin(), run.orders_per_s.end());
    trade_slices.insert(trade_slices.end(), run.trades_per_s.begin(), run.trades_per_s.end());
    round_trip_ns.merge(run.round_trip_ns);
    recorded_slices.insert(recorded_slices.end(), run.recorded_per_s.begin(),
                           run.recorded_per_s.end());
    fill_empty += run.fill_empty;
    kernel_drops += run.kernel_drops;
    path = std::move(run.path);
}

Json to_json(const IngestReport& report) {
    const std::uint64_t seed = report.options.seed;
    Json object{{"slice_ms", 2.5},
                {"rounds", report.rounds},
                {"seconds", report.options.seconds},
                {"paced_orders_per_s", report.options.paced_per_s},
                {"senders_of_the_flood", report.options.senders},
                {"seed", seed},
                {"steps", Json::array()}};
    const IngestStep& first = report.steps.front();
    for (const IngestStep& one : report.steps) {
        Json step = step_json(one);
        if (&one != &first) {
            step["gain_from_earlier_order"] =
                gains_json(first.from_earlier, one.from_earlier, seed);
            step["gain_from_later_order"] = gains_json(first.from_later, one.from_later, seed);
        }
        object["steps"].push_back(std::move(step));
    }
    const IngestStep& last = last_of(report);
    object["first_to_last"] = {
        {"from_earlier_order", gains_json(first.from_earlier, last.from_earlier, seed)},
        {"from_later_order", gains_json(first.from_later, last.from_later, seed)}};
    object["published_first_to_last"] = {{"mean", k_published_mean},
                                         {"median", k_published_median}};
    return object;
}

lab::Document document_of(const IngestReport& report) {
    lab::Document document{
        lab::Heading{1, "UDP orders, from the network card to the trade"},
        lab::Paragraph{fmt::format("{} rounds of {} s for each load and step, seed {}. Latencies "
                                   "are in microseconds.",
                                   report.rounds, report.options.seconds, report.options.seed)},
        lab::Heading{2, "The published workload: bursts of 2,000 orders, and pauses"},
        load_table(report, &IngestStep::bursts),
        lab::Picture{latency_picture(report)},
        lab::Heading{2, "Speed-up over the basic step"},
        gain_table(report),
        conclusion(report),
        lab::Heading{
            2, fmt::format("A steady {} orders a second", grouped(report.options.paced_per_s))},
        load_table(report, &IngestStep::paced),
        lab::Heading{2, "One order at a time: round trip"},
        trip_table(report),
        lab::Heading{2, fmt::format("A flood: as fast as {} can send",
                                    report.options.senders == 1
                                        ? std::string{"the sender"}
                                        : fmt::format("{} senders", report.options.senders))},
        flood_table(report),
        lab::Picture{slice_picture(report)},
        lab::Heading{2, "Recorded packets from memory: engine side only"},
        recorded_table(report)};
    return document;
}

std::expected<void, std::string> write_ingest_report(const std::filesystem::path& folder,
                                                     const IngestReport& report) {
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    if (error)
        return std::unexpected(
            fmt::format("cannot create directory {}: {}", folder.string(), error.message()));
    const lab::Document document = document_of(report);
    auto written =
        telemetry::write_text(folder / "ingest.html", lab::to_html(document, "Damrak: UDP orders"));
    if (written) written = telemetry::write_text(folder / "ingest.md", lab::to_markdown(document));
    if (written)
        written = telemetry::write_text(folder / "ingest.json", to_json(report).dump(2) + "\n");
    return written;
}

}  // namespace damrak::app
