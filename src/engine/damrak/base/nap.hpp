// A sleep that other threads can end. A thread polls by itself while it is busy; in a quiet period
// it naps and other threads call it. One thread sleeps, any thread calls. A call costs one load if
// the sleeper has not yet checked the previous call, and a system call only if the sleeper is
// asleep.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>

namespace damrak {

class Nap {
  public:
    Nap() = default;
    Nap(const Nap&) = delete;
    Nap& operator=(const Nap&) = delete;

    /// Announces work. Never blocks, unlike a condition variable, where the notifying thread can
    /// have to wait for threads that it woke before. If a call coincides with the sleeper's check,
    /// it may be counted with an earlier one; unless the sleeper asks may_sleep(), the work then
    /// waits for the next call or the end of the nap.
    void call() {
        // Costs no instruction: the processor may still load before the work is visible to others.
        std::atomic_signal_fence(std::memory_order_seq_cst);
        if (called_.load(std::memory_order_relaxed)) return;
        called_.store(true);
        if (naps_.load() && naps_.exchange(false)) wake();
    }

    /// Whether there was a call since the last check or nap.
    [[nodiscard]] bool was_called() {
        const bool called = called_.exchange(false);
        is_settled_ &= !called;
        return called;
    }
    /// For a sleeper that must not miss a call. Ask it after each look that found no work. False:
    /// look again, as the work of a call may have been invisible to this look. True: sleep() ends
    /// by every call for work that this look did not find. Once after each call it interrupts those
    /// threads of the process that run, for about a microsecond. Always false if the kernel cannot
    /// do that.
    [[nodiscard]] bool may_sleep();
    /// Whether the sleeper is in sleep(). Any thread.
    [[nodiscard]] bool naps() const { return naps_.load(); }
    /// Sleeps until a call, but at most for `most`. Returns at once if a call was not yet checked.
    /// Returns whether there was a call.
    bool sleep(std::chrono::milliseconds most);

  private:
    void wake();

    std::atomic<bool> called_{false};
    std::atomic<bool> naps_{false};
    std::atomic<std::uint32_t> ended_{0};  ///< 1 once the sleeper was woken; it waits on this
    bool is_settled_ =
        false;  ///< the sleeper's: no thread takes a checked call for an unchecked one
};

}  // namespace damrak
