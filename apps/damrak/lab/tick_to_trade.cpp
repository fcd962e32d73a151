// `damrak lab tick-to-trade`: what a tick and a trade take, and four classic choices one at a time.
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include <damrak/lab/runner.hpp>
#include <damrak/lab/statistics.hpp>
#include <damrak/lab/tick_to_trade/experiment.hpp>

#include "cli.hpp"
#include "lab/lab.hpp"
#include "say.hpp"

namespace damrak::app {

namespace {

using lab::Measure;
using lab::TrialResult;
using lab::VariantResult;

struct TickToTradeOptions {
    std::uint64_t seed = 42;
    bool quick = false;
    bool json = false;
};

constexpr std::array<std::uint32_t, 3> k_ticks{1'000, 10'000, 100'000};

/// Result of the baseline's path at this number of ticks.
struct PathResult {
    std::uint32_t ticks = 0;
    lab::TickLatencies cold;  ///< the first run of all, caches and heap as they were
    lab::TickLatencies warm;  ///< the one after it
};

struct Results {
    std::vector<PathResult> paths;
    std::vector<TrialResult> trials;
};

Results measure(const TickToTradeOptions& options) {
    const auto size = options.quick ? lab::Effort::Size::quick : lab::Effort::Size::full;
    const lab::Effort effort{.size = size, .seed = options.seed};
    const lab::RunSettings settings = lab::settings_for(effort);
    Results results;
    for (const std::uint32_t ticks : k_ticks)
        results.paths.push_back({ticks, lab::tick_latencies(ticks, options.seed),
                                 lab::tick_latencies(ticks, options.seed)});
    const bool shows_progress = ::isatty(STDERR_FILENO) == 1;
    for (lab::Trial& trial : lab::tick_to_trade_experiment().trials(effort)) {
        if (shows_progress) say("\r\033[K{}", trial.title);
        results.trials.push_back(lab::run_trial(std::move(trial), settings, [](double) {}));
    }
    if (shows_progress) say("\r\033[K");
    return results;
}

nlohmann::ordered_json to_json(const Histogram& latency_ns) {
    return {{"count", latency_ns.count()},
            {"min", latency_ns.min()},
            {"max", latency_ns.max()},
            {"mean", latency_ns.mean()},
            {"standard_deviation", latency_ns.standard_deviation()},
            {"p50", latency_ns.percentile(50)},
            {"p95", latency_ns.percentile(95)},
            {"p99", latency_ns.percentile(99)}};
}

nlohmann::ordered_json to_json(const TrialResult& result) {
    nlohmann::ordered_json out{{"trial", result.trial.name}, {"rounds", result.rounds}};
    for (const VariantResult& variant : result.variants) {
        nlohmann::ordered_json row{{"variant", variant.name},
                                   {"ns", lab::median(variant.of(Measure::time_ns))},
                                   {"latency_ns", to_json(variant.latency_ns)}};
        for (const lab::Published& figure : result.trial.published)
            if (figure.variant == variant.name)
                row[figure.measure == Measure::time_ns ? "published_ns" : "published_p99_ns"] =
                    figure.figure;
        if (const auto& compared = variant.comparison(Measure::time_ns))
            row["against_baseline"] = lab::statement(*compared);
        out["variants"].push_back(std::move(row));
    }
    out["control_holds"] = result.control_holds();
    return out;
}

void print_latencies(std::string_view name, const Histogram& latency_ns) {
    fmt::print("  {:22} {:>8} {:8} {:9} {:9.1f} {:9.1f} {:7} {:7} {:7}\n", name,
               grouped(static_cast<std::int64_t>(latency_ns.count())), latency_ns.min(),
               latency_ns.max(), latency_ns.mean(), latency_ns.standard_deviation(),
               latency_ns.percentile(50), latency_ns.percentile(95), latency_ns.percentile(99));
}

void print_trial(const TrialResult& result) {
    fmt::print("\n{} ({} rounds)\n", result.trial.title, result.rounds);
    for (const VariantResult& variant : result.variants) {
        print_latencies(variant.name, variant.latency_ns);
        if (const auto& compared = variant.comparison(Measure::time_ns))
            fmt::print("    its {}s: {}\n", result.trial.operation, lab::statement(*compared));
        if (const auto& compared = variant.comparison(Measure::latency_ns_p99))
            fmt::print("    their p99: {}\n", lab::statement(*compared));
    }
    for (const lab::Published& figure : result.trial.published)
        fmt::print("    published: {} {} {} ns\n", figure.variant,
                   figure.measure == Measure::time_ns ? "mean" : "p99", figure.figure);
    if (!result.control_holds())
        fmt::print("    the control differs from its identical copy: do not trust these figures\n");
}

void print_report(const Results& results) {
    fmt::print("  {:22} {:>8} {:>8} {:>9} {:>9} {:>9} {:>7} {:>7} {:>7}\n", "ns", "count", "min",
               "max", "mean", "sd", "p50", "p95", "p99");
    for (const PathResult& path : results.paths) {
        fmt::print("\nRaw pointers from new, packed, in a map: {} ticks\n", grouped(path.ticks));
        print_latencies("a tick, first run", path.cold.ticks_ns);
        print_latencies("a tick, second run", path.warm.ticks_ns);
        print_latencies("a trade, first run", path.cold.trades_ns);
        print_latencies("a trade, second run", path.warm.trades_ns);
    }
    for (const TrialResult& result : results.trials) print_trial(result);
}

int run(const TickToTradeOptions& options) {
    const Results results = measure(options);
    if (!options.json) {
        print_report(results);
        return k_exit_success;
    }
    nlohmann::ordered_json object{{"seed", options.seed}, {"quick", options.quick}};
    for (const PathResult& path : results.paths)
        object["paths"].push_back({{"ticks", path.ticks},
                                   {"first_run_tick_ns", to_json(path.cold.ticks_ns)},
                                   {"tick_ns", to_json(path.warm.ticks_ns)},
                                   {"first_run_trade_ns", to_json(path.cold.trades_ns)},
                                   {"trade_ns", to_json(path.warm.trades_ns)}});
    for (const TrialResult& result : results.trials) object["trials"].push_back(to_json(result));
    print_json(object);
    return k_exit_success;
}

}  // namespace

void add_lab_tick_to_trade(CLI::App& lab, Job& job) {
    const auto options = std::make_shared<TickToTradeOptions>();
    CLI::App* const command = lab.add_subcommand(
        "tick-to-trade", "Measures the latency from a tick to its trade, and four design choices");
    command->add_option("--seed", options->seed, "seed of the feeds")->capture_default_str();
    command->add_flag("--quick", options->quick, "one sixteenth of the work");
    command->add_flag("--json", options->json, "one JSON object on stdout");
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
