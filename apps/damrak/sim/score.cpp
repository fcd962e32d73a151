// `damrak sim score`: how far a market is from a recorded day, as a table, JSON and a page.
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/duration_text.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/market_runs/recorded_day.hpp>
#include <damrak/score/report.hpp>
#include <damrak/score/sample_market.hpp>
#include <damrak/telemetry/run_directory.hpp>

#include "cli.hpp"
#include "partial.hpp"
#include "progress.hpp"
#include "say.hpp"
#include "serve/process.hpp"
#include "sim/hours.hpp"
#include "sim/jobs.hpp"
#include "sim/named_market.hpp"

namespace damrak::app {
namespace {

using score::Score;
using score::Scored;
using Json = nlohmann::ordered_json;

constexpr const char* k_score_command = "sim score";

void print_score(const Score& one) {
    const score::Feature& feature = *one.feature;
    if (!one.unknown.empty()) {
        fmt::print("{:<16} unknown: {}\n", feature.name, one.unknown);
        return;
    }
    fmt::print(
        "{:<16} {:>8.3f} {:>16} {:>7} {:>12.5g} {:>12.5g}  {}\n", feature.name, one.distance,
        one.interval ? fmt::format("[{:.3f}, {:.3f}]", one.interval->low, one.interval->high) : "-",
        one.floor ? fmt::format("{:.3f}", *one.floor) : "-", one.market, one.day,
        feature.unit == "1" ? "" : feature.unit);
}

void print(const Scored& scored) {
    fmt::print("{} against {}\n\n{:<16} {:>8} {:>16} {:>7} {:>12} {:>12}\n", scored.market,
               scored.day, "feature", "distance", "95% interval", "floor", "market", "day");
    for (const Score& one : scored.scores) print_score(one);
    fmt::print(
        "\ndistance: 0 equal, 1 nothing in common; floor: one half of the day from the other.\n"
        "market, day: median, or the first point of a curve.\n");
}

Json json_of(const Score& one) {
    const score::Feature& feature = *one.feature;
    Json object{{"name", feature.name},
                {"unit", feature.unit},
                {"what", feature.what},
                {"method", score::name_of(feature.method)}};
    if (!one.unknown.empty()) {
        object["unknown"] = one.unknown;
        return object;
    }
    object["distance"] = one.distance;
    object["low"] = one.interval ? Json(one.interval->low) : Json();
    object["high"] = one.interval ? Json(one.interval->high) : Json();
    object["floor"] = one.floor ? Json(*one.floor) : Json();
    if (one.wasserstein) object["wasserstein"] = *one.wasserstein;
    Json points = Json::array();
    for (const score::ScoredPoint& point : one.points)
        points.push_back({{"at", point.name}, {"market", point.market}, {"day", point.day}});
    object["points"] = std::move(points);
    return object;
}

Json json_of(const Scored& scored) {
    Json features = Json::array();
    for (const Score& one : scored.scores) features.push_back(json_of(one));
    return {{"market", scored.market},
            {"day", scored.day},
            {"interval", "basic block bootstrap, 95%"},
            {"not_known", scored.notes},
            {"features", std::move(features)}};
}

std::expected<void, std::string> write_report(const std::filesystem::path& folder,
                                              const Scored& scored, const Json& object) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return std::unexpected{fmt::format("{}: {}", folder.string(), failure.message())};
    if (auto page = telemetry::write_text(folder / "report.html", score::report_html(scored));
        !page)
        return page;
    return telemetry::write_text(
        folder / "score.json",
        object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n');
}

/// The error is one of usage.
std::expected<std::int64_t, std::string> duration_of(const char* option, const std::string& text,
                                                     std::int64_t most_ns) {
    const auto duration = parse_duration(text);
    if (!duration || *duration < k_second_ns || *duration > most_ns)
        return std::unexpected{fmt::format("{} {}: expected a time from 1s to {}, such as 10min",
                                           option, text, duration_text(most_ns))};
    return *duration;
}

}  // namespace

int score_market(const SimScoreOptions& options) {
    const auto hours = measured_hours(options.from, options.until);
    if (!hours) return fail_usage(hours.error(), k_score_command);
    const auto block_ns = duration_of("--block", options.block, 3'600 * k_second_ns);
    if (!block_ns) return fail_usage(block_ns.error(), k_score_command);
    auto file = named_market(options.market);
    if (!file) return fail(file.error());
    if (!options.duration.empty()) {
        const auto duration = duration_of("--for", options.duration, 12 * 3'600 * k_second_ns);
        if (!duration) return fail_usage(duration.error(), k_score_command);
        file->set_duration(*duration);
    }
    const auto recorded = market_runs::recorded_day(options.day, options.symbol, options.book,
                                                    options.trust_messages);
    if (!recorded) return fail_usage(recorded.error(), k_score_command);
    const auto day = score::sample_day(*recorded, *hours, *block_ns);
    if (!day) return fail(day.error());
    handle_signals();
    constexpr std::uint64_t k_whole = 10'000;
    ProgressBar bar{"simulating", k_whole};
    const auto market = score::sample_market(
        *file, {.first_seed = options.seed.value_or(file->seed),
                .seeds = options.seeds,
                .symbol = options.instrument,
                .block_ns = *block_ns,
                .progress =
                    [&](double share, std::uint64_t messages) {
                        bar.update(static_cast<std::uint64_t>(share * k_whole), messages);
                    },
                .stop = [] { return stop_asked(); }});
    bar.clear();
    if (!market) return fail(market.error());
    const Scored scored{.market = file->name,
                        .day = day->symbol,
                        .scores = score::score(*market, *day),
                        .notes = archive::sentences(day->depth)};
    Json object = json_of(scored);
    object["anomalies"] = day->anomalies;
    add_completeness(object, day->completeness);
    if (!options.report.empty())
        if (const auto written = write_report(options.report, scored, object); !written)
            return fail(written.error());
    if (options.json)
        print_json(object);
    else
        print(scored);
    for (const std::string& note : scored.notes) say("damrak: note: {}\n", note);
    return end_answer(day->completeness, options.partial);
}

}  // namespace damrak::app
