// `damrak lab pipeline`: the exchange inside one process, in both of its wirings.
#include <damrak/lab/pipeline/pipeline.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <damrak/base/affinity.hpp>

#include "cli.hpp"
#include "lab/lab.hpp"

namespace damrak::app {

namespace {

using lab::pipeline::PipelineConfig;
using lab::pipeline::PipelineResult;
using lab::pipeline::Wiring;
using lab::pipeline::Workload;

constexpr std::array k_wirings{Wiring::in_line, Wiring::threaded};

struct PipelineOptions {
    std::string wiring = "fastest";
    std::uint32_t orders = 2'000'000;
    std::uint64_t seed = 42;
    std::size_t runs = 5;
    std::size_t turn = 0;
    bool journal = false;
    std::filesystem::path directory = std::filesystem::temp_directory_path();
    bool json = false;
};

/// The run of the median speed.
PipelineResult typical(std::vector<PipelineResult> runs) {
    std::ranges::sort(runs, {}, &PipelineResult::elapsed_ns);
    return std::move(runs[runs.size() / 2]);
}

// In turns, so that a slow minute of the machine is everybody's.
std::array<PipelineResult, 2> measure(const PipelineOptions& options, const Workload& workload) {
    std::array<std::vector<PipelineResult>, k_wirings.size()> runs;
    PipelineConfig config{.turn = options.turn, .cores = allowed_cores(), .journal = {}};
    if (config.cores.size() < 2) config.cores.clear();
    if (options.journal) config.journal = options.directory / "damrak-lab-pipeline";
    for (std::size_t run = 0; run < options.runs; ++run) {
        for (std::size_t i = 0; i < k_wirings.size(); ++i) {
            config.wiring = k_wirings[i];
            runs[i].push_back(run_pipeline(workload, config));
        }
    }
    return {typical(std::move(runs[0])), typical(std::move(runs[1]))};
}

nlohmann::ordered_json latency_json(const Histogram& latency_ns) {
    return {{"min", latency_ns.min()},          {"mean", latency_ns.mean()},
            {"p50", latency_ns.percentile(50)}, {"p95", latency_ns.percentile(95)},
            {"p99", latency_ns.percentile(99)}, {"p99_9", latency_ns.percentile(99.9)},
            {"max", latency_ns.max()}};
}

nlohmann::ordered_json to_json(const PipelineResult& result) {
    return {{"wiring", name(result.wiring)},
            {"orders_per_s", result.orders_per_s()},
            {"latency_ns", latency_json(result.latency_ns)},
            {"turn", result.turn},
            {"threads", result.threads},
            {"shards", result.shards},
            {"cores", result.cores},
            {"orders", result.orders},
            {"refused", result.refused},
            {"executions", result.executions},
            {"messages", result.messages},
            {"bytes", result.bytes},
            {"state_hash", fmt::format("{:016x}", result.state_hash)}};
}

void print_result(const PipelineResult& result) {
    const Histogram& latency_ns = result.latency_ns;
    fmt::print(
        "{:8}  {:2} thread{}  {}  {:7.3f} million orders/s\n", name(result.wiring), result.threads,
        result.threads == 1 ? " " : "s",
        result.cores.empty() ? "not pinned" : fmt::format("core {}", fmt::join(result.cores, ", ")),
        result.orders_per_s() / 1e6);
    fmt::print(
        "          ns from receipt to publication: min {}, mean {:.0f}, p50 {}, p95 {}, p99 {}, "
        "p99.9 {}, max {}\n",
        latency_ns.min(), latency_ns.mean(), latency_ns.percentile(50), latency_ns.percentile(95),
        latency_ns.percentile(99), latency_ns.percentile(99.9), latency_ns.max());
}

void print_report(const PipelineOptions& options, const Workload& workload,
                  const PipelineResult& chosen, const PipelineResult& other) {
    fmt::print("{} orders over {} symbols, seed {}, {}; median of {} runs in turns, {}\n",
               grouped(workload.orders), workload.setup.symbols, options.seed,
               options.journal ? "each journaled before it is matched" : "no journal", options.runs,
               counted(static_cast<std::int64_t>(allowed_cores().size()), "core"));
    print_result(chosen);
    print_result(other);
    fmt::print("Each wiring: {} executions, {} market-data messages of {} bytes, state {:016x}.\n",
               grouped(static_cast<std::int64_t>(chosen.executions)),
               grouped(static_cast<std::int64_t>(chosen.messages)),
               grouped(static_cast<std::int64_t>(chosen.bytes)), chosen.state_hash);
    fmt::print("{} is {}: {:.2f} times the throughput of {} on this machine.\n",
               name(chosen.wiring),
               options.wiring == "fastest" ? "chosen because it is faster" : "chosen by option",
               chosen.orders_per_s() / other.orders_per_s(), name(other.wiring));
}

int run(const PipelineOptions& options) {
    const Workload workload =
        lab::pipeline::make_workload({.orders = options.orders, .seed = options.seed});
    auto results = measure(options, workload);
    if (results[0].state_hash != results[1].state_hash)
        return fail("the two wirings ended in different states: please report this bug");
    const bool second = options.wiring == "fastest" ? results[1].elapsed_ns < results[0].elapsed_ns
                                                    : options.wiring == name(k_wirings[1]);
    const PipelineResult& chosen = results[second ? 1 : 0];
    const PipelineResult& other = results[second ? 0 : 1];
    if (options.json) {
        nlohmann::ordered_json object = to_json(chosen);
        object["symbols"] = workload.setup.symbols;
        object["seed"] = options.seed;
        object["runs"] = options.runs;
        object["journal"] = options.journal;
        object["cores_available"] = allowed_cores().size();
        object["other_wiring"] = to_json(other);
        print_json(object);
        return k_exit_success;
    }
    print_report(options, workload, chosen, other);
    return k_exit_success;
}

}  // namespace

void add_lab_pipeline(CLI::App& lab, Job& job) {
    const auto options = std::make_shared<PipelineOptions>();
    CLI::App* const command = lab.add_subcommand(
        "pipeline", "Measures throughput and latency of an exchange in one process");
    command
        ->add_option("--wiring", options->wiring, "wiring to report first; default: the faster one")
        ->check(CLI::IsMember({"fastest", "inline", "threaded"}))
        ->capture_default_str();
    command->add_option("--orders", options->orders, "number of orders, cancels included")
        ->check(CLI::Range(1U, 50'000'000U))
        ->capture_default_str();
    command->add_option("--seed", options->seed, "seed of the workload")->capture_default_str();
    command->add_option("--runs", options->runs, "runs of each wiring; the median is reported")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
    command
        ->add_option("--turn", options->turn,
                     "orders per turn, 1 for the lowest latency; default: depends on the wiring")
        ->check(CLI::Range(1, 1'024));
    command->add_flag("--journal", options->journal, "journal each order before it is matched");
    command->add_option("--directory", options->directory, "directory of the temporary journal");
    command->add_flag("--json", options->json, "one JSON object on stdout");
    command->callback([&job, options] { job = [options] { return run(*options); }; });
}

}  // namespace damrak::app
