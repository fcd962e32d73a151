#include <damrak/lab/factors/book_factor.hpp>

#include <algorithm>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/number_text.hpp>

namespace damrak::lab {

namespace {

constexpr std::int64_t k_least_messages = 2'000;
constexpr std::int64_t k_least_live = 1'000;
constexpr std::int64_t k_few_live = 12'000;

// Shared by all variants of a trial.
struct Workload {
    Flow flow;
    std::optional<Tape> expected;  ///< tape of the first variant
};

Sample checked(Workload& workload, const BookVariant& variant) {
    Tape tape;
    Sample sample = variant.replay(workload.flow, tape);
    if (!workload.expected) workload.expected = tape;
    DAMRAK_ASSERT(tape == *workload.expected);
    return sample;
}

Trial trial_of(const BookTrial& from, const Effort& effort) {
    auto workload = std::make_shared<Workload>();
    // Small sizes, which fit into a cache, stay; large ones shrink with the effort.
    const std::int64_t few = effort.size == Effort::Size::counting ? k_least_live : k_few_live;
    const std::int64_t live_orders =
        std::max(std::min(from.live_orders, few), effort.scaled(from.live_orders));
    workload->flow =
        neutral_flow(effort.scaled(from.messages, k_least_messages), live_orders, effort.seed);
    Trial trial{
        .name = from.name,
        .title = fmt::format("{}; {} orders rest in the book", from.title, grouped(live_orders)),
        .operation = "message",
        .variants = {}};
    for (const BookVariant& variant : from.variants)
        trial.variants.push_back({variant.name, variant.what,
                                  [workload, variant] { return checked(*workload, variant); }});
    return trial;
}

}  // namespace

Experiment experiment_of(BookFactor (*make)()) {
    const BookFactor factor = make();
    return {.name = factor.name,
            .title = factor.title,
            .question = factor.question,
            .is_factor = true,
            .trials = [trials = factor.trials](const Effort& effort) {
                std::vector<Trial> made;
                made.reserve(trials.size());
                for (const BookTrial& trial : trials) made.push_back(trial_of(trial, effort));
                return made;
            }};
}

}  // namespace damrak::lab
