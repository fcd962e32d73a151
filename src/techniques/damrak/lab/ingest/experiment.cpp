#include <damrak/lab/ingest/experiment.hpp>

#include <string>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/lab/ingest/study.hpp>
#include <damrak/net/network_namespace.hpp>

namespace damrak::lab::ingest {

namespace {

constexpr double k_seconds = 0.4;
constexpr double k_quick_seconds = 0.05;
constexpr std::uint32_t k_round_trips = 500;

Sample sample_of(const Run& run) {
    return {.operations = static_cast<std::int64_t>(run.in_slices),
            .elapsed_ns = run.elapsed_ns,
            .latency_ns = run.round_trip_ns};
}

std::vector<Trial> trials(const Effort& effort) {
    if (!net::VethPair::make()) return {};
    const bool full = effort.size == Effort::Size::full;
    const Options options{.seconds = full ? k_seconds : k_quick_seconds,
                          .round_trips = k_round_trips,
                          .seed = effort.seed};
    Trial trial{.name = "steps",
                .title =
                    "orders by UDP over virtual cards, as fast as they are sent; latency of a "
                    "round trip without load",
                .operation = "order",
                .variants = {},
                .countable = false,
                .clock = Clock::wall};
    for (std::size_t i = 0; i < steps().size(); ++i) {
        // Setting up the cards takes longer than a quick step: runs the first, second and last
        // only.
        if (!full && i > 1 && i + 1 < steps().size()) continue;
        const Step& step = steps()[i];
        trial.variants.push_back({std::string{step.name}, std::string{step.what}, [&step, options] {
                                      auto run = run_step(step, options);
                                      DAMRAK_ASSERT(run);
                                      return sample_of(*run);
                                  }});
    }
    return {std::move(trial)};
}

}  // namespace

Experiment experiment() {
    return {.name = "ingest",
            .title = "UDP orders, from the network card to the trade (needs root)",
            .question =
                "What does AF_XDP gain over a socket, and what do rings, waiting, the book "
                "and a dedicated core gain beyond it?",
            .trials = trials};
}

}  // namespace damrak::lab::ingest
