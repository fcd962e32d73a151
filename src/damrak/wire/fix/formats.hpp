// The data types of FIX fields, as far as their texts differ, and whether a text is one.
// Called by the dictionary for every field of every message; costs a walk over the text.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace damrak::wire::fix {

enum class Format : std::uint8_t {
    text,          ///< String and all that is no more than that to us
    data,          ///< raw bytes behind a length
    list,          ///< texts separated by single spaces
    character,     ///< one
    boolean,       ///< Y or N
    integer,       ///< digits, a minus before them if need be
    count,         ///< digits: lengths, sequence numbers, numbers of entries
    decimal,       ///< digits with at most one point, a minus before them if need be
    timestamp,     ///< UTCTimestamp
    time_only,     ///< UTCTimeOnly
    date,          ///< UTCDateOnly, LocalMktDate
    month_year,    ///< YYYYMM, YYYYMMDD or YYYYMMw1 to w5
    day_of_month,  ///< 1 to 31
};

/// Of a type as dictionaries name it ("QTY"). CHAR was a string up to FIX.4.1: `char_is_text`.
[[nodiscard]] std::optional<Format> parse_format(std::string_view type, bool char_is_text);

/// Of a value that is not empty.
[[nodiscard]] bool well_formed(Format format, std::string_view text);

}  // namespace damrak::wire::fix
