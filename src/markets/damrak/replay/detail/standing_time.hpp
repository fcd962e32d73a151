// Measures how long a condition held, in recorded time. One thread; a call costs a comparison.
#pragma once

#include <cstdint>

namespace damrak::replay {

class StandingTime {
  public:
    /// Sets whether the condition holds from `time_ns` on.
    void update(std::int64_t time_ns, bool holds) {
        if (holds_ && time_ns > since_ns_) total_ns_ += time_ns - since_ns_;
        since_ns_ = time_ns;
        holds_ = holds;
    }
    /// Forgets everything except whether the condition holds.
    void restart(std::int64_t time_ns) {
        total_ns_ = 0;
        since_ns_ = time_ns;
    }
    /// Up to the last update.
    [[nodiscard]] std::int64_t total_ns() const { return total_ns_; }

  private:
    std::int64_t total_ns_{};
    std::int64_t since_ns_{};
    bool holds_{false};
};

}  // namespace damrak::replay
