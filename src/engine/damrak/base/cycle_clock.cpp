#include <damrak/base/cycle_clock.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

#include <damrak/base/system_time.hpp>

namespace damrak {

CycleClock::Source CycleClock::best_source() {
#if defined(__x86_64__)
    // "Invariant TSC": Intel's manual, volume 3, section 18.17.1 (and AMD's, appendix E).
    constexpr unsigned k_power_leaf = 0x8000'0007;
    constexpr unsigned k_invariant_bit = 1U << 8U;
    unsigned a = 0;
    unsigned b = 0;
    unsigned c = 0;
    unsigned d = 0;
    if (__get_cpuid(k_power_leaf, &a, &b, &c, &d) != 0 && (d & k_invariant_bit) != 0)
        return Source::time_stamp_counter;
#endif
    return Source::monotonic_clock;
}

// Reads the clock between two readings of the counter. An interrupt may fall between them, so the
// tightest of several tries counts.
CycleClock::Reading CycleClock::read([[maybe_unused]] Source source) {
    constexpr int k_tries = 16;
    Reading best;
#if defined(__x86_64__)
    if (source == Source::time_stamp_counter) {
        std::uint64_t narrowest = std::numeric_limits<std::uint64_t>::max();
        for (int i = 0; i < k_tries; ++i) {
            const std::uint64_t before = __rdtsc();
            const auto ns = static_cast<std::int64_t>(monotonic_ns());
            const std::uint64_t after = __rdtsc();
            if (after - before < narrowest) {
                narrowest = after - before;
                best = {before + narrowest / 2, ns};
            }
        }
        return best;
    }
#endif
    best.monotonic_ns = static_cast<std::int64_t>(monotonic_ns());
    best.ticks = static_cast<std::uint64_t>(best.monotonic_ns);
    return best;
}

double CycleClock::ns_per_tick(const Reading& first, const Reading& second) {
    if (second.ticks <= first.ticks || second.monotonic_ns <= first.monotonic_ns) return 1.0;
    return static_cast<double>(second.monotonic_ns - first.monotonic_ns) /
           static_cast<double>(second.ticks - first.ticks);
}

CycleClock CycleClock::calibrated(std::chrono::milliseconds duration, Source source) {
    Calibration made{.source = source, .base = read(source)};
    made.base_utc_ns = system_time_ns();
    if (source == Source::time_stamp_counter) {
        const std::chrono::nanoseconds wanted = duration;
        const auto begin = static_cast<std::uint64_t>(made.base.monotonic_ns);
        while (monotonic_ns() - begin < static_cast<std::uint64_t>(wanted.count())) continue;
        made.ns_per_tick = ns_per_tick(made.base, read(source));
    }
    return CycleClock{made};
}

CycleClock::CycleClock(const Calibration& calibration)
    : calibration_(calibration),
      scale_(static_cast<std::uint64_t>(
          std::llround(std::ldexp(calibration.ns_per_tick, k_scale_bits)))) {}

std::uint64_t CycleClock::ticks_at(std::int64_t utc_ns) const {
    const double ticks =
        static_cast<double>(utc_ns - calibration_.base_utc_ns) / calibration_.ns_per_tick;
    const auto base = static_cast<std::int64_t>(calibration_.base.ticks);
    return static_cast<std::uint64_t>(std::max<std::int64_t>(0, base + std::llround(ticks)));
}

CycleClock::Drift CycleClock::drift(const Reading& later) const {
    const std::int64_t elapsed = later.monotonic_ns - calibration_.base.monotonic_ns;
    const std::uint64_t counted = to_ns(later.ticks - calibration_.base.ticks);
    return {elapsed, static_cast<std::int64_t>(counted) - elapsed};
}

std::string_view name(CycleClock::Source source) {
    return source == CycleClock::Source::time_stamp_counter ? "time-stamp counter"
                                                            : "monotonic clock of the system";
}

}  // namespace damrak
