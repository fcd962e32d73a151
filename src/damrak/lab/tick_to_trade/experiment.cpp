#include <damrak/lab/tick_to_trade/experiment.hpp>

#include <array>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/lab/tick_to_trade/path.hpp>

namespace damrak::lab {

namespace {

using namespace tick_to_trade;
using Feed = std::vector<Tick>;
using FeedRef = std::shared_ptr<const Feed>;

const CycleClock& run_clock() {
    static const CycleClock clock = CycleClock::calibrated();
    return clock;
}

template <class AnyPath>
Sample run(const Feed& feed) {
    const CycleClock& clock = run_clock();
    AnyPath path{feed.size()};
    Histogram ticks_ns;
    Sample sample = measured(static_cast<std::int64_t>(feed.size()), Clock::cpu, [&] {
        std::uint64_t from = clock.now_ticks();
        for (const Tick& tick : feed) {
            path.on_tick(tick);
            const std::uint64_t to = clock.now_ticks();
            ticks_ns.record(clock.to_ns(to - from));
            from = to;
        }
    });
    keep(path.log().size());
    sample.latency_ns = ticks_ns;
    return sample;
}

using Baseline = Path<RawOwner<PackedOrder>, MapSide>;

template <class AnyPath>
Variant variant(const char* name, const char* what, const FeedRef& feed) {
    return {name, what, [feed] { return run<AnyPath>(*feed); }};
}

constexpr const char* k_source = "the public tick-to-trade study";

struct Factor {
    const char* name;
    const char* title;
    std::vector<Variant> (*variants)(const FeedRef&);
    /// At 100,000 ticks.
    std::vector<Published> published;
};

std::vector<Variant> pointer_variants(const FeedRef& feed) {
    return {variant<Baseline>("raw", "a plain pointer from new, deleted by hand", feed),
            variant<Path<UniqueOwner<PackedOrder>, MapSide>>("unique_ptr", "one owner, no counter",
                                                             feed),
            variant<Path<SharedOwner<PackedOrder>, MapSide>>("shared_ptr", "a counter beside it",
                                                             feed)};
}
std::vector<Variant> alignment_variants(const FeedRef& feed) {
    return {variant<Baseline>("packed", "orders of 24 bytes as they come", feed),
            variant<Path<RawOwner<AlignedOrder>, MapSide>>(
                "alignas_64", "each order on a cache line of its own", feed)};
}
std::vector<Variant> memory_variants(const FeedRef& feed) {
    return {variant<Baseline>("new_delete", "each order from the heap", feed),
            variant<Path<PoolOwner<PackedOrder>, MapSide>>("pool", "from blocks of 4,096", feed)};
}
std::vector<Variant> container_variants(const FeedRef& feed) {
    return {variant<Baseline>("map", "a std::map of prices to queues", feed),
            variant<Path<RawOwner<PackedOrder>, FlatSide>>(
                "flat_vector", "all orders of a side in a sorted vector", feed)};
}

std::vector<Factor> factors() {
    const auto time = [](const char* variant, double ns) {
        return Published{variant, Measure::time_ns, ns, k_source};
    };
    const auto p99 = [](const char* variant, double ns) {
        return Published{variant, Measure::latency_ns_p99, ns, k_source};
    };
    return {
        {"pointers",
         "Smart or raw pointers",
         pointer_variants,
         {time("raw", 691), time("shared_ptr", 743)}},
        {"alignment",
         "alignas(64) or not",
         alignment_variants,
         {p99("packed", 6'400), p99("alignas_64", 4'600)}},
        {"memory",
         "A pool, or new and delete",
         memory_variants,
         {time("new_delete", 2'015), time("pool", 883)}},
        {"container",
         "A flat vector or a map",
         container_variants,
         {time("map", 1'392), time("flat_vector", 21'252)}},
    };
}

std::vector<Trial> trials(const Effort& effort) {
    constexpr std::array<std::uint32_t, 3> k_sizes{1'000, 10'000, 100'000};
    std::vector<Trial> all;
    for (const std::uint32_t size : k_sizes) {
        const auto ticks = static_cast<std::uint32_t>(effort.scaled(size, 500));
        const auto feed = std::make_shared<const Feed>(make_feed(ticks, effort.seed));
        for (Factor& factor : factors()) {
            Trial trial{.name = fmt::format("{}_{}", factor.name, size),
                        .title = fmt::format("{}, {}", factor.title, counted(ticks, "tick")),
                        .operation = "tick",
                        .variants = factor.variants(feed),
                        .size = ticks,
                        .series = fmt::format("{}: a tick, against their number", factor.title)};
            if (size == k_sizes.back()) trial.published = factor.published;
            all.push_back(std::move(trial));
        }
    }
    return all;
}

}  // namespace

Experiment tick_to_trade_experiment() {
    return {.name = "tick-to-trade",
            .title = "Tick to trade: four classic choices, one at a time",
            .question =
                "What do smart pointers, alignment to cache lines, a pool and a flat vector "
                "change for a tick, and for how many ticks does that hold?",
            .trials = trials};
}

TickLatencies tick_latencies(std::uint32_t ticks, std::uint64_t seed) {
    const CycleClock& clock = run_clock();
    const Feed feed = make_feed(ticks, seed);
    Baseline path{feed.size()};
    TickLatencies latencies;
    for (const Tick& tick : feed) {
        const std::uint64_t from = clock.now_ticks();
        path.on_tick(tick,
                     [&] { latencies.trades_ns.record(clock.to_ns(clock.now_ticks() - from)); });
        latencies.ticks_ns.record(clock.to_ns(clock.now_ticks() - from));
    }
    return latencies;
}

}  // namespace damrak::lab
