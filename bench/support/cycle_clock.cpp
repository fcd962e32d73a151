#include "support/cycle_clock.hpp"

#include <chrono>
#include <memory>

#include <damrak/base/histogram.hpp>

namespace damrak::bench {

double cycle_ns() {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = Clock::now();
    const std::uint64_t start_cycles = __rdtsc();
    Clock::time_point stop = start;
    while (stop - start < std::chrono::milliseconds(100)) stop = Clock::now();
    const std::uint64_t cycles = __rdtsc() - start_cycles;
    const std::chrono::duration<double, std::nano> passed = stop - start;
    return passed.count() / static_cast<double>(cycles);
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
