// How far a market is from a recorded day, feature by feature, beside how far the day is from
// itself.
//
//   const auto day = score::sample_day(recorded);
//   for (const score::Score& one : score::score(*market, *day)) ...
//
// The same samples give the same scores. A feature costs a sort of its values and a pass over them
// for each of the drawings.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/comparison/comparison.hpp>
#include <damrak/score/sample_set.hpp>

namespace damrak::score {

inline constexpr std::size_t k_drawings = 200;

/// A point of a curve, or a quantile of a distribution.
struct ScoredPoint {
    std::string name;
    double share = 0;  ///< of a quantile: the values below it
    double market = 0;
    double day = 0;
};

struct Score {
    const Feature* feature = nullptr;
    /// Why there is no distance, and then nothing of what follows; empty: there is one.
    std::string unknown{};
    double distance = 0;
    /// 95%, basic block bootstrap; empty: one of the two has a single block.
    std::optional<comparison::Interval> interval{};
    /// The distance of every other block of the day from the rest; empty: it has a single block.
    std::optional<double> floor{};
    /// The Wasserstein distance in the unit of the values; empty: a curve.
    std::optional<double> wasserstein{};
    double market = 0;  ///< median, or the first point
    double day = 0;
    std::vector<ScoredPoint> points{};
};

/// In the order of features().
[[nodiscard]] std::vector<Score> score(const SampleSet& market, const SampleSet& day);

}  // namespace damrak::score
