// Checks of the most common formats in a few instructions, for values within a message: eight bytes
// must be readable from any value on. A false result is not final: well_formed() decides.
#pragma once

#include <array>
#include <string_view>

#include <damrak/fix_codec/detail/digits.hpp>

namespace damrak::fix_codec::detail {

/// Up to eight digits, with or without a point.
template <bool with_point>
[[nodiscard]] inline bool is_plain_number(std::string_view text) {
    if (text.size() - 1 >= k_word_bytes) return false;
    const std::uint64_t digits = digits_at_end(load_eight(text.begin()), text.size());
    if constexpr (!with_point) return all_digits(digits);
    const std::uint64_t points = bytes_equal(digits, k_point);
    const auto count = static_cast<std::size_t>(std::popcount(points));
    return static_cast<unsigned>(count <= 1) & static_cast<unsigned>(count < text.size()) &
           static_cast<unsigned>(all_digits(digits ^ (points >> 7U) * k_point));
}

// YYYYMMDD-HH:MM:SS with up to nine decimals, except for 29 February.
[[nodiscard]] inline bool is_plain_timestamp(std::string_view text) {
    constexpr std::size_t k_seconds_end = 17;
    constexpr std::size_t k_maximum = k_seconds_end + 10;
    if (text.size() < k_seconds_end || text.size() > k_maximum) return false;
    const std::uint64_t date = digits_at_end(load_eight(text.begin()), k_word_bytes);
    constexpr std::uint64_t k_colons = 0x0000FF0000FF0000;
    const std::uint64_t time = load_eight(text.begin() + 9) ^ 0x30303A30303A3030;
    if (!all_digits(date) || !all_digits(time) || (time & k_colons) != 0 || text[8] != '-')
        return false;
    // Each pair of digits as a number, in the byte of its first digit.
    const auto pairs = [](std::uint64_t digits) { return digits * 10 + (digits >> 8U); };
    const std::uint64_t month = pairs(date) >> 32U & 0xFFU;
    const std::uint64_t day = pairs(date) >> 48U & 0xFFU;
    constexpr std::array<std::uint8_t, 12> k_days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    // Values above 23, 59 or 60 set the highest bit of their byte.
    constexpr std::uint64_t k_parts = 0x00FF0000FF0000FF;
    constexpr std::uint64_t k_beyond = (127U - 23U) | (127U - 59U) << 24U | (127ULL - 60U) << 48U;
    const std::uint64_t beyond = ((pairs(time) & k_parts) + k_beyond) & k_parts / 0xFF * 0x80;
    if (month - 1 > 11 || day - 1 >= k_days[month - 1] || beyond != 0) return false;
    if (text.size() == k_seconds_end) return true;
    const std::string_view decimals = text.substr(k_seconds_end + 1);
    if (text[k_seconds_end] != '.' || decimals.empty()) return false;
    if (decimals.size() <= k_word_bytes) return is_plain_number<false>(decimals);
    return is_plain_number<false>(decimals.substr(0, k_word_bytes)) && decimals.back() >= '0' &&
           decimals.back() <= '9';
}

}  // namespace damrak::fix_codec::detail
