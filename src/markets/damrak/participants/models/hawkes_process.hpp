// A Hawkes process with several types of events, exponential kernels and one decay: an event of
// type j raises the rate of type i by branching(i, j) · decay · e^(-decay t). Exact simulation by
// thinning (Ogata 1981), not on a grid of times. A model alone: no market. A step costs one
// exponential for each candidate, plus O(types).
#pragma once

#include <cstddef>
#include <vector>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::participants::models {

/// A process of several types of events that excite each other.
struct HawkesDescription {
    std::vector<double> base_per_s;  ///< by type
    /// By row: branching[i * types + j] events of type i follow directly from one of type j, on
    /// average.
    std::vector<double> branching;
    double decay_per_s = 1;
};

/// Mean rates by type. Empty: the spectral radius of the branching matrix is not below one, so that
/// the process explodes.
[[nodiscard]] std::vector<double> stationary_rates(const HawkesDescription& description);

class HawkesProcess {
  public:
    /// An event of the process.
    struct Arrival {
        double wait_s = 0;  ///< since the one before
        std::size_t type = 0;
    };

    /// Stationary description. Rates start at their stationary means.
    explicit HawkesProcess(HawkesDescription description);
    [[nodiscard]] Arrival next(market_kernel::Draws& draws);

  private:
    [[nodiscard]] double total_per_s() const;

    HawkesDescription is_;
    std::vector<double> excess_per_s_;  ///< by type, above the base rate
};

}  // namespace damrak::participants::models
