// The checks by subject, and what they share.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include <damrak/measures/statistics.hpp>
#include <damrak/validation/validation.hpp>

namespace damrak::validation::detail {

[[nodiscard]] std::vector<Check> random_checks();
[[nodiscard]] std::vector<Check> flow_checks();
[[nodiscard]] std::vector<Check> hawkes_checks();
[[nodiscard]] std::vector<Check> information_checks();
[[nodiscard]] std::vector<Check> making_checks();
[[nodiscard]] std::vector<Check> measure_checks();
[[nodiscard]] std::vector<Check> mechanics_checks();

/// Of the mean.
[[nodiscard]] inline double standard_error(const measures::Moments& moments) {
    return moments.deviation() / std::sqrt(static_cast<double>(moments.count()));
}

/// Largest distance between the distribution of a sample, which is sorted, and another, times the
/// square root of the sample. Above 1.95 with probability .001 if they are the same (Kolmogorov).
template <class Distribution>
[[nodiscard]] double kolmogorov_distance(std::vector<double>& sample, Distribution&& distribution) {
    std::ranges::sort(sample);
    const auto n = static_cast<double>(sample.size());
    double most = 0;
    for (std::size_t i = 0; i < sample.size(); ++i) {
        const double p = distribution(sample[i]);
        most = std::max({most, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
    }
    return most * std::sqrt(n);
}
inline constexpr double k_kolmogorov_most = 1.95;

}  // namespace damrak::validation::detail
