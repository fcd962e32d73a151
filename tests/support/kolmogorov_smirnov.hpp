// How far numbers in [0, 1] are from uniform: the test of Kolmogorov and Smirnov.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace damrak::testing {

/// The largest distance between their distribution and the uniform one.
[[nodiscard]] inline double distance_from_uniform(std::vector<double> values) {
    std::ranges::sort(values);
    const auto count = static_cast<double>(values.size());
    double largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i)
        largest = std::max({largest, static_cast<double>(i + 1) / count - values[i],
                            values[i] - static_cast<double>(i) / count});
    return largest;
}

/// Uniform numbers are further away in one of a hundred cases.
[[nodiscard]] inline double one_per_cent(std::size_t count) {
    const double root = std::sqrt(static_cast<double>(count));
    return 1.628 / (root + 0.12 + 0.11 / root);
}

}  // namespace damrak::testing
