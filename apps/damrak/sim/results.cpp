// `damrak sim results`: what a catalogue of runs has.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/comparison/catalogue.hpp>

#include "cli.hpp"
#include "sim/compare.hpp"
#include "sim/jobs.hpp"

namespace damrak::app {
namespace {

using comparison::Catalogue;
using comparison::ComparedMarket;
using comparison::Measured;
using comparison::MeasuredRun;
using comparison::MeasureName;
using Entry = Catalogue::Entry;
using Json = nlohmann::ordered_json;

/// A measure over the runs of a market.
struct Summary {
    MeasureName name;
    std::string unit;
    std::vector<double> values;
};

bool is_wanted(const MeasureName& name, const std::vector<std::string>& measures) {
    return std::ranges::any_of(measures,
                               [&](const std::string& word) { return name.answers_to(word); });
}

std::vector<Summary> summaries(const std::vector<MeasuredRun>& runs,
                               const std::vector<std::string>& measures) {
    std::vector<Summary> rows;
    std::map<MeasureName, std::size_t> places;
    for (const MeasuredRun& run : runs)
        for (const Measured& value : run.values) {
            if (!is_wanted(value.name, measures)) continue;
            const auto [at, is_new] = places.emplace(value.name, rows.size());
            if (is_new) rows.push_back({value.name, value.unit, {}});
            rows[at->second].values.push_back(value.value);
        }
    return rows;
}

Json json_of(const Entry& entry) {
    return {{"market", entry.market},      {"name", entry.name}, {"version", entry.version},
            {"build", entry.build},        {"runs", entry.runs}, {"first_seed", entry.first_seed},
            {"last_seed", entry.last_seed}};
}

Json json_of(const Summary& row) {
    Json object{{"instrument", row.name.instrument}, {"group", row.name.group},
                {"measure", row.name.measure},       {"unit", row.unit},
                {"runs", row.values.size()},         {"mean", comparison::mean_of(row.values)}};
    if (row.values.size() > 1) {
        const comparison::Interval interval = comparison::student_interval(row.values);
        object.update({{"deviation", std::sqrt(comparison::variance_of(row.values))},
                       {"low", interval.low},
                       {"high", interval.high}});
    }
    return object;
}

void print(const Summary& row) {
    fmt::print("  {:<40} {:>12.6g}", row.name.text(), comparison::mean_of(row.values));
    if (row.values.size() > 1) {
        const comparison::Interval interval = comparison::student_interval(row.values);
        fmt::print(" [{:>10.5g}, {:>10.5g}]", interval.low, interval.high);
    }
    fmt::print(" {}\n", row.unit == "1" ? "" : row.unit);
}

void print(const Entry& entry) {
    fmt::print("{}  {:<28} {:<8} {:<8} {:>6} {:>10} {:>10}\n", entry.market, entry.name,
               entry.version, entry.build.substr(0, 8), entry.runs, entry.first_seed,
               entry.last_seed);
}

int list(Catalogue& catalogue, const SimResultsOptions& options, std::vector<Entry> entries) {
    Json markets = Json::array();
    if (!options.json)
        fmt::print("{:<16}  {:<28} {:<8} {:<8} {:>6} {:>10} {:>10}\n", "market", "name", "version",
                   "build", "runs", "first seed", "last seed");
    bool has_measure = options.measures.empty();
    for (const Entry& entry : entries) {
        Json object = json_of(entry);
        if (!options.json) print(entry);
        if (!options.measures.empty()) {
            const auto runs = catalogue.runs_of(entry);
            if (!runs) return fail(runs.error());
            object["measures"] = Json::array();
            for (const Summary& row : summaries(*runs, options.measures)) {
                has_measure = true;
                object["measures"].push_back(json_of(row));
                if (!options.json) print(row);
            }
        }
        markets.push_back(std::move(object));
    }
    if (!has_measure)
        return fail(fmt::format("no run in {} has a measure {}", options.results.string(),
                                options.measures.front()));
    if (options.json) print_json({{"markets", std::move(markets)}});
    return k_exit_success;
}

// Of several builds of the program, the one that ran last.
std::expected<Entry, std::string> entry_for(const std::string& word,
                                            const std::vector<Entry>& entries) {
    std::vector<Entry> found;
    for (const Entry& entry : entries)
        if (entry.market == word || entry.name == word) found.push_back(entry);
    if (found.empty())
        std::ranges::copy_if(entries, std::back_inserter(found),
                             [&](const Entry& entry) { return entry.answers_to(word); });
    if (found.empty())
        return std::unexpected{fmt::format(
            "no market {} in the catalogue; damrak sim results lists those it has", word)};
    for (const Entry& entry : found)
        if (entry.market != found[0].market)
            return std::unexpected{
                fmt::format("{} is more than one market: {} and {}; name one by its identity", word,
                            found[0].market, entry.market)};
    return std::ranges::max(found, {}, &Entry::latest);
}

std::expected<ComparedMarket, std::string> market_of(Catalogue& catalogue, const Entry& entry) {
    auto runs = catalogue.runs_of(entry);
    if (!runs) return std::unexpected{runs.error()};
    return ComparedMarket{.name = entry.name,
                          .about = {},
                          .file = {},
                          .identity = entry.identity(),
                          .runs = *std::move(runs)};
}

// Both are in the order of seeds.
void keep_common_seeds(std::vector<MeasuredRun>& runs, const std::vector<MeasuredRun>& others) {
    std::erase_if(runs, [&](const MeasuredRun& run) {
        return !std::ranges::binary_search(others, run.seed, {}, &MeasuredRun::seed);
    });
}

int compare(Catalogue& catalogue, const SimResultsOptions& options,
            const std::vector<Entry>& entries) {
    std::vector<ComparedMarket> markets;
    for (const std::string& word : options.compared) {
        const auto entry = entry_for(word, entries);
        if (!entry) return fail(entry.error());
        auto market = market_of(catalogue, *entry);
        if (!market) return fail(market.error());
        markets.push_back(*std::move(market));
    }
    const std::vector<MeasuredRun> before = markets[0].runs;
    keep_common_seeds(markets[0].runs, markets[1].runs);
    keep_common_seeds(markets[1].runs, before);
    if (markets[0].runs.size() < 2)
        return fail(
            fmt::format("{} and {} have {} in common; a comparison needs two", options.compared[0],
                        options.compared[1],
                        counted(static_cast<std::int64_t>(markets[0].runs.size()), "seed")));
    const comparison::Study study =
        comparison::study_of(std::move(markets), {.measures = options.measures});
    if (study.comparisons[0].differences.empty())
        return fail("these markets have no measure in common");
    if (options.json)
        print_json(app::json_of(study));
    else
        app::print(study);
    return k_exit_success;
}

}  // namespace

int list_results(const SimResultsOptions& options) {
    if (!std::filesystem::exists(options.results))
        return fail(fmt::format("{}: there is no such catalogue; damrak sim compare makes one",
                                options.results.string()));
    auto catalogue = Catalogue::open_existing(options.results);
    if (!catalogue) return fail(catalogue.error());
    auto entries = catalogue->entries();
    if (!entries) return fail(entries.error());
    if (!options.compared.empty()) return compare(*catalogue, options, *entries);
    if (!options.market.empty()) {
        std::erase_if(*entries,
                      [&](const Entry& entry) { return !entry.answers_to(options.market); });
        if (entries->empty())
            return fail(
                fmt::format("no market {} in {}", options.market, options.results.string()));
    }
    return list(*catalogue, options, *std::move(entries));
}

}  // namespace damrak::app
