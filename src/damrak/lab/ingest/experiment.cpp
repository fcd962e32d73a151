#include <damrak/lab/ingest/experiment.hpp>

#include <string>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/lab/ingest/study.hpp>
#include <damrak/net/network_namespace.hpp>

namespace damrak::lab::ingest {

namespace {

constexpr double k_seconds = 0.4;
constexpr double k_quick_seconds = 0.1;
constexpr std::uint32_t k_round_trips = 2'000;

Sample sample_of(Run&& run, bool round_trip) {
    return {
        .operations = static_cast<std::int64_t>(run.received),
        .elapsed_ns = run.elapsed_ns,
        .latency_ns = round_trip ? std::move(run.round_trip_ns) : std::move(run.trade_latency_ns)};
}

std::vector<Trial> trials(const Effort& effort) {
    if (!net::VethPair::make()) return {};
    const bool full = effort.size == Effort::Size::full;
    const Options options{.seconds = full ? k_seconds : k_quick_seconds,
                          .round_trips = k_round_trips,
                          .seed = effort.seed};
    Trial trial{.name = "steps",
                .title =
                    "orders by UDP over virtual cards, as many as are sent; latency of a "
                    "round trip without load",
                .operation = "order",
                .variants = {},
                .countable = false,
                .clock = Clock::wall};
    for (const Step& step : steps())
        trial.variants.push_back({std::string{step.name}, std::string{step.what}, [&step, options] {
                                      auto run = run_step(step, options);
                                      DAMRAK_ASSERT(run);
                                      return sample_of(std::move(*run), true);
                                  }});
    return {std::move(trial)};
}

}  // namespace

Experiment experiment() {
    return {.name = "ingest",
            .title = "Orders in datagrams, from the card to the trade (needs root)",
            .question =
                "What does AF_XDP gain over a socket, and what do rings, waiting, the book "
                "and a core of its own gain beyond it?",
            .trials = trials};
}

}  // namespace damrak::lab::ingest
