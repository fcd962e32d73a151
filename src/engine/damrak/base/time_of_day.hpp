// Times of day as people write them: 10:31, 10:31:05 or 10:31:05.123456789, as nanoseconds since
// midnight. Exact: no floating point. For options, never on a hot path.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace damrak {

/// Empty for any other form, and for times after 24:00:00.
[[nodiscard]] std::optional<std::int64_t> parse_time_of_day(std::string_view text);

}  // namespace damrak
