// Whole numbers as decimal digits without a loop or a division: eight digits side by side in a
// word, the first one in the lowest byte. For writers of text on a hot path, here and in other
// rooms; 2 to 5 ns a number.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include <emmintrin.h>

#include <damrak/base/inline.hpp>

namespace damrak {

/// Added to eight digits from 0 to 9, it turns them into characters: "00000000".
inline constexpr std::uint64_t k_zeros_text = 0x3030'3030'3030'3030;

/// The eight digits of a number below 10^8, one from 0 to 9 in each byte.
[[nodiscard]] DAMRAK_HOT constexpr std::uint64_t eight_digits(std::uint32_t value) {
    // Splits into halves, quarters and eighths side by side in one word. Divisions are
    // multiplications, exact within these ranges.
    const std::uint64_t halves = value / 10'000 | std::uint64_t{value % 10'000} << 32U;
    const std::uint64_t hundreds = halves * 10'486 >> 20U & 0x0000'007F'0000'007F;
    const std::uint64_t quarters = hundreds | (halves - 100 * hundreds) << 16U;
    const std::uint64_t tens = quarters * 103 >> 10U & 0x000F'000F'000F'000F;
    return tens | (quarters - 10 * tens) << 8U;
}

/// The digits of two numbers, one in each byte.
struct DigitPair {
    std::uint64_t first = 0;
    std::uint64_t second = 0;
};
/// Digits of two numbers below 10^8, for about the cost of one.
[[nodiscard]] DAMRAK_HOT DigitPair eight_digits_of_both(std::uint32_t first, std::uint32_t second) {
    const __m128i both = _mm_set_epi64x(second, first);
    const __m128i high =
        _mm_srli_epi64(_mm_mul_epu32(both, _mm_set1_epi64x(0xD1B7'1759)), 45);  // / 10'000
    const __m128i low = _mm_sub_epi64(both, _mm_mul_epu32(high, _mm_set1_epi64x(10'000)));
    const __m128i halves = _mm_or_si128(high, _mm_slli_epi64(low, 32));
    const __m128i hundreds = _mm_srli_epi16(_mm_mulhi_epu16(halves, _mm_set1_epi16(5'243)), 3);
    const __m128i rest = _mm_sub_epi16(halves, _mm_mullo_epi16(hundreds, _mm_set1_epi16(100)));
    const __m128i quarters = _mm_or_si128(hundreds, _mm_slli_epi32(rest, 16));
    const __m128i tens = _mm_mulhi_epu16(quarters, _mm_set1_epi16(6'554));
    const __m128i ones = _mm_sub_epi16(quarters, _mm_mullo_epi16(tens, _mm_set1_epi16(10)));
    const __m128i digits = _mm_or_si128(tens, _mm_slli_epi16(ones, 8));
    return {static_cast<std::uint64_t>(_mm_cvtsi128_si64(digits)),
            static_cast<std::uint64_t>(_mm_cvtsi128_si64(_mm_unpackhi_epi64(digits, digits)))};
}

/// The four digits of a number below 10^4, in the same way.
[[nodiscard]] DAMRAK_HOT constexpr std::uint64_t four_digits(std::uint32_t value) {
    const std::uint32_t hundreds = value * 10'486 >> 20U;
    const std::uint32_t quarters = hundreds | (value - 100 * hundreds) << 16U;
    const std::uint32_t tens = quarters * 103 >> 10U & 0x000F'000F;
    return tens | (quarters - 10 * tens) << 8U;
}

/// Indexed by the position of a number's highest set bit. The entry plus the number has the count
/// of its decimal digits in the upper half of the word.
inline constexpr auto k_digit_counts = [] {
    std::array<std::uint64_t, 32> entries{};
    std::uint64_t digits = 1;
    std::uint64_t next = 10;  // the lowest number with one more digit
    for (unsigned bit = 0; bit < entries.size(); ++bit) {
        const std::uint64_t highest = (std::uint64_t{2} << bit) - 1;
        if (highest < next) {
            entries[bit] = digits << 32U;
        } else {
            ++digits;
            entries[bit] = (digits << 32U) - next;
            next *= 10;
        }
    }
    return entries;
}();

/// The number of decimal digits, 1 for zero. It is ready long before the digits, so code that needs
/// only the length does not wait for them.
[[nodiscard]] DAMRAK_HOT constexpr unsigned digit_count(std::uint32_t value) {
    const auto bit = static_cast<unsigned>(31 - std::countl_zero(value | 1U));
    return static_cast<unsigned>((value + k_digit_counts[bit]) >> 32U);
}

/// The absolute value, valid even for the smallest integer.
[[nodiscard]] DAMRAK_HOT constexpr std::uint64_t magnitude(std::int64_t value) {
    const auto bits = static_cast<std::uint64_t>(value);
    return value < 0 ? 0 - bits : bits;
}

/// Calls `see` with the digits of a number, up to eight at a time in the low bytes of a word, and
/// with their count.
template <class See>
DAMRAK_HOT void each_eight_digits(std::uint64_t value, const See& see) {
    constexpr std::uint64_t k_eight = 100'000'000;
    if (value < k_eight) [[likely]] {
        const auto small = static_cast<std::uint32_t>(value);
        const unsigned count = digit_count(small);
        return see(eight_digits(small) >> 8 * (8 - count), count);
    }
    unsigned count = 8;  // digits in the second-last group of eight
    if (value >= k_eight * k_eight) {
        const auto most = static_cast<std::uint32_t>(value / (k_eight * k_eight));
        const unsigned more = digit_count(most);
        see(four_digits(most) >> 8 * (4 - more), more);
        value %= k_eight * k_eight;
    } else {
        count = digit_count(static_cast<std::uint32_t>(value / k_eight));
    }
    const DigitPair digits = eight_digits_of_both(static_cast<std::uint32_t>(value / k_eight),
                                                  static_cast<std::uint32_t>(value % k_eight));
    see(digits.first >> 8 * (8 - count), count);
    see(digits.second, 8U);
}

}  // namespace damrak
