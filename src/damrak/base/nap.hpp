// A sleep that others can end: for a thread that looks for work by itself while there is much of
// it, and is called when some comes after a quiet time. One thread sleeps, any thread calls. A call
// costs a load as long as the sleeper has not looked since the last one, and a system call only
// where it is asleep.
#pragma once

#include <atomic>
#include <chrono>

namespace damrak {

class Nap {
  public:
    Nap();
    Nap(const Nap&) = delete;
    Nap& operator=(const Nap&) = delete;
    ~Nap();

    /// There is work. Waits for nobody. A condition variable may: who wakes one up can have to wait
    /// until others that it woke before have run. A call in the very moment of a look can be taken
    /// for one before it, and the work then waits for the next call or the end of the nap.
    void call() {
        if (called_.load(std::memory_order_relaxed)) return;
        called_.store(true);
        if (naps_.load() && naps_.exchange(false)) wake();
    }

    /// Whether there was a call since the last check or nap.
    [[nodiscard]] bool was_called() { return called_.exchange(false); }
    /// Sleeps until there is a call, or for so long; not at all after a call that nobody has looked
    /// for. Whether there was one.
    bool sleep(std::chrono::milliseconds most);

  private:
    void wake() const;

    std::atomic<bool> called_{false};
    std::atomic<bool> naps_{false};
    int ended_;  ///< a descriptor, readable: it was woken
};

}  // namespace damrak
