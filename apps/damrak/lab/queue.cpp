// `damrak lab queue`: how long the limit orders of a recorded day took to fill, by the queue that
// was ahead of them.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/archive/day_file.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/base/time_of_day.hpp>
#include <damrak/files/day_kind.hpp>
#include <damrak/lobster/file_name.hpp>
#include <damrak/plot/curves.hpp>
#include <damrak/plot/picture_file.hpp>
#include <damrak/replay/queue_study.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "lab/lab.hpp"
#include "lobster_options.hpp"
#include "partial.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
using replay::Outcome;
using replay::QueuedOrder;
using replay::Survival;

constexpr const char* k_command = "lab queue";
constexpr std::int64_t k_second_ns = 1'000'000'000;

struct QueueOptions {
    std::filesystem::path file;
    std::string symbol;
    std::string from;
    std::string until;
    bool by_placement = false;
    bool full = false;
    bool trust_messages = false;
    bool json = false;
    bool csv = false;
    bool partial = false;
    std::optional<std::filesystem::path> plot;
};

struct Group {
    std::string name;
    const char* colour;
    std::uint32_t least = 0;  ///< orders ahead, or the number of the placement
    std::uint32_t most = 0;
};
const std::array k_by_position{
    Group{"0", "#1b6ca8", 0, 0},       Group{"1-2", "#2a9d8f", 1, 2},
    Group{"3-5", "#8ab17d", 3, 5},     Group{"6-10", "#e9a23b", 6, 10},
    Group{"11-20", "#e76f51", 11, 20}, Group{"over 20", "#9b2226", 21, UINT32_MAX}};
const std::array k_by_placement{Group{"improves", "#1b6ca8", 0, 0}, Group{"joins", "#e9a23b", 1, 1},
                                Group{"behind", "#9b2226", 2, 2}};

struct Row {
    Group group;
    Survival survival;
};
struct Report {
    std::string symbol;
    std::int64_t from_ns = 0;
    std::int64_t until_ns = 0;
    std::vector<Row> rows;  ///< without the empty ones
};

/// From a microsecond on, ten in each power of ten, up to the window.
std::vector<std::int64_t> durations(const Report& report) {
    std::vector<std::int64_t> all;
    for (int i = 0;; ++i) {
        constexpr double k_first_ns = 1'000;
        const auto duration_ns = std::llround(k_first_ns * std::pow(10, i / 10.0));
        if (duration_ns > report.until_ns - report.from_ns) return all;
        all.push_back(duration_ns);
    }
}

std::string time_or_dash(std::optional<std::int64_t> duration_ns) {
    if (!duration_ns) return "-";
    const auto ns = static_cast<double>(*duration_ns);
    if (ns < 1e6) return fmt::format("{:.1f} us", ns / 1e3);
    return ns < 1e9 ? fmt::format("{:.1f} ms", ns / 1e6) : fmt::format("{:.1f} s", ns / 1e9);
}

double per_second(const Survival& survival, Outcome outcome) {
    const double seconds = survival.seconds_at_risk();
    return seconds > 0 ? static_cast<double>(survival.count(outcome)) / seconds : 0;
}

/// Greenwood's variance is zero before the first fill and after the last: there is no interval.
std::string interval_of(const replay::SurvivalPoint& point) {
    if (point.filled_alone <= 0 || point.filled_alone >= 1) return "-";
    return fmt::format("{:.1f}-{:.1f}", 100 * point.filled_alone_low,
                       100 * point.filled_alone_high);
}

void print_report(const Report& report, const QueueOptions& options) {
    fmt::print(
        "{} from {} to {}: displayed limit orders, by {}\n"
        "filled: {}; a replaced order counts as cancelled\n\n",
        report.symbol, time_text(report.from_ns), time_text(report.until_ns),
        options.by_placement ? "their price against the best of their side on arrival"
                             : "the orders ahead of them at their price on arrival",
        options.full ? "nothing is left of the order" : "its first execution");
    fmt::print("{:>8} {:>8} {:>8} {:>9} {:>6} {:>9} {:>11} {:>11}   {}\n", "group", "orders",
               "filled", "cancelled", "open", "cancels/s", "median of", "median of",
               "filled within (share of all; alone, 95%)");
    fmt::print("{:>8} {:>8} {:>8} {:>9} {:>6} {:>9} {:>11} {:>11}   {:<28}{}\n", "", "", "", "", "",
               "", "fills", "cancels", "1 s", "60 s");
    constexpr std::array k_at{k_second_ns, 60 * k_second_ns};
    for (const Row& row : report.rows) {
        const Survival& survival = row.survival;
        fmt::print("{:>8} {:>8} {:>8} {:>9} {:>6} {:>9.3f} {:>11} {:>11}   ", row.group.name,
                   survival.orders(), survival.count(Outcome::filled),
                   survival.count(Outcome::cancelled), survival.count(Outcome::open),
                   per_second(survival, Outcome::cancelled),
                   time_or_dash(survival.quantile_ns(Outcome::filled, 0.5)),
                   time_or_dash(survival.quantile_ns(Outcome::cancelled, 0.5)));
        for (const auto& point : survival.at(k_at))
            fmt::print("{:<28}", fmt::format("{:.1f}%; {:.1f}% ({})", 100 * point.filled,
                                             100 * point.filled_alone, interval_of(point)));
        fmt::print("\n");
    }
    fmt::print(
        "\nshare of all: orders filled by then, the cancelled ones included (Aalen-Johansen)\n"
        "alone: the chance of an order that is not cancelled (Kaplan-Meier)\n");
}

