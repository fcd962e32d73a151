// FIX messages for tests, with | as the delimiter.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/fix_codec/checksum.hpp>

namespace damrak::testing {

[[nodiscard]] inline std::string fix_bytes(std::string_view readable) {
    std::string bytes{readable};
    std::ranges::replace(bytes, '|', '\x01');
    return bytes;
}

[[nodiscard]] inline std::string with_bars(std::string_view bytes) {
    std::string readable{bytes};
    std::ranges::replace(readable, '\x01', '|');
    return readable;
}

/// BeginString, BodyLength, the body and CheckSum: fix_message("FIX.4.4", "35=0|34=1|").
[[nodiscard]] inline std::string fix_message(std::string_view begin_string,
                                             std::string_view readable_body) {
    const std::string body = fix_bytes(readable_body);
    std::string message = fix_bytes(fmt::format("8={}|9={}|", begin_string, body.size())) + body;
    message += fix_bytes(fmt::format("10={:03}|", fix_codec::checksum_portable(message)));
    return message;
}

}  // namespace damrak::testing
