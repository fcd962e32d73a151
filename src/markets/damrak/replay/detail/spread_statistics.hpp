// The spread of one instrument, weighted by the time that each value held. Updated on every change
// of the best prices, by one thread; a few nanoseconds an update. Memory grows with the number of
// magnitudes seen, up to about 30 kB.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace damrak::replay {

struct SpreadSummary {
    std::int64_t time_ns{};  ///< total time with a spread
    double mean{};           ///< in price units, like those below
    double median{};         ///< within 1.6%; exact for multiples of 100 below 8,192
    std::int64_t least{};
    std::int64_t most{};
};

class SpreadStatistics {
  public:
    /// Sets the spread from `time_ns` on, or none.
    void update(std::int64_t time_ns, std::optional<std::int64_t> spread);
    /// Forgets everything except the current spread.
    void restart(std::int64_t time_ns);
    /// Nothing if there was never a spread.
    [[nodiscard]] std::optional<SpreadSummary> summary() const;

  private:
    struct Bucket {
        std::int64_t time_ns{};
        double sum{};  // of spread x time
    };

    void account(std::int64_t time_ns);

    std::optional<std::int64_t> current_;
    std::int64_t since_ns_{};
    std::int64_t least_{};
    std::int64_t most_{};
    bool seen_{false};
    std::vector<Bucket> buckets_;
};

}  // namespace damrak::replay
