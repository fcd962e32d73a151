// API keys in text form, for configurations and command lines. A pure function.
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include <damrak/wire/binary/messages.hpp>

namespace damrak::wire::binary {

inline constexpr std::string_view k_api_key_form = "1 to 16 characters, or 32 hexadecimal digits";

/// 32 hexadecimal digits are bytes; shorter input is text, padded with zeros. Empty for anything
/// else.
[[nodiscard]] inline std::optional<ApiKey> parse_api_key(std::string_view text) {
    ApiKey key{};
    if (!text.empty() && text.size() <= key.size()) {
        std::ranges::transform(text, key.begin(), [](char c) { return std::byte(c); });
        return key;
    }
    constexpr std::string_view k_digits = "0123456789abcdef";
    if (text.size() != 2 * key.size()) return {};
    for (std::size_t i = 0; i < text.size(); ++i) {
        const char lower = static_cast<char>(text[i] | 0x20);
        const std::size_t digit = k_digits.find(lower);
        if (digit == std::string_view::npos) return {};
        key[i / 2] = key[i / 2] << 4U | static_cast<std::byte>(digit);
    }
    return key;
}

}  // namespace damrak::wire::binary
