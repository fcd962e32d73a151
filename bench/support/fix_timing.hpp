// Clocks every message of a run by itself with the calibrated cycle counter, the reading of which
// is part of each figure (some 16 ns here). Used by fix_encode.
#pragma once

#include <cstdint>
#include <memory>

#include <nlohmann/json.hpp>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/histogram.hpp>

#include "support/fix_order.hpp"

namespace damrak::bench {

inline constexpr std::uint64_t k_warm_up_messages = 1'000;

class FixTiming {
  public:
    explicit FixTiming(const CycleClock& clock) : clock_(&clock) {}

    /// Sends orders from number `first` on: those of the warm-up, then `count` that are clocked.
    template <class Send>
    void run(std::uint64_t first, std::uint64_t count, Send&& send) {
        for (std::uint64_t i = 0; i < k_warm_up_messages; ++i) send(FixOrder{first + i});
        for (std::uint64_t i = k_warm_up_messages; i < k_warm_up_messages + count; ++i) {
            const FixOrder order{first + i};
            const std::uint64_t begin = clock_->now_ticks();
            send(order);
            ticks_->record(clock_->now_ticks() - begin);
        }
    }

    [[nodiscard]] std::uint64_t ns(double percent) const {
        return clock_->to_ns(ticks_->percentile(percent));
    }
    [[nodiscard]] nlohmann::ordered_json to_json() const {
        return {{"messages", ticks_->count()},
                {"p50", ns(50)},
                {"p90", ns(90)},
                {"p99", ns(99)},
                {"p99_9", ns(99.9)},
                {"max", ns(100)},
                {"mean", ticks_->mean() * clock_->calibration().ns_per_tick}};
    }

  private:
    const CycleClock* clock_;
    std::unique_ptr<Histogram> ticks_ = std::make_unique<Histogram>();
};

}  // namespace damrak::bench
