#include <damrak/lab/runner.hpp>

#include <algorithm>
#include <numeric>
#include <ranges>
#include <string_view>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/lab/measured.hpp>

namespace damrak::lab {

namespace {

constexpr std::array<double, k_measures> k_percents{0, 50, 99, 99.9};

std::uint64_t seed_of(std::uint64_t seed, std::string_view text) {
    for (const char letter : text) seed = mix_bits(seed ^ static_cast<unsigned char>(letter));
    return seed;
}

void shuffle(std::vector<std::size_t>& order, RandomStream& random) {
    for (std::size_t left = order.size(); left > 1; --left)
        std::swap(order[left - 1], order[random.below(static_cast<std::uint32_t>(left))]);
}

// Busy-waits for `percent` of the repetition's time, and adds that to its time.
void slow_down(Sample& sample, double percent, Clock clock) {
    const std::int64_t begin_ns = now_ns(clock);
    const auto wanted_ns =
        static_cast<std::int64_t>(static_cast<double>(sample.elapsed_ns) * percent / 100);
    std::int64_t spent_ns = 0;
    while (spent_ns < wanted_ns) spent_ns = now_ns(clock) - begin_ns;
    sample.elapsed_ns += spent_ns;
}

std::array<double, k_measures> measures_of(const Sample& sample) {
    std::array<double, k_measures> values{};
    values[0] = static_cast<double>(sample.elapsed_ns) / static_cast<double>(sample.operations);
    if (sample.latency_ns)
        for (std::size_t i = 1; i < k_measures; ++i)
            values.at(i) = static_cast<double>(sample.latency_ns->percentile(k_percents.at(i)));
    return values;
}

void keep_sample(VariantResult& result, const Sample& sample, bool is_warm_up) {
    const auto values = measures_of(sample);
    const std::size_t used = sample.latency_ns ? k_measures : 1;
    if (sample.instructions)
        result.instructions =
            static_cast<double>(*sample.instructions) / static_cast<double>(sample.operations);
    if (is_warm_up) {
        result.warm_up = values;
        return;
    }
    for (std::size_t i = 0; i < used; ++i) result.rounds.at(i).push_back(values.at(i));
    if (sample.latency_ns) result.latency_ns.merge(*sample.latency_ns);
}

void compare_with(const VariantResult& baseline, VariantResult& variant, std::uint64_t seed) {
    for (std::size_t i = 0; i < k_measures; ++i) {
        const auto& before = baseline.rounds.at(i);
        const auto& after = variant.rounds.at(i);
        const auto is_zero = [](double value) { return value <= 0; };
        if (before.empty() || before.size() != after.size() ||
            std::ranges::any_of(before, is_zero) || std::ranges::any_of(after, is_zero))
            continue;
        variant.against_baseline.at(i) = compare(before, after, seed_of(seed, variant.name) + i);
    }
}

// The variants, and the baseline again as the control.
struct Row {
    std::vector<std::function<Sample()>> run;
    std::vector<VariantResult*> results;
};

Row row_of(TrialResult& result, const RunSettings& settings) {
    Row row;
    for (const Variant& variant : result.trial.variants)
        result.variants.push_back({.name = variant.name, .what = variant.what});
    result.control = {.name = k_control_name, .what = "the baseline again"};
    for (std::size_t i = 0; i < result.variants.size(); ++i) {
        row.run.push_back(std::exchange(result.trial.variants[i].run, nullptr));
        row.results.push_back(&result.variants[i]);
    }
    row.run.push_back(row.run.front());
    row.results.push_back(&result.control);
    for (VariantResult* const one : row.results)
        if (const auto slowed = settings.slowed.find(one->name); slowed != settings.slowed.end())
            one->slowed_percent = slowed->second;
    return row;
}

}  // namespace

RunSettings settings_for(Effort effort) {
    if (effort.size == Effort::Size::full)
        return {.effort = effort, .trial_ns = 5 * k_second_ns, .slowed = {}};
    return {.effort = effort, .rounds_max = 21, .trial_ns = k_second_ns / 4, .slowed = {}};
}

const VariantResult* TrialResult::find(const std::string& variant) const {
    const auto found = std::ranges::find(variants, variant, &VariantResult::name);
    return found == variants.end() ? nullptr : &*found;
}

bool TrialResult::control_holds() const {
    return std::ranges::none_of(control.against_baseline, [](const auto& comparison) {
        return comparison &&
               (comparison->verdict == Verdict::faster || comparison->verdict == Verdict::slower);
    });
}

TrialResult run_trial(Trial trial, const RunSettings& settings, const OnRound& on_round) {
    DAMRAK_ASSERT(!trial.variants.empty());
    TrialResult result{.trial = std::move(trial), .variants = {}, .control = {}};
    const Row row = row_of(result, settings);
    const std::uint64_t seed = seed_of(settings.effort.seed, result.trial.name);
    RandomStream random{seed};
    std::vector<std::size_t> order(row.run.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::int64_t begin_ns = now_ns(Clock::wall);
    for (int round = 0; round <= settings.rounds_max; ++round) {
        const std::int64_t spent_ns = now_ns(Clock::wall) - begin_ns;
        if (round > settings.rounds_min && spent_ns > settings.trial_ns) break;
        shuffle(order, random);
        for (const std::size_t i : order) {
            Sample sample = row.run[i]();
            if (row.results[i]->slowed_percent > 0)
                slow_down(sample, row.results[i]->slowed_percent, result.trial.clock);
            result.operations = sample.operations;
            keep_sample(*row.results[i], sample, round == 0);
        }
        result.rounds = round;
        on_round(std::max(static_cast<double>(round) / settings.rounds_max,
                          std::min(1.0, static_cast<double>(spent_ns) /
                                            static_cast<double>(settings.trial_ns + 1))));
    }
    for (VariantResult* const one : row.results | std::views::drop(1))
        compare_with(result.variants.front(), *one, seed);
    return result;
}

}  // namespace damrak::lab
