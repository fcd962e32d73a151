// Compares typed words without regard to case.
#pragma once

#include <algorithm>
#include <string_view>

namespace damrak::client::detail {

[[nodiscard]] inline bool same_word(std::string_view a, std::string_view b) {
    const auto lower = [](char c) {
        return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return std::ranges::equal(a, b, {}, lower, lower);
}

}  // namespace damrak::client::detail
