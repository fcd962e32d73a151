// Tests whether two series of repetitions really differ. Everything is computed from the
// repetitions, by resampling them (bootstrap; Efron and Tibshirani, "An introduction to the
// bootstrap", 1993, chapter 13): no distribution is assumed. The same seed gives the same answer.
// Called after a trial; some milliseconds per comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace damrak::lab {

inline constexpr std::size_t k_drawings = 4'000;

/// Requires at least one value. For an even number of values, the mean of the middle two.
[[nodiscard]] double median(std::span<const double> values);

/// A confidence interval.
struct Interval {
    double low = 0;
    double high = 0;
    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// The 95 % confidence interval of the population median.
[[nodiscard]] Interval median_interval(std::span<const double> values, std::uint64_t seed,
                                       std::size_t drawings = k_drawings);

/// The result of a comparison of a variant with its baseline.
enum class Verdict : std::uint8_t {
    faster,
    slower,
    negligible,  ///< a difference below one per cent
    unknown      ///< no significant difference
};

/// How a variant compares with the baseline.
struct Comparison {
    double ratio = 1;         ///< median of the variant divided by that of the baseline
    Interval interval{1, 1};  ///< of that ratio, with 95 % confidence
    Interval strict{1, 1};    ///< contains that and an exact one of 99.9 %; decides the verdict
    Verdict verdict = Verdict::unknown;
};

/// Values with the same index were measured in the same round: rounds are resampled as a whole, so
/// that load on the machine in a round affects both. Both need equally many values, all positive.
///
/// A report makes some hundreds of comparisons. At 95 %, one of twenty equal pairs would show a
/// difference, and a bootstrap of few rounds errs more often than its level. So a difference is
/// reported only if the sign test, which assumes nothing, agrees: nearly all rounds must be on one
/// side, all of eleven, 44 of 61.
[[nodiscard]] Comparison compare(std::span<const double> baseline, std::span<const double> variant,
                                 std::uint64_t seed, std::size_t drawings = k_drawings);

[[nodiscard]] std::string_view name(Verdict verdict);

/// As text: "faster by 31% (95% interval 28 to 34)", "no significant difference (−2% to 3%)".
/// Percentages refer to the baseline's time: half the time is faster by 50%, twice is slower by
/// 100%.
[[nodiscard]] std::string statement(const Comparison& comparison);

}  // namespace damrak::lab
