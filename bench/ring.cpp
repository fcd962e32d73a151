// ring [--runs N] [--quick] [--json] [--save FILE]: the ring of the house beside two packaged ones,
// thread to thread: items of 8 to 256 bytes one by one and in batches, round trips, and every way
// of waiting. Wall-clock time; with fewer than two cores the threads take turns, and so it says.
//
// The trials are those of the experiment `ring` of `damrak lab run`, which also compares them.

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/affinity.hpp>
#include <damrak/lab/rings/experiment.hpp>

#include "support/cpu_clock.hpp"
#include "support/driver.hpp"

namespace damrak::bench {
namespace {

struct Options {
    int runs = 5;
    bool quick = false;
    Output output;
};

int run(const Options& options) {
    const auto size = options.quick ? lab::Effort::Size::quick : lab::Effort::Size::full;
    nlohmann::ordered_json out;
    out["machine"] = machine_name();
    out["compiler"] = compiler_name();
    out["cores"] = allowed_cores().size();
    out["runs"] = options.runs;
    if (!options.output.json)
        fmt::print("{}, {}; {} cores; median of {} runs in turns, ns\n", machine_name(),
                   compiler_name(), allowed_cores().size(), options.runs);
    for (const lab::Trial& trial : lab::ring_experiment().trials({.size = size})) {
        std::vector<std::vector<double>> figures(trial.variants.size());
        std::vector<Histogram> latencies(trial.variants.size());
        for (int i = 0; i < options.runs; ++i) {
            for (std::size_t v = 0; v < figures.size(); ++v) {
                const lab::Sample sample = trial.variants[v].run();
                figures[v].push_back(static_cast<double>(sample.elapsed_ns) /
                                     static_cast<double>(sample.operations));
                if (sample.latency_ns) latencies[v].merge(*sample.latency_ns);
            }
        }
        if (!options.output.json) fmt::print("\n{} ({})\n", trial.title, trial.name);
        for (std::size_t v = 0; v < figures.size(); ++v) {
            const double ns = median(figures[v]);
            nlohmann::ordered_json row{
                {"trial", trial.name}, {"variant", trial.variants[v].name}, {"ns", ns}};
            std::string tail;
            if (const Histogram& latency = latencies[v]; latency.count() > 0) {
                row["p50"] = latency.percentile(50);
                row["p99"] = latency.percentile(99);
                tail =
                    fmt::format("  p50 {}, p99 {}", latency.percentile(50), latency.percentile(99));
            }
            out["rows"].push_back(row);
            if (!options.output.json)
                fmt::print("  {:12} {:10.1f} a {}{}\n", trial.variants[v].name, ns, trial.operation,
                           tail);
        }
    }
    return options.output.deliver(out);
}

}  // namespace
}  // namespace damrak::bench

int main(int argc, char** argv) {
    using namespace damrak::bench;
    Options options;
    CLI::App app{"What an item costs from thread to thread, by ring"};
    app.add_option("--runs", options.runs, "of each ring, in turns")
        ->check(CLI::Range(1, 1'000))
        ->capture_default_str();
    app.add_flag("--quick", options.quick, "an eighth of the work");
    options.output.add_to(app);
    return run_driver(app, argc, argv, [&] { return run(options); });
}
