// Eight digits at a time in a word of 64 bits: the first character in the lowest byte.
// After D. Lemire and G. Langdale's way of parsing eight digits with three multiplications.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace damrak::fix_codec::detail {

inline constexpr std::uint64_t k_every_byte = 0x0101010101010101;
inline constexpr std::size_t k_word_bytes = 8;

/// Eight readable characters: a value and the bytes after it in its message. Not for CheckSum, the
/// last field.
[[nodiscard]] inline std::uint64_t load_eight(std::string_view::const_iterator from) {
    std::uint64_t word;
    std::memcpy(&word, from, sizeof word);
    return word;
}

/// Loads 1 to 8 characters and reads nothing after them.
[[nodiscard]] inline std::uint64_t load_short(const char* from, std::size_t length) {
    if (length >= sizeof(std::uint32_t)) {
        std::uint32_t low;
        std::uint32_t high;
        std::memcpy(&low, from, sizeof low);
        std::memcpy(&high, from + length - sizeof high, sizeof high);
        return low | std::uint64_t{high} << 8 * (length - sizeof high);
    }
    std::uint64_t word = static_cast<unsigned char>(from[0]);
    if (length > 1) word |= std::uint64_t{static_cast<unsigned char>(from[1])} << 8U;
    if (length > 2) word |= std::uint64_t{static_cast<unsigned char>(from[2])} << 16U;
    return word;
}

/// The first `length` characters minus '0', shifted to the end of the word, with zeros before them.
[[nodiscard]] inline std::uint64_t digits_at_end(std::uint64_t word, std::size_t length) {
    return (word ^ k_every_byte * '0') << 8 * (k_word_bytes - length);
}

/// True if every byte is 0 to 9.
[[nodiscard]] inline bool all_digits(std::uint64_t digits) {
    return (((digits + k_every_byte * 0x76) | digits) & k_every_byte * 0x80) == 0;
}

/// Sets the top bit of each byte that equals `value`, which must be below 0x80.
[[nodiscard]] inline std::uint64_t bytes_equal(std::uint64_t word, std::uint8_t value) {
    const std::uint64_t other = word ^ k_every_byte * value;
    constexpr std::uint64_t k_low = k_every_byte * 0x7F;
    return ~(((other & k_low) + k_low) | other | k_low);
}

/// The value of '.' minus '0' in digits_at_end().
inline constexpr std::uint8_t k_point = '.' ^ '0';

/// Value of eight digits.
[[nodiscard]] inline std::uint64_t number_of(std::uint64_t digits) {
    digits = digits * 10 + (digits >> 8U);
    constexpr std::uint64_t k_pairs = 0x000000FF000000FF;
    constexpr std::uint64_t k_first = 100 + (1'000'000ULL << 32U);
    constexpr std::uint64_t k_second = 1 + (10'000ULL << 32U);
    return ((digits & k_pairs) * k_first + (digits >> 16U & k_pairs) * k_second) >> 32U;
}

}  // namespace damrak::fix_codec::detail
