// How far the observations of one day are from those of another, each block of time weighted. All
// distances are between 0 and 1 and have no unit, so that features can be compared:
//
//   wasserstein          W1(F, G) / E|X - Y| = integral |F - G| / integral (F (1 - G) + G (1 - F))
//   kolmogorov-smirnov   sup |F - G|
//   curve                sum |f - g| / sum (|f| + |g|), over the points that both have
//
// F and G are the distribution functions, X and Y independent draws from them. The first two are 0
// for equal distributions, and 1 if all values of one are below those of the other; the third is 1
// if the curves have opposite signs everywhere or one is zero.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <damrak/score/sample_set.hpp>

namespace damrak::score {

/// Between two distributions.
struct Gap {
    double area = 0;      ///< the Wasserstein distance W1, in the unit of the values
    double expected = 0;  ///< E|X - Y|
    double supremum = 0;

    [[nodiscard]] double of(Method method) const {
        if (method == Method::kolmogorov_smirnov) return supremum;
        return expected > 0 ? area / expected : 0;
    }
};

/// The values of two days, sorted together once, so that each weighting of blocks costs one pass.
class MergedValues {
  public:
    MergedValues(std::span<const Block> first, std::span<const Block> second, Feature::Id feature);

    /// A weight for each block of the first, then of the second. Empty: one has no values.
    [[nodiscard]] std::optional<Gap> gap(std::span<const double> weights) const;

  private:
    struct Entry {
        double value = 0;
        std::uint32_t block = 0;
        std::uint32_t count = 0;  ///< equal values of a block
    };
    std::vector<Entry> entries_;
    std::size_t first_blocks_;
};

/// By point; empty where nothing was observed. `weights` as many as blocks.
using Curve = std::vector<std::optional<double>>;
[[nodiscard]] Curve curve_of(std::span<const Block> blocks, std::span<const double> weights,
                             Feature::Id feature);

/// Empty: there is no point that both have.
[[nodiscard]] std::optional<double> curve_distance(const Curve& first, const Curve& second);

}  // namespace damrak::score
