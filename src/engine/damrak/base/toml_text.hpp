// A text as a TOML file has it. Used by whatever writes such files.
#pragma once

#include <string>
#include <string_view>

namespace damrak {

/// A basic string: in quotes, with quotes, backslashes and control characters escaped.
[[nodiscard]] inline std::string toml_text(std::string_view text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') {
            result += '\\';
            result += c;
        } else if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) {
            constexpr std::string_view k_digits = "0123456789abcdef";
            result += "\\u00";
            result += k_digits[static_cast<unsigned char>(c) >> 4U];
            result += k_digits[static_cast<unsigned char>(c) & 15U];
        } else {
            result += c;
        }
    }
    return result + '"';
}

}  // namespace damrak
