#include <damrak/lab/pipeline/experiment.hpp>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/lab/pipeline/pipeline.hpp>

namespace damrak::lab::pipeline {

namespace {

constexpr const char* k_source = "a public exchange in one process, on its author's five cores";

// Shared by all variants.
struct Study {
    Workload workload;
    std::optional<std::uint64_t> state_hash;  ///< of the first variant
};

// With every wiring the same orders lead to the same state.
Sample sample_of(Study& study, const PipelineConfig& config) {
    const PipelineResult result = run_pipeline(study.workload, config);
    if (!study.state_hash) study.state_hash = result.state_hash;
    DAMRAK_ASSERT(result.state_hash == *study.state_hash && result.refused == 0);
    return {.operations = static_cast<std::int64_t>(result.orders),
            .elapsed_ns = result.elapsed_ns,
            .latency_ns = result.latency_ns};
}

std::vector<Variant> variants(const std::shared_ptr<Study>& study) {
    const std::vector<unsigned> cores = allowed_cores();
    const std::filesystem::path journal =
        std::filesystem::temp_directory_path() / fmt::format("damrak-lab-pipeline-{}", getpid());
    std::vector<Variant> all;
    const auto add = [&](std::string name, std::string what, Wiring wiring, bool kept) {
        PipelineConfig config{.wiring = wiring, .cores = cores, .journal = {}};
        if (cores.size() < 2) config.cores.clear();
        if (kept) config.journal = journal;
        all.push_back({std::move(name), std::move(what),
                       [study, config] { return sample_of(*study, config); }});
    };
    const bool many_cores = cores.size() > 1;  // spinning threads need a core each
    add("inline", "one thread does everything, 8 orders per turn", Wiring::in_line, false);
    if (many_cores)
        add("threaded", "two engines and both ends on as many threads as there are cores, up to 4",
            Wiring::threaded, false);
    add("inline_journal", "inline, each order in the journal before it is matched", Wiring::in_line,
        true);
    if (many_cores)
        add("threaded_journal", "threaded, each order in the journal before it is matched",
            Wiring::threaded, true);
    return all;
}

std::vector<Trial> trials(const Effort& effort) {
    const auto orders = static_cast<std::uint32_t>(effort.scaled(2'000'000, 20'000));
    auto study = std::make_shared<Study>(Study{
        .workload = make_workload({.orders = orders, .seed = effort.seed}), .state_hash = {}});
    constexpr double k_orders_per_s = 4.31e6;
    return {{.name = "wirings",
             .title = fmt::format("{} orders over 50 symbols: 40% rest, 30% cross, 20% to the "
                                  "market, 10% cancels",
                                  grouped(orders)),
             .operation = "order",
             .variants = variants(study),
             .published = {{"threaded", Measure::time_ns, 1e9 / k_orders_per_s, k_source},
                           {"threaded", Measure::latency_ns_p50, 321, k_source},
                           {"threaded", Measure::latency_ns_p99, 538, k_source},
                           {"threaded", Measure::latency_ns_p99_9, 643, k_source}},
             .countable = false,
             .clock = Clock::wall}};
}

}  // namespace

Experiment experiment() {
    return {.name = "pipeline",
            .title = "The exchange in one process: gateway, ring, matching, ring, publisher",
            .question =
                "What are the throughput and the latency of the whole path "
                "on one thread and on several, and what does writing each order to the journal "
                "cost?",
            .trials = trials};
}

}  // namespace damrak::lab::pipeline
