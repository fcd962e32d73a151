// The time-stamp counter around a few instructions, after Intel's "How to Benchmark Code Execution
// Times" (G. Paoloni, 2010): fences keep the measured code between the two readings. What a pair of
// readings costs by itself is measured and has to be subtracted.
#pragma once

#include <algorithm>
#include <cstdint>

#include <x86intrin.h>

namespace damrak::bench {

[[nodiscard]] inline std::uint64_t cycle_clock_start() {
    _mm_lfence();
    const std::uint64_t now = __rdtsc();
    _mm_lfence();
    return now;
}

[[nodiscard]] inline std::uint64_t cycle_clock_stop() {
    unsigned core = 0;
    const std::uint64_t now = __rdtscp(&core);
    _mm_lfence();
    return now;
}

// Nanoseconds a cycle of the counter, against the steady clock over a tenth of a second.
[[nodiscard]] double cycle_ns();

// Median of a start and a stop with nothing between.
[[nodiscard]] std::uint64_t cycle_clock_overhead();

// Makes nanoseconds of the cycles between a start and a stop, less what the two cost by themselves.
class CycleScale {
  public:
    [[nodiscard]] double ns(std::uint64_t cycles) const {
        return cycle_ns_ * static_cast<double>(cycles - std::min(cycles, overhead_cycles_));
    }
    [[nodiscard]] double overhead_ns() const {
        return cycle_ns_ * static_cast<double>(overhead_cycles_);
    }

  private:
    double cycle_ns_ = cycle_ns();
    std::uint64_t overhead_cycles_ = cycle_clock_overhead();
};

}  // namespace damrak::bench
