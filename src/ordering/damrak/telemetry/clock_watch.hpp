// Detects jumps of the system clock. Commands are stamped with its time, but never with an earlier
// one than the previous command: after a step back the exchange's time stands still until the clock
// has caught up, and a step ahead is permanent.
//
// One thread calls look() a few hundred times a second, with the times as input; any thread may
// call the rest.
#pragma once

#include <atomic>
#include <cstdint>

namespace damrak::telemetry {

class ClockWatch {
  public:
    /// Readings of the clocks at one moment.
    struct Look {
        std::int64_t system_ns = 0;
        std::int64_t steady_ns = 0;  ///< monotonic clock
        std::int64_t last_stamp_ns = INT64_MIN;
    };
    /// Changes since the last look.
    struct Found {
        std::int64_t set_ns = 0;    ///< step of the clock since the last look; zero: none
        bool stands_still = false;  ///< the clock is behind the last stamp from now on
        bool goes_on = false;       ///< the clock has caught up
    };
    /// Smaller steps are not reported: clocks are corrected all the time.
    static constexpr std::int64_t k_least_ns = 100'000'000;

    ClockWatch(std::int64_t system_ns, std::int64_t steady_ns)
        : offset_ns_(system_ns - steady_ns) {}

    Found look(const Look& look) {
        Found found;
        const std::int64_t offset_ns = look.system_ns - look.steady_ns;
        if (const std::int64_t set_ns = offset_ns - offset_ns_;
            set_ns >= k_least_ns || set_ns <= -k_least_ns) {
            found.set_ns = set_ns;
            set_ns_.fetch_add(set_ns);
            times_set_.fetch_add(1);
        }
        offset_ns_ = offset_ns;
        const bool behind = look.last_stamp_ns > look.system_ns;
        const std::int64_t behind_ns = behind ? look.last_stamp_ns - look.system_ns : 0;
        const bool stood_still = stands_still();
        behind_ns_.store(behind_ns);
        if (!stood_still && behind_ns >= k_least_ns) stands_still_.store(found.stands_still = true);
        if (stood_still && behind_ns == 0) stands_still_.store(!(found.goes_on = true));
        return found;
    }

    /// How far the clock is behind the last stamp.
    [[nodiscard]] std::int64_t behind_ns() const { return behind_ns_.load(); }
    [[nodiscard]] bool stands_still() const { return stands_still_.load(); }
    /// Sum of steps since the first look; negative: back.
    [[nodiscard]] std::int64_t set_ns() const { return set_ns_.load(); }
    [[nodiscard]] std::uint64_t times_set() const { return times_set_.load(); }

  private:
    std::int64_t offset_ns_;
    std::atomic<std::int64_t> behind_ns_{0};
    std::atomic<std::int64_t> set_ns_{0};
    std::atomic<std::uint64_t> times_set_{0};
    std::atomic<bool> stands_still_{false};
};

}  // namespace damrak::telemetry
