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
    /// it may be counted with an earlier one; the work then waits for the next call or the end of
    /// the nap.
    void call() {
        if (called_.load(std::memory_order_relaxed)) return;
        called_.store(true);
        if (naps_.load() && naps_.exchange(false)) wake();
    }

    /// Whether there was a call since the last check or nap.
    [[nodiscard]] bool was_called() { return called_.exchange(false); }
    /// Sleeps until a call, but at most for `most`. Returns at once if a call was not yet checked.
    /// Returns whether there was a call.
    bool sleep(std::chrono::milliseconds most);

  private:
    void wake();

    std::atomic<bool> called_{false};
    std::atomic<bool> naps_{false};
    std::atomic<std::uint32_t> ended_{0};  ///< 1 once the sleeper was woken; it waits on this
};

}  // namespace damrak
