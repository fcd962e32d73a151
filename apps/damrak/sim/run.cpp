// `damrak sim run`: one seed or several, as tables or JSON.
#include <damrak/market_runs/run.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/duration_text.hpp>

#include "cli.hpp"
#include "progress.hpp"
#include "serve/process.hpp"
#include "sim/explained.hpp"
#include "sim/jobs.hpp"
#include "sim/named_market.hpp"
#include "sim/price_units.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
using market_runs::InstrumentResult;
using market_runs::RunResult;

constexpr const char* k_run_command = "sim run";

double in_currency(std::int64_t twice) { return static_cast<double>(twice) / 2 / k_price_units; }

/// By the second; absent where there was no such fill.
Json adverse_selection_of(const market_runs::GroupResult& group) {
    Json after = Json::object();
    for (std::size_t i = 0; i < group.adverse_selection.size(); ++i)
        if (group.adverse_selection[i].count() > 0)
            after[fmt::format("{}s", market_runs::MarketMeasures::k_adverse_s[i])] =
                group.adverse_selection[i].mean();
    return after;
}

Json json_of(const market_runs::GroupResult& group) {
    return {{"group", group.group},
            {"profit", group.has_profit ? Json(in_currency(group.twice_profit)) : Json()},
            {"position", group.position},
            {"maker_volume", group.maker_volume},
            {"taker_volume", group.taker_volume},
            {"messages", group.messages},
            {"rejected", group.rejected},
            {"adverse_selection", adverse_selection_of(group)},
            {"races_entered", group.races.entered},
            {"races_won", group.races.won},
            {"race_rent", in_currency(group.races.twice_rent)}};
}

Json json_of(const InstrumentResult& instrument) {
    Json measures = Json::object();
    for (const measures::Value& value : instrument.measures.values())
        measures[value.name] = value.value;
    Json groups = Json::array();
    for (const market_runs::GroupResult& group : instrument.groups)
        groups.push_back(json_of(group));
    Json object{{"symbol", instrument.symbol}, {"measures", measures}, {"groups", groups}};
    for (const market_runs::GroupResult& group : instrument.groups) {
        const measures::QuotingResult& quoting = group.quoting;
        if (quoting.makers == 0) continue;
        object["obligations"].push_back(
            {{"group", group.group},
             {"presence", quoting.trading_s > 0 ? quoting.present_s / quoting.trading_s : 0},
             {"own_spread_ticks", quoting.spread.mean()},
             {"periods", quoting.periods},
             {"met", quoting.met},
             {"payment", static_cast<double>(quoting.payment) / k_price_units}});
    }
    return object;
}

Json json_of(const RunResult& run) {
    Json object{{"seed", run.seed},
                {"market", fmt::format("{:016x}", run.identity)},
                {"hash", fmt::format("{:016x}", run.hash)},
                {"complete", run.is_complete},
                {"virtual_s", static_cast<double>(run.ran_ns) / 1e9},
                {"messages", run.counts.messages},
                {"trades", run.counts.trades},
                {"rejects", run.counts.rejects},
                {"messages_per_s", static_cast<double>(run.counts.messages) / run.cpu_s}};
    if (!run.instruments.empty()) {
        const Json first = json_of(run.instruments[0]);
        object["measures"] = first["measures"];
        if (first.contains("obligations")) object["obligations"] = first["obligations"];
        object["groups"] = first["groups"];
    }
    if (run.instruments.size() > 1) {
        Json all = Json::array();
        for (const InstrumentResult& instrument : run.instruments)
            all.push_back(json_of(instrument));
        object["instruments"] = all;
    }
    if (!run.faults.empty()) object["faults"] = run.faults;
    return object;
}

void print_groups(const InstrumentResult& instrument) {
    fmt::print("\n{:<20} {:>14} {:>10} {:>10} {:>10} {:>12} {:>6} {:>12}\n", "group", "profit",
               "position", "maker", "taker", "adverse 10s", "races", "rent");
    for (const market_runs::GroupResult& group : instrument.groups)
        fmt::print("{:<20} {:>14} {:>10} {:>10} {:>10} {:>12} {:>6} {:>12.2f}\n", group.group,
                   group.has_profit ? fmt::format("{:.2f}", in_currency(group.twice_profit)) : "-",
                   group.position, group.maker_volume, group.taker_volume,
                   group.adverse_selection[1].count() > 0
                       ? fmt::format("{:.1f}", group.adverse_selection[1].mean())
                       : "-",
                   group.races.won, in_currency(group.races.twice_rent));
}

void print_obligations(const InstrumentResult& instrument) {
    for (const market_runs::GroupResult& group : instrument.groups) {
        const measures::QuotingResult& quoting = group.quoting;
        if (quoting.trading_s <= 0) continue;
        fmt::print(
            "\nobligation of {}: present {:.1f} % of the time, own spread {:.2f} ticks, met in {} "
            "of {}, payment {:.2f}\n",
            group.group, 100 * quoting.present_s / quoting.trading_s, quoting.spread.mean(),
            quoting.met, counted(static_cast<std::int64_t>(quoting.periods), "period"),
            static_cast<double>(quoting.payment) / k_price_units);
    }
}

