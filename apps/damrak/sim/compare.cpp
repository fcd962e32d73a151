// `damrak sim compare`: market files over the same seeds.
#include "sim/compare.hpp"

#include <algorithm>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/comparison/catalogue.hpp>
#include <damrak/comparison/runs.hpp>
#include <damrak/telemetry/run_directory.hpp>

#include "cli.hpp"
#include "progress.hpp"
#include "serve/process.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

using comparison::ComparedMarket;
using comparison::CompareOptions;
using comparison::RunTable;
using comparison::Study;
using market_runs::MarketFile;

constexpr const char* k_compare_command = "sim compare";

std::expected<std::vector<MarketFile>, std::string> read_files(const SimCompareOptions& options) {
    std::vector<MarketFile> files;
    for (const std::filesystem::path& path : options.files) {
        auto file = market_runs::read_market_file(path);
        if (!file) return std::unexpected{file.error()};
        files.push_back(*std::move(file));
    }
    return files;
}

Study study_of(const std::vector<MarketFile>& files, const SimCompareOptions& options,
               RunTable table, const CompareOptions& compare) {
    std::vector<ComparedMarket> markets;
    markets.reserve(files.size());
    for (std::size_t i = 0; i < files.size(); ++i)
        markets.push_back({files[i].name, files[i].about,
                           i < options.files.size() ? options.files[i].string() : "",
                           market_runs::identity_of(files[i]), std::move(table[i])});
    return comparison::study_of(std::move(markets), compare);
}

// By the width alone, never by where the interval is: that would favour differences that chance
// made large. Both intervals, as the other is the one that the test rests on.
bool is_narrow(const RunTable& table, const CompareOptions& compare, double width) {
    CompareOptions alone = compare;
    alone.measures = {compare.primary};
    for (std::size_t i = 1; i < table.size(); ++i) {
        const comparison::Comparison one = comparison::compare(table[0], table[i], alone);
        const comparison::Difference* const primary = one.find(compare.primary);
        if (primary == nullptr || primary->interval.width() > width ||
            comparison::student_width(primary->deviation, primary->pairs) > width)
            return false;
    }
    return true;
}

std::expected<comparison::Runs, std::string> run_all(const SimCompareOptions& options,
                                                     const std::vector<MarketFile>& files,
                                                     const CompareOptions& compare) {
    std::optional<comparison::Catalogue> catalogue;
    if (options.results != "off") {
        auto opened = comparison::Catalogue::open(options.results);
        if (!opened) return std::unexpected{opened.error()};
        catalogue = *std::move(opened);
    }
    handle_signals();
    constexpr std::uint64_t k_whole = 10'000;
    ProgressBar bar{"comparing", k_whole};
    comparison::RunsOptions runs{
        .first_seed = options.seed.value_or(files[0].seed),
        .seeds = options.seeds,
        .jobs = options.jobs.value_or(std::max(1U, std::thread::hardware_concurrency())),
        .other_seeds = options.other_seeds,
        .store = catalogue ? &*catalogue : nullptr,
        .fresh = options.fresh,
        .progress =
            [&](double share, std::uint64_t messages) {
                bar.update(static_cast<std::uint64_t>(share * k_whole), messages);
            },
        .stop = [] { return stop_asked(); }};
    if (options.until_ci)
        runs.enough = [&](const RunTable& table) {
            return is_narrow(table, compare, *options.until_ci);
        };
    return comparison::run_markets(files, runs);
}

std::vector<std::string> known_measures(const RunTable& table) {
    std::vector<std::string> names;
    for (const auto& runs : table)
        for (const comparison::Measured& value : runs.front().values)
            if (std::ranges::find(names, value.name.measure) == names.end())
                names.push_back(value.name.measure);
    return names;
}

