// Hasbrouck's information share of two prices of one thing, by the second: how much of the variance
// of their common efficient price comes from innovations of each. By least squares on
//
//   dp(t) = constant + alpha (p1 - p2)(t - 1) + sum over five lags of Gamma dp(t - k) + e(t)
//
// The common trend loads on e as (-alpha2, alpha1) up to scale. Where innovations are correlated
// the share depends on which comes first in the Cholesky factor: both orders give bounds.
//
// Source: Hasbrouck (1995), One security, many markets. Constant memory; about a microsecond a
// second of the day.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <damrak/measures/results.hpp>

namespace damrak::measures {

class InformationShare {
  public:
    static constexpr std::size_t k_lags = 5;

    /// Both prices at one more point of an even grid.
    void add(double first, double second);
    /// A price is missing; what follows does not continue what was.
    void interrupt() { steps_ = 0; }

    /// Of the first price; that of the second is one less these.
    struct Bounds {
        double low = 0;
        double high = 0;
    };
    /// Empty: too few points, or the prices do not return to each other.
    [[nodiscard]] std::optional<Bounds> bounds() const;
    [[nodiscard]] std::uint64_t count() const { return count_; }
    void report(Results& results) const;

  private:
    static constexpr std::size_t k_width = 2 + 2 * k_lags;  ///< of the right side

    std::array<std::array<double, k_width>, k_width> products_{};  ///< of the right side
    std::array<std::array<double, k_width>, 2> with_changes_{};
    std::array<std::array<double, 2>, 2> changes_{};      ///< sums of products
    std::array<std::array<double, 2>, k_lags> lagged_{};  ///< changes, the latest first
    std::array<double, 2> last_{};
    std::size_t steps_ = 0;  ///< points without a gap
    std::uint64_t count_ = 0;
};

}  // namespace damrak::measures
