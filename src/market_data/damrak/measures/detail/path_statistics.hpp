// A price on an even grid: realised variance at several horizons (the signature plot), variance
// ratios and excess kurtosis. Differences overlap. Memory is the longest horizon.
//
// Sources: Lo and MacKinlay (1988), section 1.2; Andersen et al. (2000) for the signature plot.
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
    [[nodiscard]] double variance_ratio(std::size_t i) const;
    /// Standard normal for large samples without autocorrelation, also when the variance changes.
    /// The mean difference is taken as zero.
    [[nodiscard]] double variance_ratio_z(std::size_t i) const;

  private:
    std::vector<std::size_t> horizons_;
    std::vector<Moments> differences_;
    std::vector<double> squares_;       ///< sums of squared differences
    std::vector<double> co_movements_;  ///< by lag: sums of products of squared steps
    std::vector<double> last_;
    std::vector<double> last_steps_;
    std::size_t count_ = 0;
    std::size_t steps_ = 0;
};

}  // namespace damrak::measures
