// Things that one thread hands to another, in order: the other takes all that are there at once.
// Neither waits. Each thing has a pointer of its own for that, `T* next`.
#pragma once

#include <atomic>
#include <memory>
#include <utility>

namespace damrak::gateway::fix::detail {

template <class T>
class HandedOver {
  public:
    HandedOver() = default;
    HandedOver(const HandedOver&) = delete;
    HandedOver& operator=(const HandedOver&) = delete;
    ~HandedOver() {
        take([](std::unique_ptr<T>) {});
    }

    void put(std::unique_ptr<T> thing) {
        thing->next = newest_.load(std::memory_order_relaxed);
        while (!newest_.compare_exchange_weak(thing->next, thing.get(), std::memory_order_release,
                                              std::memory_order_relaxed)) {
        }
        static_cast<void>(thing.release());
    }
    [[nodiscard]] bool any() const { return newest_.load(std::memory_order_relaxed) != nullptr; }
    /// Calls f(unique_ptr) for each, the oldest first.
    template <class F>
    void take(F&& f) {
        T* newest = newest_.exchange(nullptr, std::memory_order_acquire);
        T* oldest = nullptr;
        while (newest != nullptr) {
            T* const older = std::exchange(newest->next, oldest);
            oldest = std::exchange(newest, older);
        }
        while (oldest != nullptr) {
            std::unique_ptr<T> thing{oldest};
            oldest = thing->next;
            f(std::move(thing));
        }
    }

  private:
    std::atomic<T*> newest_ = nullptr;
};

}  // namespace damrak::gateway::fix::detail