/// A name that no run has is a mistake, found as soon as there is a run to ask.
std::string unknown_measure(const RunTable& table, const CompareOptions& compare) {
    std::vector<std::string> asked = compare.measures;
    if (!compare.primary.empty()) asked.push_back(compare.primary);
    for (const std::string& name : asked) {
        const bool is_known = std::ranges::any_of(table, [&](const auto& runs) {
            return std::ranges::any_of(runs, [&](const comparison::MeasuredRun& run) {
                return std::ranges::any_of(run.values, [&](const comparison::Measured& value) {
                    return value.name.answers_to(name);
                });
            });
        });
        if (is_known) continue;
        const std::string nearest = did_you_mean(name, known_measures(table));
        return fmt::format("no run has a measure {}{}", name,
                           nearest.starts_with("did you mean")
                               ? ": " + nearest
                               : "; without --measure and --primary all are shown");
    }
    return {};
}

std::expected<void, std::string> write_report(const std::filesystem::path& folder,
                                              const Study& study,
                                              const nlohmann::ordered_json& object) {
    std::error_code failure;
    std::filesystem::create_directories(folder, failure);
    if (failure) return std::unexpected{fmt::format("{}: {}", folder.string(), failure.message())};
    const std::vector<std::pair<const char*, std::string>> files{
        {"report.html", comparison::report_html(study)},
        {"differences.csv", comparison::differences_csv(study)},
        {"runs.csv", comparison::runs_csv(study)},
        {"report.json",
         object.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + '\n'}};
    for (const auto& [name, text] : files)
        if (auto written = telemetry::write_text(folder / name, text); !written) return written;
    return {};
}

std::expected<CompareOptions, std::string> compare_options(const SimCompareOptions& options) {
    CompareOptions compare{.measures = options.measures, .primary = options.primary, .effect = {}};
    if (options.effect.empty()) return compare;
    const auto effect = comparison::parse_effect(options.effect);
    if (!effect) return std::unexpected{"--effect " + effect.error()};
    if (!effect->is_share && options.primary.empty())
        return std::unexpected{
            fmt::format("--effect {}: a number is in the unit of the primary measure; name it with "
                        "--primary, or give a share such as 5%",
                        options.effect)};
    compare.effect = *effect;
    return compare;
}

}  // namespace

int compare_sim(const SimCompareOptions& options) {
    const auto compare = compare_options(options);
    if (!compare) return fail_usage(compare.error(), k_compare_command);
    auto files = read_files(options);
    if (!files) return fail(files.error());
    if (!options.duration.empty()) {
        const auto duration = parse_duration(options.duration);
        if (!duration || *duration <= 0)
            return fail_usage(fmt::format("--duration {}: expected a time such as 30s or 10min",
                                          options.duration),
                              k_compare_command);
        for (MarketFile& file : *files) file.set_duration(*duration);
    }
    auto runs = run_all(options, *files, *compare);
    if (!runs) return fail(runs.error());
    if (runs->table[0].size() < 2)
        return fail(fmt::format(
            "stopped before two pairs of runs were complete{}",
            options.results == "off" ? "" : "; finished runs are in " + options.results.string()));
    if (const std::string unknown = unknown_measure(runs->table, *compare); !unknown.empty())
        return fail(unknown);
    Study study = study_of(*files, options, std::move(runs->table), *compare);
    for (std::size_t i = 0; i < study.comparisons.size(); ++i)
        if (study.comparisons[i].differences.empty())
            return fail(fmt::format(
                "{} and {} have no measure in common; an instrument needs the same symbol in both",
                study.markets[0].name, study.markets[i + 1].name));
    study.is_stopped = runs->is_stopped;
    study.had_enough = runs->had_enough;
    study.has_other_seeds = options.other_seeds;
    nlohmann::ordered_json object = json_of(study);
    object["ran"] = runs->ran;
    object["reused"] = runs->reused;
    if (!options.report.empty())
        if (auto written = write_report(options.report, study, object); !written)
            return fail(written.error());
    if (options.json)
        print_json(object);
    else
        print(study);
    return k_exit_success;
}

}  // namespace damrak::app
