// Those who help and share a core go through one after the other, each followed by a rest in which
// the core is left to whoever it is there for. Without that they ran in a row as soon as the system
// let one of them run, for milliseconds in all, as another one woke up whenever one slept.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace damrak {

/// Any number of threads may call it at once. Times are in nanoseconds of one steady clock.
class Turnstile {
  public:
    /// What a piece counts for at most: whoever took longer was itself interrupted.
    static constexpr std::int64_t k_longest_piece_ns = 200'000;

    /// When a caller who has just done a piece of work may do the next: after all who asked before,
    /// and a rest of `rests` times as long as the piece took.
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
