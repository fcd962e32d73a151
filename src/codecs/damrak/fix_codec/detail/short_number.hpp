// Parses short numbers, which nearly all are: up to eight digits, perhaps with a point, in a few
// instructions and without a loop.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <damrak/base/inline.hpp>
#include <damrak/fix_codec/detail/digits.hpp>

namespace damrak::fix_codec::detail {

/// The number in units of 10^-digits, or empty: the general path must then parse it or name the
/// fault. `word` begins with the text, which has `size` characters.
template <bool with_point>
[[nodiscard]] DAMRAK_HOT std::optional<std::int64_t> short_number(std::uint64_t word,
                                                                  std::size_t size, int digits) {
    static constexpr std::array<std::uint64_t, 10> k_powers{
        1, 10, 100, 1'000, 10'000, 100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};
    if (size - 1 >= k_word_bytes) return std::nullopt;
    word = digits_at_end(word, size);
    int missing = digits;
    if constexpr (with_point) {
        constexpr std::uint64_t k_no_digit = k_every_byte * 0x10;
        if (const std::uint64_t points = word & k_no_digit; points != 0) {
            const int at = std::countr_zero(points) / 8;
            if (size == 1 || (word >> 8 * at & 0xFFU) != k_point) return std::nullopt;
            // Shifts the digits before the point over it.
            const std::uint64_t before = (std::uint64_t{1} << 8 * at) - 1;
            const std::uint64_t behind = ~(before << 8U | 0xFFU);
            word = (word & behind) | (word & before) << 8U;
            missing = digits - (7 - at);
        }
    }
    if (!all_digits(word) || static_cast<unsigned>(missing) >= k_powers.size()) return std::nullopt;
    return static_cast<std::int64_t>(number_of(word) * k_powers[static_cast<std::size_t>(missing)]);
}

}  // namespace damrak::fix_codec::detail
