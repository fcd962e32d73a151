#include <damrak/lab/statistics.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>

namespace damrak::lab {

namespace {

constexpr double k_negligible = 0.01;
constexpr double k_strict_doubt = 0.001;

// Reorders `values`.
double median_in_place(std::vector<double>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    if (values.size() % 2 != 0) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

// The middle `share` of ascending values.
Interval middle_of(const std::vector<double>& sorted, double share) {
    const double cut = (1 - share) / 2;
    const auto last = static_cast<double>(sorted.size() - 1);
    return {sorted[static_cast<std::size_t>(std::floor(cut * last))],
            sorted[static_cast<std::size_t>(std::ceil((1 - cut) * last))]};
}

// `statistic(indices)` of resampled rounds, ascending.
template <class Statistic>
std::vector<double> drawn(std::size_t rounds, std::uint64_t seed, std::size_t drawings,
                          Statistic statistic) {
    RandomStream random{seed};
    std::vector<std::uint32_t> indices(rounds);
    std::vector<double> results(drawings);
    for (double& result : results) {
        for (std::uint32_t& index : indices)
            index = random.below(static_cast<std::uint32_t>(rounds));
        result = statistic(indices);
    }
    std::ranges::sort(results);
    return results;
}

double median_of_drawn(std::span<const double> values, const std::vector<std::uint32_t>& indices,
                       std::vector<double>& space) {
    space.clear();
    for (const std::uint32_t index : indices) space.push_back(values[index]);
    return median_in_place(space);
}

// How many of the lowest and of the highest of `count` values can be dropped, so that the rest
// contains the true median with 99.9 % confidence: the inverse of the sign test. Below one value:
// none.
std::size_t left_out(std::size_t count) {
    double ways = std::pow(0.5, static_cast<double>(count));
    double below = 0;
    for (std::size_t out = 0;; ++out) {
        below += ways;
        if (2 * below > k_strict_doubt) return out;
        ways *= static_cast<double>(count - out) / static_cast<double>(out + 1);
    }
}

// Exact for the median of the ratios of single rounds. Too few rounds give no interval.
Interval exact_interval(std::span<const double> baseline, std::span<const double> variant) {
    std::vector<double> ratios(baseline.size());
    std::ranges::transform(variant, baseline, ratios.begin(), std::divides{});
    std::ranges::sort(ratios);
    const std::size_t out = left_out(ratios.size());
    if (out == 0) return {std::min(ratios.front(), 1.0), std::max(ratios.back(), 1.0)};
    return {ratios[out - 1], ratios[ratios.size() - out]};
}

Verdict verdict_of(double ratio, Interval strict) {
    if (strict.contains(1)) return Verdict::unknown;
    if (std::abs(ratio - 1) < k_negligible) return Verdict::negligible;
    return ratio < 1 ? Verdict::faster : Verdict::slower;
}

// Uses as few digits as necessary; never "-0".
std::string number(double percent) {
    const double magnitude = std::abs(percent);
    std::string digits = fmt::format("{:.{}f}", magnitude, magnitude < 10 ? 1 : 0);
    if (digits.ends_with(".0")) digits.resize(digits.size() - 2);
    const bool is_zero = digits == "0";
    return (percent < 0 && !is_zero ? "−" : "") + digits;
}

}  // namespace

double median(std::span<const double> values) {
    DAMRAK_ASSERT(!values.empty());
    std::vector<double> copy(values.begin(), values.end());
    return median_in_place(copy);
}

Interval median_interval(std::span<const double> values, std::uint64_t seed, std::size_t drawings) {
    std::vector<double> space;
    return middle_of(
        drawn(values.size(), seed, drawings,
              [&](const auto& indices) { return median_of_drawn(values, indices, space); }),
        0.95);
}

Comparison compare(std::span<const double> baseline, std::span<const double> variant,
                   std::uint64_t seed, std::size_t drawings) {
    DAMRAK_ASSERT(baseline.size() == variant.size());
    std::vector<double> space;
    const std::vector<double> ratios =
        drawn(baseline.size(), seed, drawings, [&](const auto& indices) {
            return median_of_drawn(variant, indices, space) /
                   median_of_drawn(baseline, indices, space);
        });
    const Interval interval = middle_of(ratios, 0.95);
    const Interval exact = exact_interval(baseline, variant);
    Comparison comparison{
        .ratio = median(variant) / median(baseline),
        .interval = interval,
        .strict = {std::min(interval.low, exact.low), std::max(interval.high, exact.high)}};
    comparison.verdict = verdict_of(comparison.ratio, comparison.strict);
    return comparison;
}

std::string_view name(Verdict verdict) {
    static constexpr std::array<std::string_view, 4> k_names{"faster", "slower", "negligible",
                                                             "unknown"};
    return k_names.at(std::to_underlying(verdict));
}

std::string statement(const Comparison& comparison) {
    const auto change = [](double ratio) { return 100 * (ratio - 1); };
    const Interval& interval = comparison.interval;
    const Interval& strict = comparison.strict;
    switch (comparison.verdict) {
        case Verdict::faster:
            return fmt::format("faster by {}% (95% interval {} to {})",
                               number(-change(comparison.ratio)), number(-change(interval.high)),
                               number(-change(interval.low)));
        case Verdict::slower:
            return fmt::format("slower by {}% (95% interval {} to {})",
                               number(change(comparison.ratio)), number(change(interval.low)),
                               number(change(interval.high)));
        case Verdict::negligible:
            return fmt::format("no difference of one per cent ({}% to {}%)",
                               number(change(strict.low)), number(change(strict.high)));
        case Verdict::unknown:
            break;
    }
    return fmt::format("no significant difference ({}% to {}%)", number(change(strict.low)),
                       number(change(strict.high)));
}

}  // namespace damrak::lab
