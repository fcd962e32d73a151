// The stationary law of the size of a queue whose rates depend on its size alone: model I of Huang,
// Lehalle and Rosenbaum (2015). A model alone: no market.
#pragma once

#include <cstddef>
#include <vector>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::participants::models {

/// Rates by the size of the queue in orders, from 0; the last one holds beyond.
struct QueueRates {
    std::vector<double> limit_per_s;
    std::vector<double> cancel_per_s;  ///< of the whole queue
    std::vector<double> market_per_s;

    [[nodiscard]] static double at(const std::vector<double>& rates, std::size_t size) {
        return rates[size < rates.size() ? size : rates.size() - 1];
    }
};

/// Probabilities of the sizes 0, 1, ..., `most`: pi(n) = pi(n - 1) limit(n - 1) / (cancel(n) +
/// market(n)).
[[nodiscard]] inline std::vector<double> stationary_law(const QueueRates& rates, std::size_t most) {
    std::vector<double> law{1};
    double sum = 1;
    for (std::size_t n = 1; n <= most; ++n) {
        const double death =
            QueueRates::at(rates.cancel_per_s, n) + QueueRates::at(rates.market_per_s, n);
        law.push_back(death > 0 ? law.back() * QueueRates::at(rates.limit_per_s, n - 1) / death
                                : 0);
        sum += law.back();
    }
    for (double& probability : law) probability /= sum;
    return law;
}

/// A size drawn from a law; one number of the stream.
[[nodiscard]] inline std::size_t draw_size(const std::vector<double>& law,
                                           market_kernel::Draws& draws) {
    double left = draws.uniform();
    for (std::size_t n = 0; n < law.size(); ++n) {
        left -= law[n];
        if (left < 0) return n;
    }
    return law.size() - 1;
}

}  // namespace damrak::participants::models
