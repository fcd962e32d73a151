// For helpers that do something every so often.
#pragma once

#include <cstdint>

namespace damrak::journal::detail {

/// Whether a task is due, by a clock that may have been set back.
[[nodiscard]] constexpr bool is_due(std::int64_t now_ns, std::int64_t next_ns,
                                    std::int64_t interval_ns) {
    return now_ns >= next_ns || next_ns - now_ns > interval_ns;
}

}  // namespace damrak::journal::detail
