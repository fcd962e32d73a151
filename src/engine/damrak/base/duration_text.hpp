// Durations as files and messages have them: "250us", "1.5s", "10min".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace damrak {

/// Nanoseconds of a number with the unit ns, us, ms, s, min or h; nothing: it is none, negative, or
/// above a hundred years.
[[nodiscard]] std::optional<std::int64_t> parse_duration(std::string_view text);
/// In the largest unit that keeps it exact.
[[nodiscard]] std::string duration_text(std::int64_t ns);

}  // namespace damrak
