// Turns for the helpers that share a core: one after the other, with a pause after each in which
// the core belongs to the trading thread. Without turns, one helper wakes up whenever another
// sleeps, and together they hold the core for milliseconds.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace damrak {

/// Any number of threads may call it at once. Times are in nanoseconds of one steady clock.
class HelperTurns {
  public:
    /// A piece counts for at most this much: a longer one was itself preempted.
    static constexpr std::int64_t k_longest_piece_ns = 200'000;

    /// Earliest time of the caller's next piece of work: after all earlier callers, and after a
    /// pause of `rests` times the duration of the last piece.
    std::int64_t next_turn(std::int64_t now_ns, std::int64_t piece_ns, int rests) {
        const std::int64_t rest_ns = rests * std::min(piece_ns, k_longest_piece_ns);
        std::int64_t last_ns = last_turn_ns_.load(std::memory_order_relaxed);
        std::int64_t turn_ns = 0;
        do turn_ns = std::max(last_ns, now_ns) + rest_ns;
        while (!last_turn_ns_.compare_exchange_weak(last_ns, turn_ns, std::memory_order_relaxed));
        return turn_ns;
    }

  private:
    std::atomic<std::int64_t> last_turn_ns_{0};
};

}  // namespace damrak