void print_csv(const Report& report) {
    fmt::print(
        "group,duration_s,at_risk,filled,cancelled,filled_alone,filled_alone_low,"
        "filled_alone_high\n");
    const auto at = durations(report);
    for (const Row& row : report.rows)
        for (const auto& point : row.survival.at(at))
            fmt::print("{},{},{},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f}\n", row.group.name,
                       static_cast<double>(point.duration_ns) / 1e9, point.at_risk, point.filled,
                       point.cancelled, point.filled_alone, point.filled_alone_low,
                       point.filled_alone_high);
}

Json quantiles(const Survival& survival, Outcome outcome) {
    Json object;
    for (const auto& [name, share] : {std::pair{"p10", 0.1}, {"p50", 0.5}, {"p90", 0.9}}) {
        const auto ns = survival.quantile_ns(outcome, share);
        object[name] = ns ? Json(static_cast<double>(*ns) / 1e9) : Json();
    }
    return object;
}

Json to_json(const Report& report, const QueueOptions& options) {
    Json groups = Json::array();
    const auto at = durations(report);
    for (const auto& [group, survival] : report.rows) {
        Json curve = Json::array();
        for (const auto& point : survival.at(at))
            curve.push_back({{"duration_s", static_cast<double>(point.duration_ns) / 1e9},
                             {"at_risk", point.at_risk},
                             {"filled", point.filled},
                             {"cancelled", point.cancelled},
                             {"filled_alone", point.filled_alone},
                             {"filled_alone_low", point.filled_alone_low},
                             {"filled_alone_high", point.filled_alone_high}});
        const auto median = survival.time_to_fill_ns(0.5);
        groups.push_back(
            {{"group", group.name},
             {"orders", survival.orders()},
             {"filled", survival.count(Outcome::filled)},
             {"cancelled", survival.count(Outcome::cancelled)},
             {"open", survival.count(Outcome::open)},
             {"seconds_at_risk", survival.seconds_at_risk()},
             {"cancels_per_s", per_second(survival, Outcome::cancelled)},
             {"fills_per_s", per_second(survival, Outcome::filled)},
             {"median_alone_s", median ? Json(static_cast<double>(*median) / 1e9) : Json()},
             {"time_to_fill_s", quantiles(survival, Outcome::filled)},
             {"time_to_cancel_s", quantiles(survival, Outcome::cancelled)},
             {"curve", std::move(curve)}});
    }
    return {{"symbol", report.symbol},
            {"from", time_text(report.from_ns)},
            {"until", time_text(report.until_ns)},
            {"by", options.by_placement ? "placement" : "orders_ahead"},
            {"fill", options.full ? "full" : "first"},
            {"groups", std::move(groups)}};
}

std::string to_svg(const Report& report, const QueueOptions& options) {
    plot::CurveChart chart{.title = fmt::format("{}: orders filled by then, by {}", report.symbol,
                                                options.by_placement ? "placement on arrival"
                                                                     : "orders ahead on arrival"),
                           .size_name = "seconds after arrival",
                           .unit = "",
                           .has_shares = true,
                           .curves = {}};
    const auto at = durations(report);
    for (const auto& [group, survival] : report.rows) {
        plot::Curve curve{.name = fmt::format("{} ({})", group.name, survival.orders()),
                          .colour = group.colour,
                          .points = {}};
        for (const auto& point : survival.at(at))
            curve.points.push_back({static_cast<double>(point.duration_ns) / 1e9, point.filled});
        chart.curves.push_back(std::move(curve));
    }
    return plot::render_curves(chart);
}

/// Another file than an archived day is archived first, in a temporary file.
archive::Result<archive::Day> open_day(const QueueOptions& options) {
    const auto file = archive::day_file(options.file);
    if (!file) return std::unexpected{file.error()};
    const auto kind = files::day_kind(*file);
    if (!kind) return std::unexpected{kind.error()};
    if (*kind == files::DayKind::archived_day) return archive::Day::open(*file);
    archive::Import import;
    import.from = options.file;
    import.to =
        std::filesystem::temp_directory_path() / fmt::format("damrak-lab-queue-{}.dar", ::getpid());
    import.symbol = options.symbol;
    import.trust_messages = options.trust_messages;
    import.only_one = true;
    const auto imported = archive::import_day(import, [](std::uint64_t, std::uint64_t) {});
    if (!imported) return std::unexpected{imported.error()};
    auto day = archive::Day::open(import.to);
    std::error_code ignored;
    std::filesystem::remove(import.to, ignored);  // it stays mapped
    if (!imported->faults.empty())
        return std::unexpected{
            fmt::format("{}: {}", options.file.string(), imported->faults.front())};
    return day;
}

