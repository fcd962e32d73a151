// How far the best prices of a replayed market are from those of its record, over time, from the
// first own action on. One thread; a few comparisons a step.
#pragma once

#include <cstdint>
#include <vector>

#include <damrak/what_if/detail/recorded_market.hpp>

namespace damrak::what_if {

/// Of a stretch of time in which both markets had both sides.
struct DriftStretch {
    std::int64_t begin_ns = 0;  ///< since midnight
    std::int64_t end_ns = 0;
    std::int64_t measured_ns = 0;   ///< with both sides in both markets
    std::int64_t differing_ns = 0;  ///< of these: another best price on a side
    double bid_distance = 0;        ///< mean of the absolute distance, price units
    double ask_distance = 0;
};

class DriftMeter {
  public:
    /// Stretches of this length.
    explicit DriftMeter(std::int64_t stretch_ns) : stretch_ns_(stretch_ns) {}

    /// These were the best prices from one time to another, which follow the last call's.
    void note(std::int64_t from_ns, std::int64_t to_ns, const Top& replayed, const Top& recorded);

    [[nodiscard]] std::vector<DriftStretch> series() const;
    [[nodiscard]] DriftStretch total() const;

  private:
    void add(std::int64_t from_ns, std::int64_t to_ns, const Top& replayed, const Top& recorded);

    std::int64_t stretch_ns_;
    std::vector<DriftStretch> sums_;  ///< distances times nanoseconds
};

}  // namespace damrak::what_if
