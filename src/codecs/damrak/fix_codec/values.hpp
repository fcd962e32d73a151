// Field values as numbers, times and letters. Exact: no floating point, no rounding. Used by
// message.hpp for typed access and by the dictionary, which checks formats with the same functions.
// Pure; each costs a pass over the few bytes of the value.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

#include <damrak/domain/measures.hpp>

namespace damrak::fix_codec {

enum class ValueError : std::uint8_t {
    absent,        ///< the message has no such field
    wrong_format,  ///< not valid for the type of the field
    out_of_range,  ///< valid, but does not fit the requested type
    inexact,       ///< a decimal with more non-zero digits than requested
};

template <class T>
using Value = std::expected<T, ValueError>;

/// int: an optional minus and digits; leading zeros are allowed, a plus is not.
[[nodiscard]] Value<std::int64_t> parse_integer(std::string_view text);

/// float: an optional minus, digits with at most one point. In units of 10^-digits.
[[nodiscard]] Value<std::int64_t> parse_decimal(std::string_view text, int digits);

/// UTCTimestamp: YYYYMMDD-HH:MM:SS, optionally with a point and 1 to 9 digits (FIX up to 4.4 has
/// three; more are for finer clocks). A leap second (60) becomes the first second of the next
/// minute.
[[nodiscard]] Value<Timestamp> parse_timestamp(std::string_view text);
/// UTCTimeOnly, as nanoseconds since midnight.
[[nodiscard]] Value<std::int64_t> parse_time_only(std::string_view text);
/// UTCDateOnly or LocalMktDate, YYYYMMDD, as days since the Unix epoch.
[[nodiscard]] Value<std::int64_t> parse_date(std::string_view text);

[[nodiscard]] Value<char> parse_char(std::string_view text);
/// Y or N.
[[nodiscard]] Value<bool> parse_boolean(std::string_view text);

}  // namespace damrak::fix_codec
