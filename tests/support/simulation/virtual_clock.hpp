// The time of a simulated world. It passes only when the world advances it. The time of day can be
// set, independently of the elapsed time. Owned by the world; no cost.
#pragma once

#include <cstdint>

#include <damrak/base/assert.hpp>

namespace damrak::simulation {

class VirtualClock {
  public:
    explicit VirtualClock(std::int64_t time_of_day_ns) : offset_ns_(time_of_day_ns) {}

    /// Since the start of the world; never decreases.
    [[nodiscard]] std::int64_t elapsed_ns() const { return elapsed_ns_; }
    /// Nanoseconds since the Unix epoch on the machine's clock.
    [[nodiscard]] std::int64_t time_of_day_ns() const { return offset_ns_ + elapsed_ns_; }

    void advance(std::int64_t by_ns) {
        DAMRAK_ASSERT(by_ns >= 0);
        elapsed_ns_ += by_ns;
    }
    /// Sets the time of day forward or back.
    void set_by(std::int64_t by_ns) { offset_ns_ += by_ns; }

  private:
    std::int64_t offset_ns_;
    std::int64_t elapsed_ns_ = 0;
};

}  // namespace damrak::simulation
