#include "support/cycle_clock.hpp"

#include <chrono>
#include <memory>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/histogram.hpp>

namespace damrak::bench {

double cycle_ns() {
    return CycleClock::calibrated(std::chrono::milliseconds{100},
                                  CycleClock::Source::time_stamp_counter)
        .calibration()
        .ns_per_tick;
}

std::uint64_t cycle_clock_overhead() {
    const auto histogram = std::make_unique<Histogram>();
    for (int i = 0; i < 100'000; ++i) {
        const std::uint64_t start = cycle_clock_start();
        histogram->record(cycle_clock_stop() - start);
    }
    return histogram->percentile(50.0);
}

}  // namespace damrak::bench