std::optional<replay::QueueWindow> window_of(const QueueOptions& options, const archive::Day& day) {
    replay::QueueWindow window{.fill = options.full ? replay::FillEvent::full
                                                    : replay::FillEvent::first};
    window.from_ns = options.from.empty() ? day.first_time_ns() : *parse_time_of_day(options.from);
    window.until_ns =
        options.until.empty() ? day.last_time_ns() : *parse_time_of_day(options.until);
    window.until_ns = std::min(window.until_ns, day.last_time_ns());
    if (window.until_ns > window.from_ns) return window;
    static_cast<void>(fail_usage(
        fmt::format("nothing lies between --from {} and --until {}: the day is from {} to {}",
                    time_text(window.from_ns), time_text(window.until_ns),
                    time_text(day.first_time_ns()), time_text(day.last_time_ns())),
        k_command));
    return std::nullopt;
}

template <class Groups>
std::vector<Row> rows_of(const std::vector<QueuedOrder>& orders, const Groups& groups,
                         bool by_placement) {
    std::vector<Row> rows;
    for (const Group& group : groups) {
        std::vector<replay::Lifetime> lifetimes;
        for (const QueuedOrder& one : orders) {
            const auto place =
                by_placement ? static_cast<std::uint32_t>(one.placement) : one.orders_ahead;
            if (place >= group.least && place <= group.most) lifetimes.push_back(one.lifetime);
        }
        if (!lifetimes.empty()) rows.push_back({group, Survival{std::move(lifetimes)}});
    }
    return rows;
}

int run(const QueueOptions& options) {
    if (options.plot)
        if (const auto good = plot::check_picture_name(*options.plot); !good)
            return fail_usage("--plot: " + good.error(), k_command);
    const auto opened = open_day(options);
    if (!opened) return fail(opened.error());
    const archive::Day& day = *opened;
    if (const auto why = archive::why_no_orders(day.depth()); !why.empty())
        return fail(fmt::format("{}: {}", options.file.string(), why));
    const auto instruments = day.instruments();
    const auto found =
        options.symbol.empty() && instruments.size() == 1
            ? instruments.begin()
            : std::ranges::find(instruments, options.symbol, &archive::Instrument::symbol);
    if (found == instruments.end())
        return fail_usage(
            options.symbol.empty()
                ? fmt::format("the day has {} instruments: give --symbol", instruments.size())
                : fmt::format("--symbol: the day has no {}", options.symbol),
            k_command);
    auto window = window_of(options, day);
    if (!window) return k_exit_usage;
    window->locate = found->locate;
    const auto [orders, completeness] = study_queue(day, *window);
    Report report{.symbol = found->symbol,
                  .from_ns = window->from_ns,
                  .until_ns = window->until_ns,
                  .rows = options.by_placement ? rows_of(orders, k_by_placement, true)
                                               : rows_of(orders, k_by_position, false)};
    if (report.rows.empty() && completeness.is_complete())
        return fail("no limit order arrived in this window");
    if (!completeness.is_complete())
        report.until_ns = std::min(report.until_ns, completeness.known_until_ns);
    for (const std::string& sentence : archive::sentences(day.depth()))
        say("damrak: note: {}\n", sentence);
    if (options.plot)
        if (const auto written = plot::write_picture(*options.plot, to_svg(report, options));
            !written)
            return fail(written.error());
    if (options.json) {
        Json object = to_json(report, options);
        add_completeness(object, completeness);
        object["not_known"] = archive::sentences(day.depth());
        print_json(object);
    } else if (options.csv) {
        print_csv(report);
    } else {
        print_report(report, options);
    }
    return end_answer(completeness, options.partial);
}

}  // namespace

void add_lab_queue(CLI::App& lab, Job& job) {
    auto* const command = lab.add_subcommand("queue",
                                             "Measures how long limit orders of a recorded day "
                                             "took to fill, by the orders ahead of them");
    auto options = std::make_shared<QueueOptions>();
    command
        ->add_option("DAY", options->file,
                     "an archived day, or an ITCH, LOBSTER or DBN file (see damrak archive import)")
        ->required();
    add_trust_messages(*command, options->trust_messages);
    command->add_option("--symbol", options->symbol, "instrument; required if the day has several");
    const auto check_time = [](const std::string& text) {
        return parse_time_of_day(text)
                   ? std::string{}
                   : fmt::format("'{}' is no time of day: write it like 10:31:05", text);
    };
    command->add_option("--from", options->from, "only orders that arrive from this time of day on")
        ->check(check_time);
    command->add_option("--until", options->until, "follow orders up to this time of day")
        ->check(check_time);
    command->add_flag(
        "--by-placement", options->by_placement,
        "group orders by price: better than the best of their side, at it, or behind it");
    command->add_flag(
        "--full", options->full,
        "an order counts as filled when it is completely executed, not at its first execution");
    auto* const json = command->add_flag("--json", options->json, "one JSON object on stdout");
    command->add_flag("--csv", options->csv, "the curves as comma-separated values")
        ->excludes(json);
    command->add_option("--plot", options->plot, "picture of the curves (.svg or .png)");
    add_partial(*command, options->partial);
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
