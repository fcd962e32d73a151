// A comparison of markets as a table and as JSON.
#include <optional>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"
#include "sim/compare.hpp"

namespace damrak::app {
namespace {

using comparison::ComparedMarket;
using comparison::Comparison;
using comparison::Difference;
using comparison::MeasureName;
using Json = nlohmann::ordered_json;

template <class T>
Json json_of(const std::optional<T>& value) {
    return value ? Json(*value) : Json(nullptr);
}

Json json_of(const MeasureName& name) {
    return {{"instrument", name.instrument}, {"group", name.group}, {"measure", name.measure}};
}

Json json_of(const Difference& one) {
    Json object = json_of(one.name);
    object.update({{"unit", one.unit},
                   {"pairs", one.pairs},
                   {"mean_a", one.mean_a},
                   {"mean_b", one.mean_b},
                   {"difference", one.mean},
                   {"low", one.interval.low},
                   {"high", one.interval.high},
                   {"p", one.p},
                   {"p_corrected", one.p_corrected},
                   {"significant", one.is_significant()},
                   {"deviation_a", one.deviation_a},
                   {"deviation", one.deviation},
                   {"correlation", json_of(one.correlation)},
                   {"variance_ratio", json_of(one.variance_ratio)},
                   {"detectable", one.detectable}});
    if (one.seeds_needed) object["seeds_needed"] = *one.seeds_needed;
    return object;
}

Json json_of(const ComparedMarket& market) {
    Json seeds = Json::array();
    Json hashes = Json::array();
    for (const comparison::MeasuredRun& run : market.runs) {
        seeds.push_back(run.seed);
        hashes.push_back(fmt::format("{:016x}", run.hash));
    }
    Json object{{"name", market.name}, {"market", fmt::format("{:016x}", market.identity)}};
    if (!market.file.empty()) object["file"] = market.file;
    object["seeds"] = std::move(seeds);
    object["hashes"] = std::move(hashes);
    return object;
}

std::string p_text(double p) { return p < 0.0001 ? "<0.0001" : fmt::format("{:.4f}", p); }

void print_line(const Difference& one) {
    fmt::print("{:<40} {:>11.5g} {:>11.5g} {:>11.4g} [{:>10.4g}, {:>10.4g}] {:>8}{} {:>6} {:>9}\n",
               one.name.text(), one.mean_a, one.mean_b, one.mean, one.interval.low,
               one.interval.high, p_text(one.p_corrected), one.is_significant() ? '*' : ' ',
               one.correlation ? fmt::format("{:.2f}", *one.correlation) : "-",
               one.seeds_needed ? grouped(static_cast<std::int64_t>(*one.seeds_needed)) : "-");
}

void print(const comparison::Study& study, std::size_t place) {
    const Comparison& comparison = study.comparisons[place];
    const ComparedMarket& a = study.markets[0];
    const ComparedMarket& b = study.markets[place + 1];
    fmt::print("A: {} ({:016x})\nB: {} ({:016x})\n{} of runs, {} with equal hashes\n\n", a.name,
               a.identity, b.name, b.identity,
               counted(static_cast<std::int64_t>(comparison.pairs), "pair"),
               comparison.equal_hashes);
    fmt::print("{:<40} {:>11} {:>11} {:>11} {:>24} {:>8}  {:>6} {:>9}\n", "measure", "A", "B",
               "B - A", "95% interval", "p", "corr.", "seeds");
    for (const Difference& one : comparison.differences) print_line(one);
    for (const MeasureName& name : comparison.left_out)
        fmt::print("{:<40} fewer than two pairs have it\n", name.text());
    for (const MeasureName& name : comparison.in_other_ticks)
        fmt::print("{:<40} in ticks, which differ: see it in basis points\n", name.text());
    fmt::print("\n");
}

}  // namespace

nlohmann::ordered_json json_of(const comparison::Study& study) {
    Json markets = Json::array();
    for (const ComparedMarket& market : study.markets) markets.push_back(json_of(market));
    Json comparisons = Json::array();
    for (std::size_t i = 0; i < study.comparisons.size(); ++i) {
        const Comparison& one = study.comparisons[i];
        Json measures = Json::array();
        for (const Difference& difference : one.differences)
            measures.push_back(json_of(difference));
        Json left_out = Json::array();
        for (const MeasureName& name : one.left_out) left_out.push_back(json_of(name));
        Json in_other_ticks = Json::array();
        for (const MeasureName& name : one.in_other_ticks) in_other_ticks.push_back(json_of(name));
        comparisons.push_back({{"a", study.markets[0].name},
                               {"b", study.markets[i + 1].name},
                               {"pairs", one.pairs},
                               {"equal_hashes", one.equal_hashes},
                               {"measures", std::move(measures)},
                               {"left_out", std::move(left_out)},
                               {"in_other_ticks", std::move(in_other_ticks)}});
    }
    return {{"complete", !study.is_stopped},        {"stopped_by_interval", study.had_enough},
            {"test", "paired t, two-sided"},        {"correction", "Holm"},
            {"interval", "BCa bootstrap, 95%"},     {"markets", std::move(markets)},
            {"comparisons", std::move(comparisons)}};
}

void print(const comparison::Study& study) {
    for (std::size_t i = 0; i < study.comparisons.size(); ++i) print(study, i);
    fmt::print(
        "p: paired t test, corrected by Holm over all measures{}; * below 0.05.\n",
        study.options.primary.empty() ? "" : fmt::format(" except {}", study.options.primary));
    if (study.options.effect)
        fmt::print("seeds: this many detect the effect with a probability of 80%.\n");
    if (study.had_enough) fmt::print("The interval became narrow enough.\n");
    if (study.is_stopped) fmt::print("Stopped before all seeds had run.\n");
}

}  // namespace damrak::app
