// A price on an even grid: realised variance at several horizons (the signature plot), variance
// ratios and excess kurtosis. Differences overlap. Memory is the longest horizon; a price costs
// some operations for each step of it.
//
// Sources: Lo and MacKinlay (1988), Stock market prices do not follow random walks, sections 1.1
// (the unbiased variances) and 1.2 (z where variances change); Andersen et al. (2000) for the
// signature plot.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <damrak/measures/statistics.hpp>

namespace damrak::measures {

class PathStatistics {
  public:
    /// Horizons in steps, ascending, the first is 1.
    explicit PathStatistics(std::vector<std::size_t> horizons);

    void add(double x);
    /// What follows does not continue what was.
    void interrupt();

    [[nodiscard]] const std::vector<std::size_t>& horizons() const { return horizons_; }
    [[nodiscard]] const Moments& differences(std::size_t i) const { return differences_[i]; }
    /// Mean squared difference, divided by the steps of the horizon.
    [[nodiscard]] double variance_per_step(std::size_t i) const;
    [[nodiscard]] bool has_variance_ratio(std::size_t i) const;
    /// Variance over the horizon, per step, to that of one step, both around the mean step and
    /// unbiased: 1 on average in a random walk, however few horizons the path has.
    [[nodiscard]] double variance_ratio(std::size_t i) const;
    /// The path has ten times the horizon, from where on the normal distribution holds for z.
    [[nodiscard]] bool has_variance_ratio_z(std::size_t i) const;
    /// Standard normal in a random walk, even when the variance of its steps changes.
    [[nodiscard]] double variance_ratio_z(std::size_t i) const;

  private:
    /// Sums over pairs of steps of one lag, from which their products around any mean follow.
    struct CoMovement {
        void add(double a, double b);
        /// Of (a - mean)^2 (b - mean)^2.
        [[nodiscard]] double around(double mean) const;

        double count = 0;
        double firsts = 0;    ///< a + b
        double seconds = 0;   ///< a^2 + b^2
        double products = 0;  ///< a b
        double thirds = 0;    ///< a^2 b + a b^2
        double fourths = 0;   ///< a^2 b^2
    };

    [[nodiscard]] double theta(std::size_t i) const;

    std::vector<std::size_t> horizons_;
    std::vector<Moments> differences_;
    std::vector<double> squares_;           ///< sums of squared differences
    std::vector<CoMovement> co_movements_;  ///< by lag
    std::vector<double> last_;
    std::vector<double> last_steps_;
    std::size_t count_ = 0;
    std::size_t steps_ = 0;
};

}  // namespace damrak::measures
