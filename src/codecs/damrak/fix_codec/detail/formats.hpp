// The data types of FIX fields, as far as their formats differ, and the check of a value against
// its type. The dictionary calls it for every field of every message; it costs one walk over the
// text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace damrak::fix_codec {

enum class Format : std::uint8_t {
    text,          ///< String, and all types treated like it
    data,          ///< raw bytes behind a length
    list,          ///< texts separated by single spaces
    character,     ///< one
    boolean,       ///< Y or N
    integer,       ///< digits with an optional minus
    count,         ///< digits: lengths, sequence numbers, numbers of entries
    decimal,       ///< digits with at most one point and an optional minus
    timestamp,     ///< UTCTimestamp
    time_only,     ///< UTCTimeOnly
    date,          ///< UTCDateOnly, LocalMktDate
    month_year,    ///< YYYYMM, YYYYMMDD or YYYYMMw1 to w5
    day_of_month,  ///< 1 to 31
};

/// Format of a type name in a dictionary ("QTY"). In FIX.4.0 and 4.1 CHAR was a string:
/// `char_is_text`.
[[nodiscard]] std::optional<Format> parse_format(std::string_view type, bool char_is_text);

/// Requires a non-empty value.
[[nodiscard]] bool well_formed(Format format, std::string_view text);

}  // namespace damrak::fix_codec
