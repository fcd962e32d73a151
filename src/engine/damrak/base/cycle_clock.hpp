// Time at the finest resolution of the machine, for stage timing: the processor's time-stamp
// counter, calibrated against the system clock at construction and compared with it again on
// request. If the counter does not run at a constant rate (or the processor is not x86), the clock
// falls back to the system's monotonic clock and reports that.
//
// now_ticks() is for the polling thread: one predictable branch and one RDTSC, some 10 ns, no
// system call (the fallback takes some 30 ns). Everything else is for set-up and reports, on any
// thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

#include <damrak/base/wide_integer.hpp>

namespace damrak {

class CycleClock {
  public:
    enum class Source : std::uint8_t { time_stamp_counter, monotonic_clock };

    /// One instant on both clocks, as close together as they can be read.
    struct Reading {
        std::uint64_t ticks = 0;
        std::int64_t monotonic_ns = 0;
    };

    /// How counts of the counter become nanoseconds.
    struct Calibration {
        Source source = Source::monotonic_clock;
        double ns_per_tick = 1.0;
        Reading base{};                ///< where counting began
        std::int64_t base_utc_ns = 0;  ///< the same instant since the Unix epoch
    };

    /// Drift between the counter and the system clock since the calibration.
    struct Drift {
        std::int64_t elapsed_ns = 0;  ///< on the system clock
        std::int64_t error_ns = 0;    ///< positive: the counter is ahead
        [[nodiscard]] double parts_per_million() const {
            return elapsed_ns == 0
                       ? 0.0
                       : 1e6 * static_cast<double>(error_ns) / static_cast<double>(elapsed_ns);
        }
    };

    /// Takes as long as `duration`. A longer one is more exact: each end has an error of some 50
    /// ns.
    [[nodiscard]] static CycleClock calibrated(
        std::chrono::milliseconds duration = std::chrono::milliseconds{20},
        Source source = best_source());
    /// From an earlier calibration, or from an invented one in tests.
    explicit CycleClock(const Calibration& calibration);

    [[nodiscard]] std::uint64_t now_ticks() const {
#if defined(__x86_64__)
        if (calibration_.source == Source::time_stamp_counter) [[likely]]
            return __rdtsc();
#endif
        return monotonic_ns();
    }

    /// Converts a number of ticks.
    [[nodiscard]] std::uint64_t to_ns(std::uint64_t ticks) const {
        return static_cast<std::uint64_t>((static_cast<Uint128>(ticks) * scale_) >> k_scale_bits);
    }
    /// The counter at a time since the Unix epoch; zero for times before the counter began.
    [[nodiscard]] std::uint64_t ticks_at(std::int64_t utc_ns) const;

    [[nodiscard]] const Calibration& calibration() const { return calibration_; }
    [[nodiscard]] Drift drift() const { return drift(read(calibration_.source)); }
    [[nodiscard]] Drift drift(const Reading& later) const;

    /// The counter, if the processor guarantees a constant rate in all its power states.
    [[nodiscard]] static Source best_source();
    [[nodiscard]] static Reading read(Source source);
    [[nodiscard]] static double ns_per_tick(const Reading& first, const Reading& second);

  private:
    static constexpr unsigned k_scale_bits = 40;

    [[nodiscard]] static std::uint64_t monotonic_ns() {
        return static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                              std::chrono::steady_clock::now().time_since_epoch())
                                              .count());
    }

    Calibration calibration_;
    std::uint64_t scale_;  ///< nanoseconds per tick, times 2^k_scale_bits
};

[[nodiscard]] std::string_view name(CycleClock::Source source);

}  // namespace damrak
