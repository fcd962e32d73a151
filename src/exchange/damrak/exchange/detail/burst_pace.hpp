// When a follower that nobody watches follows. While the exchange is busy, the core is worth more
// to its clients than to the follower, and many records at once take it less time than a few each
// moment: the records of a burst wait for its end. Snapshots are not later for that: the follower
// waits no longer once one is due, nor for more records or time than stands below, which bounds the
// work at the end and the age of what it publishes. It then continues until it has caught up.
//
// Called at each turn of the follower, on its thread.
#pragma once

#include <cstdint>
#include <utility>

namespace damrak::exchange::detail {

class BurstPace {
  public:
    static constexpr std::int64_t k_interval_ns = 10'000'000;
    /// Records an interval from which on the exchange counts as busy.
    static constexpr std::uint64_t k_busy = 64;
    static constexpr std::uint64_t k_most_waiting = 4'000'000;
    static constexpr std::int64_t k_longest_ns = 20'000'000'000;

    struct Standing {
        std::uint64_t followed = 0;  ///< the last record that was applied
        std::uint64_t appended = 0;  ///< the last record of the journal
        bool is_behind = false;      ///< the last turn did not reach the end of the journal
        bool is_snapshot_due = false;
    };

    /// Whether the records wait for a later turn.
    [[nodiscard]] bool waits(std::int64_t now_ns, const Standing& standing) {
        if (now_ns - seen_at_ns_ >= k_interval_ns) {
            const std::uint64_t since = standing.appended - std::exchange(seen_, standing.appended);
            const auto intervals = static_cast<std::uint64_t>(
                (now_ns - std::exchange(seen_at_ns_, now_ns)) / k_interval_ns);
            is_busy_ = since > k_busy * intervals;
        }
        catches_up_ = (catches_up_ && standing.is_behind) || standing.is_snapshot_due ||
                      standing.appended - standing.followed > k_most_waiting ||
                      (waits_ && now_ns - waits_since_ns_ >= k_longest_ns);
        const bool waits = is_busy_ && !catches_up_;
        if (waits && !waits_) waits_since_ns_ = now_ns;
        return waits_ = waits;
    }

  private:
    bool is_busy_ = false;
    bool catches_up_ = false;
    bool waits_ = false;
    std::int64_t waits_since_ns_ = 0;
    std::uint64_t seen_ = 0;  ///< the last record at the end of the last interval
    std::int64_t seen_at_ns_ = 0;
};

}  // namespace damrak::exchange::detail
