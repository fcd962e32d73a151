#include <damrak/lab/ladder/experiment.hpp>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include <fmt/format.h>
#include <x86intrin.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/number_text.hpp>
#include <damrak/lab/ladder/rungs.hpp>
#include <damrak/lab/ladder/scenes.hpp>
#include <damrak/lab/measured.hpp>
#include <damrak/lab/pipeline/pipeline.hpp>

namespace damrak::lab {

namespace {

using ladder::Scene;
using SceneRef = std::shared_ptr<const Scene>;

struct Counting {
    std::uint64_t trades = 0;
    std::uint64_t refusals = 0;
    template <class Price>
    void trade(const ladder::Trade<Price>& /*trade*/) {
        ++trades;
    }
    void refused(std::string_view /*reason*/) { ++refusals; }
};

template <std::size_t k_rung>
Sample play(const Scene& scene) {
    ladder::Rung<k_rung> rung{scene.setup};
    Counting sink;
    for (const ladder::Request& request : scene.before) rung.apply(request, sink);
    Sample sample = measured(static_cast<std::int64_t>(scene.timed.size()), Clock::cpu, [&] {
        for (const ladder::Request& request : scene.timed) rung.apply(request, sink);
    });
    keep(sink.trades);
    keep(sink.refusals);
    return sample;
}

/// Counts processor ticks around a few instructions, separated by fences.
class TickPair {
  public:
    static std::uint64_t begin() {
        _mm_lfence();
        const std::uint64_t now = __rdtsc();
        _mm_lfence();
        return now;
    }
    static std::uint64_t end() {
        unsigned core = 0;
        const std::uint64_t now = __rdtscp(&core);
        _mm_lfence();
        return now;
    }
    /// The ticks of an empty measurement.
    static std::uint64_t overhead() {
        std::uint64_t least = UINT64_MAX;
        for (int i = 0; i < 1'000; ++i) {
            const std::uint64_t from = begin();
            least = std::min(least, end() - from);
        }
        return least;
    }
};

// Every second request is timed individually.
template <std::size_t k_rung>
Sample play_singly(const Scene& scene) {
    static const CycleClock clock = CycleClock::calibrated();
    static const std::uint64_t overhead = TickPair::overhead();
    ladder::Rung<k_rung> rung{scene.setup};
    Counting sink;
    for (const ladder::Request& request : scene.before) rung.apply(request, sink);
    Sample sample{.latency_ns = Histogram{}};
    std::uint64_t all_ticks = 0;
    for (std::size_t i = 0; i + 1 < scene.timed.size(); i += 2) {
        const std::uint64_t from = TickPair::begin();
        rung.apply(scene.timed[i], sink);
        const std::uint64_t to = TickPair::end();
        const std::uint64_t ticks = to - from - std::min(to - from, overhead);
        all_ticks += ticks;
        sample.latency_ns->record(clock.to_ns(ticks));
        rung.apply(scene.timed[i + 1], sink);
    }
    sample.operations = static_cast<std::int64_t>(scene.timed.size() / 2);
    sample.elapsed_ns = static_cast<std::int64_t>(clock.to_ns(all_ticks));
    keep(sink.refusals);
    return sample;
}

// A pinned rung gets a core of its own, if there is one.
template <std::size_t k_rung, class Work>
Sample on_its_thread(Work work) {
    if constexpr (!ladder::k_rung_infos[k_rung].pinned) return work();
    Sample sample;
    const std::vector<unsigned> cores = allowed_cores();
    std::jthread{[&] {
        if (pin_this_thread(cores.back())) sample = work();
    }}.join();
    return sample;
}

/// `work.template operator()<k>(scene)` runs one repetition of rung k.
template <class Input, class Work>
std::vector<Variant> variants(const std::shared_ptr<const Input>& input, Work work) {
    std::vector<Variant> all;
    ladder::for_each_rung([&]<std::size_t k_rung> {
        constexpr ladder::RungInfo k_info = ladder::k_rung_infos[k_rung];
        all.push_back({std::string{k_info.name}, std::string{k_info.step}, [=] {
                           return on_its_thread<k_rung>(
                               [&] { return work.template operator()<k_rung>(*input); });
                       }});
    });
    return all;
}

constexpr const char* k_source = "the public ladder, at its author's";

/// Published figures of the steps, from the baseline (our rung 0) to the last (our rung 6); zero:
/// not published.
using PublishedSteps = std::array<double, 7>;

std::vector<Published> published(const PublishedSteps& steps) {
    std::vector<Published> all;
    for (std::size_t i = 0; i < steps.size(); ++i)
        if (steps.at(i) > 0)
            all.push_back({std::string{ladder::k_rung_infos[i].name}, Measure::time_ns, steps.at(i),
                           k_source});
    return all;
}

// The published study inserts at random prices only in its last step; earlier steps insert at
// consecutive prices, which is not comparable. Its cancels are among as many prices as orders.
constexpr PublishedSteps k_insert_one_price{397, 0, 82.2, 70.7, 126, 29.8, 24.2};
constexpr PublishedSteps k_insert_random{0, 0, 0, 0, 0, 0, 90.8};
constexpr PublishedSteps k_match_single{360, 0, 314, 149, 109, 28.0, 24.1};
constexpr PublishedSteps k_match_100_over_1{12'336, 0, 12'122, 7'235, 2'628, 1'066, 1'138};
constexpr PublishedSteps k_match_100_over_10{13'363, 0, 11'999, 7'331, 2'696, 1'070, 1'158};
constexpr PublishedSteps k_match_100_over_100{19'911, 0, 12'356, 7'583, 2'945, 1'355, 1'400};
constexpr PublishedSteps k_cancel_1{542, 0, 856, 370, 207, 197, 196};
constexpr PublishedSteps k_cancel_1000{669, 0, 839, 369, 209, 196, 198};
constexpr PublishedSteps k_cancel_1000000{1'501, 0, 833, 374, 268, 256, 263};
constexpr PublishedSteps k_end_to_end{1'108, 1'062, 813, 621, 446, 405, 334};

Trial trial(const char* name, std::string title, Scene scene, std::vector<Published> figures = {}) {
    return {
        .name = name,
        .title = std::move(title),
        .operation = "request",
        .variants = variants(std::make_shared<const Scene>(std::move(scene)),
                             []<std::size_t k_rung>(const Scene& s) { return play<k_rung>(s); }),
        .published = std::move(figures)};
}

Trial match_trial(const Effort& effort, std::uint32_t levels, std::vector<Published> figures = {}) {
    const auto orders = static_cast<std::uint32_t>(effort.scaled(400, 20));
    Trial made =
        trial("", fmt::format("An order takes 100 resting orders at {}", counted(levels, "price")),
              ladder::match_hundred(orders, levels), std::move(figures));
    made.name = fmt::format("match_100_over_{}", levels);
    made.size = levels;
    made.series = "an order that takes 100, against their prices";
    return made;
}

Trial cancel_trial(const Effort& effort, std::uint32_t resting,
                   std::vector<Published> figures = {}) {
    constexpr std::uint32_t k_many = 1'000'000;
    const auto among =
        resting < k_many ? resting : static_cast<std::uint32_t>(effort.scaled(resting, 10'000));
    const auto cancels = static_cast<std::uint32_t>(effort.scaled(100'000, 2'000));
    auto scene = std::make_shared<const Scene>(ladder::cancel_among(among, cancels, effort.seed));
    return {.name = fmt::format("cancel_among_{}", resting),
            .title = fmt::format("One order of {} in the book is cancelled", grouped(among)),
            .operation = "cancel",
            .variants = variants(
                scene, []<std::size_t k_rung>(const Scene& s) { return play_singly<k_rung>(s); }),
            .published = std::move(figures),
            .size = among,
            .series = "a cancel, against the orders in the book",
            .countable = false};
}

Trial end_to_end_trial(const Effort& effort) {
    const auto orders = static_cast<std::uint32_t>(effort.scaled(1'000'000, 20'000));
    auto workload = std::make_shared<const pipeline::Workload>(
        pipeline::make_workload({.orders = orders, .seed = effort.seed}));
    auto figures = published(k_end_to_end);
    return {.name = "end_to_end",
            .title = "Gateway, ring, matching, ring, publisher on one thread, an order at a time",
            .operation = "order",
            .variants =
                variants(workload,
                         []<std::size_t k_rung>(const pipeline::Workload& work) {
                             auto result = pipeline::run_rung_pipeline(k_rung, work, {.turn = 1});
                             return Sample{.operations = static_cast<std::int64_t>(result.orders),
                                           .elapsed_ns = result.elapsed_ns,
                                           .latency_ns = result.latency_ns};
                         }),
            .published = std::move(figures),
            .countable = false,
            .clock = Clock::wall};
}

std::vector<Trial> trials(const Effort& effort) {
    const auto orders = static_cast<std::uint32_t>(effort.scaled(200'000, 2'000));
    const auto messages = static_cast<std::uint64_t>(effort.scaled(1'000'000, 5'000));
    std::vector<Trial> all;
    all.push_back(trial("insert_one_price", "An order is added, always at the same price",
                        ladder::insert_at_one_price(orders), published(k_insert_one_price)));
    all.push_back(trial("insert_random", "An order is added at one of 1,000 prices",
                        ladder::insert_at_random_prices(orders, effort.seed),
                        published(k_insert_random)));
    all.push_back(trial("match_single", "An order takes the front order of the queue",
                        ladder::match_single(orders), published(k_match_single)));
    all.push_back(match_trial(effort, 1, published(k_match_100_over_1)));
    all.push_back(match_trial(effort, 10, published(k_match_100_over_10)));
    all.push_back(match_trial(effort, 100, published(k_match_100_over_100)));
    all.push_back(cancel_trial(effort, 1, published(k_cancel_1)));
    all.push_back(cancel_trial(effort, 1'000, published(k_cancel_1000)));
    all.push_back(cancel_trial(effort, 1'000'000, published(k_cancel_1000000)));
    all.push_back(trial("nw1", "The neutral flow NW-1: 8 symbols, 12,000 live orders",
                        ladder::neutral_flow(messages, effort.seed)));
    all.push_back(end_to_end_trial(effort));
    return all;
}

}  // namespace

Experiment ladder_experiment() {
    return {.name = "ladder",
            .title = "The ladder: from the naive book to the product's engine step by step",
            .question =
                "What does each commonly recommended step gain by itself, and where "
                "do the product's book and engine stand among them?",
            .trials = trials};
}

}  // namespace damrak::lab
