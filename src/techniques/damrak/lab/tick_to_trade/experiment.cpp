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

// What is timed: each tick until it rests or has traded, or from a tick to each of its trades.
enum class Timed : std::uint8_t { ticks, trades };

template <class AnyPath>
Sample run_trades(const Feed& feed) {
    const CycleClock& clock = run_clock();
    AnyPath path{feed.size()};
    Histogram trades_ns;
    std::uint64_t all_ticks = 0;
    for (const Tick& tick : feed) {
        const std::uint64_t from = clock.now_ticks();
        path.on_tick(tick, [&] {
            const std::uint64_t passed = clock.now_ticks() - from;
            all_ticks += passed;
            trades_ns.record(clock.to_ns(passed));
        });
    }
    keep(path.log().size());
    return {.operations = static_cast<std::int64_t>(trades_ns.count()),
            .elapsed_ns = static_cast<std::int64_t>(clock.to_ns(all_ticks)),
            .latency_ns = trades_ns};
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

/// Shared by the variants of a trial.
struct Work {
    FeedRef feed;
    Timed timed = Timed::ticks;
};

template <class AnyPath>
Variant variant(const char* name, const char* what, const Work& work) {
    return {name, what, [work] {
                return work.timed == Timed::ticks ? run<AnyPath>(*work.feed)
                                                  : run_trades<AnyPath>(*work.feed);
            }};
}

constexpr const char* k_source = "the public tick-to-trade study";

struct Factor {
    const char* name;
    const char* title;
    std::vector<Variant> (*variants)(const Work&);
    /// At 100,000 ticks. They are mean latencies from tick to trade; the report shows both of our
    /// figures beside them.
    std::vector<Published> published;
};

std::vector<Variant> pointer_variants(const Work& work) {
    return {variant<Baseline>("raw", "a plain pointer from new, deleted explicitly", work),
            variant<Path<UniqueOwner<PackedOrder>, MapSide>>("unique_ptr", "one owner, no counter",
                                                             work),
            variant<Path<SharedOwner<PackedOrder>, MapSide>>("shared_ptr", "a counter beside it",
                                                             work)};
}
std::vector<Variant> alignment_variants(const Work& work) {
    return {variant<Baseline>("packed", "packed orders of 24 bytes", work),
            variant<Path<RawOwner<AlignedOrder>, MapSide>>(
                "alignas_64", "each order on its own cache line", work)};
}
std::vector<Variant> memory_variants(const Work& work) {
    return {variant<Baseline>("new_delete", "each order from the heap", work),
            variant<Path<PoolOwner<PackedOrder>, MapSide>>("pool", "from blocks of 4,096", work)};
}
std::vector<Variant> container_variants(const Work& work) {
    return {variant<Baseline>("map", "a std::map of prices to queues", work),
            variant<Path<RawOwner<PackedOrder>, FlatSide>>(
                "flat_vector", "all orders of a side in a sorted vector", work)};
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
         {time("raw", 691), time("unique_ptr", 743)}},
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

Trial trial(const Factor& factor, const Work& work, std::uint32_t size) {
    const bool by_trade = work.timed == Timed::trades;
    const char* const operation = by_trade ? "trade" : "tick";
    return {.name = fmt::format("{}_{}{}", factor.name, size, by_trade ? "_trades" : ""),
            .title = fmt::format("{}, {}: {}", factor.title,
                                 counted(static_cast<std::int64_t>(work.feed->size()), "tick"),
                                 by_trade ? "from a tick to each of its trades" : "a tick"),
            .operation = operation,
            .variants = factor.variants(work),
            .size = static_cast<double>(work.feed->size()),
            .series = fmt::format("{}: a {}, against the number of ticks", factor.title, operation),
            .countable = !by_trade};
}

std::vector<Trial> trials(const Effort& effort) {
    constexpr std::array<std::uint32_t, 3> k_sizes{1'000, 10'000, 100'000};
    std::vector<Trial> all;
    for (const std::uint32_t size : k_sizes) {
        const auto ticks = static_cast<std::uint32_t>(effort.scaled(size, 500));
        const auto feed = std::make_shared<const Feed>(make_feed(ticks, effort.seed));
        for (const Factor& factor : factors()) {
            for (const Timed timed : {Timed::ticks, Timed::trades}) {
                Trial one = trial(factor, {feed, timed}, size);
                if (size == k_sizes.back()) one.published = factor.published;
                all.push_back(std::move(one));
            }
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
