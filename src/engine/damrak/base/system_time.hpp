// System time as used in journals, stamps and messages: nanoseconds since the Unix epoch. A reading
// costs some twenty nanoseconds. For gateways and other code outside the deterministic part, which
// receives time as input.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace damrak {

[[nodiscard]] inline std::int64_t system_time_ns() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(
               std::chrono::system_clock::now().time_since_epoch())
        .count();
}

/// System time that never decreases, even if the system clock is set back.
class ForwardClock {
  public:
    [[nodiscard]] std::int64_t now_ns() { return last_ns_ = std::max(last_ns_, system_time_ns()); }

  private:
    std::int64_t last_ns_ = 0;
};

}  // namespace damrak
