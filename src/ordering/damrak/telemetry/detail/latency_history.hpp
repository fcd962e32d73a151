// Stage times of the last hour by gateway and span: how they are distributed over a window, and how
// that changes within it. For the collector's thread; a timed message costs a search in a short
// list for each span. An hour of a busy exchange takes about 10 MB.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <utility>
#include <vector>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::telemetry {

/// Counts of values, only for those that occur, each within 1/32: four buckets of Histogram at a
/// time.
class Distribution {
  public:
    struct Bucket {
        std::uint64_t bound = 0;  ///< largest value that it counts
        std::uint64_t count = 0;
        friend bool operator==(const Bucket&, const Bucket&) = default;
    };

    void record(std::uint64_t value);
    void merge(const Distribution& other);

    /// By bound.
    [[nodiscard]] const std::vector<Bucket>& buckets() const { return buckets_; }
    [[nodiscard]] std::uint64_t max() const { return max_; }

  private:
    void add(std::uint64_t bound, std::uint64_t count);

    std::vector<Bucket> buckets_;
    std::uint64_t max_ = 0;
};

/// Gateway and span.
using LatencyKey = std::pair<GatewayNumber, std::size_t>;

/// What began in a time, in nanoseconds.
struct LatencyColumn {
    std::int64_t begin_s = 0;  ///< since the epoch
    std::map<LatencyKey, Distribution> rows{};
};

class LatencyHistory {
  public:
    static constexpr std::int64_t k_longest_s = 3'600;
    static constexpr std::int64_t k_shortest_s = 10;

    /// Messages recorded from now on belong to this second since the epoch; an earlier one changes
    /// nothing.
    void advance(std::int64_t now_s);
    /// After the first advance().
    void record(const Timing& timing, const CycleClock& clock);

    /// Length of the columns of a window: 1 s up to a minute, then tens of seconds, so that a
    /// window has 60 columns at most.
    [[nodiscard]] static std::int64_t column_s(std::int64_t window_s);
    /// Those of the last `window_s` seconds, oldest first; of a time without a turn of the
    /// collector there is none.
    [[nodiscard]] std::vector<LatencyColumn> columns(std::int64_t window_s) const;

  private:
    static constexpr std::int64_t k_minute_s = 60;
    static constexpr std::int64_t k_ten_s = 10;

    std::deque<LatencyColumn> seconds_;  ///< of the last minute
    std::deque<LatencyColumn> tens_;     ///< of the last hour
};

}  // namespace damrak::telemetry
