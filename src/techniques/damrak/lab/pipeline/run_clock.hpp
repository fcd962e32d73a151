// The time of a run in nanoseconds since the Unix epoch, from the processor's counter. All threads
// of a pipeline share the clock, so latencies across threads are differences. Some ten nanoseconds
// a reading.
#pragma once

#include <cstdint>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::lab::pipeline {

class RunClock {
  public:
    [[nodiscard]] Timestamp now() const {
        const std::uint64_t ticks = clock_.now_ticks() - clock_.calibration().base.ticks;
        return {clock_.calibration().base_utc_ns + static_cast<std::int64_t>(clock_.to_ns(ticks))};
    }

  private:
    CycleClock clock_ = CycleClock::calibrated();
};

}  // namespace damrak::lab::pipeline
