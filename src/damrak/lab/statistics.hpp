// Which differences between two rows of repetitions are real. Everything is computed from the
// repetitions themselves, by resampling them (bootstrap; Efron and Tibshirani, "An introduction to
// the bootstrap", 1993, chapter 13): no distribution is assumed. The same seed gives the same
// answer. Called after a trial has run; some milliseconds a comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace damrak::lab {

inline constexpr std::size_t k_drawings = 4'000;

/// Requires at least one value. Of an even number of values, the mean of the middle two.
[[nodiscard]] double median(std::span<const double> values);

struct Interval {
    double low = 0;
    double high = 0;
    [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// Where the median of what these values were drawn from lies, with 95 % confidence.
[[nodiscard]] Interval median_interval(std::span<const double> values, std::uint64_t seed,
                                       std::size_t drawings = k_drawings);

/// What can be said of a variant against its baseline.
enum class Verdict : std::uint8_t {
    faster,
    slower,
    negligible,  ///< there is a difference, under one per cent
    unknown      ///< no significant difference
};

struct Comparison {
    double ratio = 1;         ///< median of the variant through median of the baseline
    Interval interval{1, 1};  ///< of that ratio, with 95 % confidence
    Interval strict{1, 1};  ///< holds that one and an exact one of 99.9 %; the verdict rests on it
    Verdict verdict = Verdict::unknown;
};

/// Values of the same place in both rows were measured in the same round: rounds are drawn again as
/// a whole, so that what burdened the machine in one of them burdens both. As many values in both,
/// all above zero.
///
/// A report makes some hundreds of comparisons, of which one in twenty would come out as different
/// at 95 % although it is equal, and a bootstrap of few rounds errs more often than it says. So a
/// difference is reported only where the sign test agrees as well, which assumes nothing: nearly
/// all rounds have to be on one side, all of eleven, 44 of 61.
[[nodiscard]] Comparison compare(std::span<const double> baseline, std::span<const double> variant,
                                 std::uint64_t seed, std::size_t drawings = k_drawings);

[[nodiscard]] std::string_view name(Verdict verdict);

/// In words: "faster by 31% (95% interval 28 to 34)", "no significant difference (−2% to 3%)".
/// By how much is of the baseline's time: half the time is faster by 50%, twice is slower by 100%.
[[nodiscard]] std::string statement(const Comparison& comparison);

}  // namespace damrak::lab
