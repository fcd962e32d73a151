// The clock of a replayed day: it advances with the system's clock, at a speed, unless paused. One
// thread, once in each turn of the exchange; a few additions.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include <damrak/domain/measures.hpp>

namespace damrak::recorded_market {

/// As fast as the messages are applied.
inline constexpr double k_fastest = std::numeric_limits<double>::infinity();
inline constexpr double k_highest_speed = 1e6;

class Schedule {
  public:
    explicit Schedule(std::int64_t begin_ns) : time_ns_(begin_ns) {}

    /// Messages with times up to this one are due.
    [[nodiscard]] std::int64_t due_ns(Timestamp system, double speed) {
        constexpr std::int64_t k_never = std::numeric_limits<std::int64_t>::min();
        const std::int64_t before_ns = std::exchange(system_ns_, system.value);
        if (speed == k_fastest) return std::numeric_limits<std::int64_t>::max();
        if (before_ns != k_never && system.value > before_ns)
            time_ns_ += std::llround(static_cast<double>(system.value - before_ns) * speed);
        return time_ns_;
    }
    /// Time that passes while paused does not count.
    void pause(Timestamp system) { system_ns_ = system.value; }
    /// The clock shows at least this time.
    void note(std::int64_t time_ns) { time_ns_ = std::max(time_ns_, time_ns); }

  private:
    std::int64_t time_ns_;
    std::int64_t system_ns_ = std::numeric_limits<std::int64_t>::min();
};

}  // namespace damrak::recorded_market
