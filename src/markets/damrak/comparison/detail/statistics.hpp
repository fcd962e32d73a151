// What the numbers of a comparison mean: intervals, p-values, correction for many of them, and how
// many pairs an effect needs. Every function is of its arguments alone; draws are keyed, so that
// the same values give the same answer. Called after the runs; a bootstrap costs some milliseconds.
//
// Sources: DiCiccio and Efron, "Bootstrap confidence intervals" (1996), for BCa; Hesterberg, "What
// teachers should know about the bootstrap" (2015), for its widening by Student's t; Holm (1979).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace damrak::comparison {

inline constexpr double k_confidence = 0.95;
inline constexpr double k_power = 0.8;
inline constexpr std::size_t k_bootstrap_drawings = 4'000;
/// Below, a bootstrap hardly draws anything but what it was given: Student's interval instead.
inline constexpr std::size_t k_least_for_bootstrap = 8;

/// Of ascending values, at least one; between two of them where p asks for it.
[[nodiscard]] double quantile_of(std::span<const double> sorted, double p);
/// Zero without values.
[[nodiscard]] double mean_of(std::span<const double> values);
/// Of the values around their mean, by n - 1; zero below two values.
[[nodiscard]] double variance_of(std::span<const double> values);
/// Empty if one of them does not vary. As many values in both.
[[nodiscard]] std::optional<double> correlation_of(std::span<const double> a,
                                                   std::span<const double> b);

/// P(|T| >= |t|) for Student's T.
[[nodiscard]] double student_two_sided(double t, double degrees);
/// The t below which Student's T is with probability p in (0, 1).
[[nodiscard]] double student_quantile(double p, double degrees);

/// Whether differences have mean zero: the paired t test, two-sided. Differences that are all zero
/// give 1; all equal, but not zero, give 0. At least two.
[[nodiscard]] double paired_p_value(std::span<const double> differences);

struct Interval {
    double low = 0;
    double high = 0;
    [[nodiscard]] double width() const { return high - low; }
};
/// Width of Student's interval of a mean of this many values with this standard deviation.
[[nodiscard]] double student_width(double deviation, std::size_t count);
/// Of the mean of what the values were drawn from. At least two.
[[nodiscard]] Interval student_interval(std::span<const double> values);
/// BCa, with tails as Student's t for so few values asks. `key` names the drawings.
[[nodiscard]] Interval mean_interval(std::span<const double> values, std::uint64_t key);

/// Holm's adjusted p-values, in the order given: those below 0.05 may all be believed together.
[[nodiscard]] std::vector<double> holm(std::span<const double> p_values);

/// Pairs that show `effect` at 5 % (two-sided) with a probability of 80 %, when differences have
/// this standard deviation. `effect` is not zero.
[[nodiscard]] std::uint64_t pairs_needed(double deviation, double effect);
/// The effect that this many pairs show with a probability of 80 %. At least two.
[[nodiscard]] double detectable_effect(double deviation, std::size_t pairs);

}  // namespace damrak::comparison
