// How wide the market of one instrument was, weighted by time: each spread counts for as long as it
// stood. Fed on every change of the best prices, by one thread; a few nanoseconds an update. Memory
// grows with the number of magnitudes seen, up to about 30 kB.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace damrak::replay {

struct SpreadSummary {
    std::int64_t time_ns{};  ///< over which there was a spread
    double mean{};           ///< in price units, as all below
    double median{};         ///< within 1.6%; exact for multiples of 100 below 8,192
    std::int64_t least{};
    std::int64_t most{};
};

class SpreadStatistics {
  public:
    /// From `time_ns` on the spread has this value, or there is none.
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
