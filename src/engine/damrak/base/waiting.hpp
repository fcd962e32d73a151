// Idle strategies of a thread: a trade-off of latency and processor time. One object per thread;
// while there is work, a call costs one store.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <thread>
#include <utility>

#include <immintrin.h>

namespace damrak {

enum class Waiting : std::uint8_t {
    spin,     ///< polls again at once: lowest latency, for a core of its own
    yield,    ///< yields: if there are more threads than cores
    backoff,  ///< spins, then yields, then sleeps for longer and longer, up to a millisecond
    block,    ///< sleeps for a pause each time: for work that can wait
};

/// How long to sleep between polls for work that nobody announces. The pause starts at `first`,
/// doubles with every idle poll up to `longest`, and starts again when there is work.
class GrowingPause {
  public:
    using Duration = std::chrono::microseconds;

    GrowingPause(Duration first, Duration longest)
        : first_(first), longest_(std::max(first, longest)), next_(first) {}

    /// Call after each poll, with the amount of work done.
    Duration after(std::size_t work) {
        if (work > 0) return next_ = first_;
        return std::exchange(next_, std::min(2 * next_, longest_));
    }

  private:
    Duration first_;
    Duration longest_;
    Duration next_;
};

/// Waits between two turns in which there was nothing to do.
class Waiter {
  public:
    static constexpr std::chrono::microseconds k_block_pause{200};
    /// Idle turns after which `backoff` sleeps as long as it ever does.
    static constexpr unsigned k_turns_to_longest = 210;

    /// `pause` applies to `block`: a thread that wakes up takes time from others on its core.
    explicit Waiter(Waiting how, std::chrono::microseconds pause = k_block_pause)
        : how_(how), pause_(pause) {}

    /// Call after each turn, with the amount of work done.
    void after(std::size_t work) {
        if (work > 0) {
            idle_turns_ = 0;
            return;
        }
        switch (how_) {
            case Waiting::spin:
                return _mm_pause();
            case Waiting::yield:
                return std::this_thread::yield();
            case Waiting::backoff:
                return back_off();
            case Waiting::block:
                return std::this_thread::sleep_for(pause_);
        }
    }

  private:
    static constexpr unsigned k_spins = 100;
    static constexpr unsigned k_yields = 100;
    static constexpr unsigned k_longest_pause_bits = 10;  // microseconds
    static_assert(k_turns_to_longest == k_spins + k_yields + k_longest_pause_bits);

    void back_off() {
        ++idle_turns_;
        if (idle_turns_ <= k_spins) return _mm_pause();
        if (idle_turns_ <= k_spins + k_yields) return std::this_thread::yield();
        const unsigned bits = idle_turns_ - k_spins - k_yields;
        if (bits >= k_longest_pause_bits) --idle_turns_;
        std::this_thread::sleep_for(std::chrono::microseconds{1U << bits});
    }

    Waiting how_;
    std::chrono::microseconds pause_;
    unsigned idle_turns_ = 0;
};

}  // namespace damrak
