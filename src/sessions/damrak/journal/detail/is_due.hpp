// Timing of periodic tasks in helpers.
#pragma once

#include <cstdint>

namespace damrak::journal::detail {

/// Whether a task is due. The clock may have been set back.
[[nodiscard]] constexpr bool is_due(std::int64_t now_ns, std::int64_t next_ns,
                                    std::int64_t interval_ns) {
    return now_ns >= next_ns || next_ns - now_ns > interval_ns;
}

}  // namespace damrak::journal::detail
