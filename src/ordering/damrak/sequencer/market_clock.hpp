// The time for stamps of commands: the system's, or that of a recorded day, which its player sets.
// Sessions and networks always use the system's clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <limits>

#include <damrak/domain/measures.hpp>

namespace damrak::sequencer {

class MarketClock {
  public:
    /// Any thread.
    [[nodiscard]] Timestamp at(Timestamp system) const {
        const std::int64_t set = time_ns_.load(std::memory_order_relaxed);
        return set == k_unset ? system : Timestamp{set};
    }
    /// For one thread. The clock stands still until it is set again.
    void set(Timestamp time) { time_ns_.store(time.value, std::memory_order_relaxed); }

  private:
    static constexpr std::int64_t k_unset = std::numeric_limits<std::int64_t>::min();
    std::atomic<std::int64_t> time_ns_{k_unset};
};

}  // namespace damrak::sequencer
