// Words and numbers of the texts in which a market file has the rows of a table.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>
#include <vector>

namespace damrak::participants::detail {

[[nodiscard]] inline std::vector<std::string_view> words_of(std::string_view text) {
    std::vector<std::string_view> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t begin = text.find_first_not_of(' ', at);
        if (begin == std::string_view::npos) break;
        at = text.find(' ', begin);
        if (at == std::string_view::npos) at = text.size();
        words.push_back(text.substr(begin, at - begin));
    }
    return words;
}

/// The whole text, or nothing.
template <class T>
[[nodiscard]] std::optional<T> number_of(std::string_view text) {
    T value{};
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    if (error != std::errc{} || rest != end) return std::nullopt;
    return value;
}

}  // namespace damrak::participants::detail