void print(const RunResult& run, const std::string& name) {
    fmt::print(
        "{}, seed {}: {} of virtual time, {} messages, {} trades, {:.2f} million messages a "
        "second, hash {:016x}\n",
        name, run.seed, duration_text(run.ran_ns),
        grouped(static_cast<std::int64_t>(run.counts.messages)),
        grouped(static_cast<std::int64_t>(run.counts.trades)),
        static_cast<double>(run.counts.messages) / run.cpu_s * 1e-6, run.hash);
    for (const InstrumentResult& instrument : run.instruments) {
        fmt::print("\n{}\n", instrument.symbol);
        print_measures(instrument.measures);
        print_groups(instrument);
        print_obligations(instrument);
    }
    for (const std::string& fault : run.faults) fmt::print("fault: {}\n", fault);
}

int run_one(const SimRunOptions& options, const market_runs::MarketFile& file, std::uint64_t seed) {
    const auto watch = watch_for(options.explain, file);
    if (!watch) return fail_usage(watch.error(), k_run_command);
    handle_signals();
    constexpr std::uint64_t k_whole = 10'000;
    ProgressBar bar{"simulating", k_whole};
    const auto result = market_runs::run_market(
        file, {.seed = seed,
               .keep = options.keep,
               .tables = options.tables,
               .progress =
                   [&](double share, std::uint64_t messages) {
                       bar.update(static_cast<std::uint64_t>(share * k_whole), messages);
                   },
               .stop = [] { return stop_asked(); },
               .watchers = watchers_of(*watch)});
    bar.clear();
    if (!result) return fail(result.error());
    const Timestamp begin = market_kernel::MarketSetup{}.begin;
    const auto answered = answer(*watch, begin + Timestamp{result->ran_ns});
    if (!answered) return fail_usage(answered.error(), k_run_command);
    if (options.json) {
        Json object = json_of(*result);
        if (*watch) object["explained"] = app::json_of(**watch, begin);
        print_json(object);
    } else {
        print(*result, file.name);
        if (*watch) print_explained(**watch, begin);
    }
    if (!result->faults.empty() && !result->is_complete) return fail(result->faults.front());
    return k_exit_success;
}

void print(const std::vector<RunResult>& runs) {
    fmt::print("{:>8} {:>18} {:>12} {:>10}\n", "seed", "hash", "messages", "trades");
    for (const RunResult& run : runs)
        fmt::print("{:>8}   {:016x} {:>12} {:>10}\n", run.seed, run.hash, run.counts.messages,
                   run.counts.trades);
    for (const RunResult& run : runs)
        for (const std::string& fault : run.faults)
            fmt::print("fault: seed {}: {}\n", run.seed, fault);
}

int run_many(const SimRunOptions& options, const market_runs::MarketFile& file,
             std::uint64_t seed) {
    handle_signals();
    const std::uint32_t jobs =
        options.jobs.value_or(std::max(1U, std::thread::hardware_concurrency()));
    std::vector<RunResult> results;
    {
        ProgressBar bar{"simulating", options.seeds};
        results = market_runs::run_seeds(
            file, seed, options.seeds, jobs,
            [&](std::uint32_t finished) { bar.update(finished, 0); }, [] { return stop_asked(); });
    }
    const bool is_whole = results.size() == options.seeds;
    if (options.json) {
        Json runs = Json::array();
        for (const RunResult& run : results) runs.push_back(json_of(run));
        print_json({{"complete", is_whole}, {"runs", runs}});
    } else {
        print(results);
        if (!is_whole)
            fmt::print("stopped after {} of {}\n", results.size(),
                       counted(static_cast<std::int64_t>(options.seeds), "seed"));
    }
    const auto ended = std::ranges::find(results, false, &RunResult::is_complete);
    if (ended != results.end())
        return fail(fmt::format("seed {}: {}", ended->seed, ended->faults.front()));
    return k_exit_success;
}

}  // namespace

void print_measures(const measures::Results& results) {
    for (const measures::Value& value : results.values())
        if (!value.name.starts_with("by_group."))
            fmt::print("  {:<34} {:>16.6g} {}\n", value.name, value.value,
                       value.unit == "1" ? "" : value.unit);
}

int run_sim(const SimRunOptions& options) {
    auto file = named_market(options.file);
    if (!file) return fail(file.error());
    if (!options.duration.empty()) {
        const auto duration = parse_duration(options.duration);
        if (!duration || *duration <= 0)
            return fail_usage(fmt::format("--duration {}: expected a time such as 30s or 10min",
                                          options.duration),
                              k_run_command);
        file->set_duration(*duration);
    }
    const std::uint64_t seed = options.seed.value_or(file->seed);
    if (options.seeds == 1) return run_one(options, *file, seed);
    if (!options.keep.empty() || !options.tables.empty() || !options.explain.question.empty())
        return fail_usage("--keep, --export and --explain are for one seed, without --seeds",
                          k_run_command);
    return run_many(options, *file, seed);
}

}  // namespace damrak::app
