// The system's time as journals, stamps and clients have it: nanoseconds since the Unix epoch. A
// look costs some twenty nanoseconds. For the gateways and whoever stands outside of the
// exchange's determinism; to the rooms below them time is an input.
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

/// The same, but never before what it told last: the system's clock may be set back.
class ForwardClock {
  public:
    [[nodiscard]] std::int64_t now_ns() { return last_ns_ = std::max(last_ns_, system_time_ns()); }

  private:
    std::int64_t last_ns_ = 0;
};

}  // namespace damrak
