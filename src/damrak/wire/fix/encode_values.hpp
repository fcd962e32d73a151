// How single values of FIX become text: integers, decimals, times, strings, tag names. The lowest
// layer of the encoder, called by MessageWriter (encode.hpp) and TemplateWriter
// (encode_template.hpp) for every field.
//
// A Cursor writes at a place and adds up the bytes as they go by, so that the checksum needs no
// second look at memory that was written a moment ago (which the processor would have to wait for).
// It knows no end: whoever uses it has made sure that there is room for the value and for
// k_spare_bytes more, which may be written over with anything. Costs 2 to 5 ns a value.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <emmintrin.h>

#include <damrak/base/decimal_digits.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/wire/fix/tags.hpp>

namespace damrak::wire::fix {

inline constexpr char k_field_end = '\x01';

/// Digits behind the point of the seconds.
enum class TimePrecision : std::uint8_t {
    seconds = 0,
    milliseconds = 3,
    microseconds = 6,
    nanoseconds = 9
};

namespace detail {

inline constexpr std::size_t k_spare_bytes = 32;

[[nodiscard]] constexpr std::uint32_t sum_of_bytes(std::uint64_t small_bytes) {
    return static_cast<std::uint32_t>(small_bytes * 0x0101'0101'0101'0101 >> 56U);
}

inline void store(char* to, std::uint64_t bytes) { std::memcpy(to, &bytes, sizeof bytes); }

template <class T>
[[nodiscard]] inline std::uint64_t load(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Up to eight bytes, zeros behind them; reads nothing beyond.
[[nodiscard]] inline std::uint64_t load_up_to_8(const char* from, std::size_t count) {
    if (count == 8) return load<std::uint64_t>(from);
    if (count >= 4)
        return load<std::uint32_t>(from) | load<std::uint32_t>(from + count - 4) << 8 * (count - 4);
    if (count >= 2)
        return load<std::uint16_t>(from) | load<std::uint16_t>(from + count - 2) << 8 * (count - 2);
    return count == 0 ? 0 : load<std::uint8_t>(from);
}

/// "NAME=" in the low bytes, the sum of these bytes modulo 256 in the seventh, their number in the
/// eighth.
[[nodiscard]] constexpr std::uint64_t make_tag_text(Tag tag) {
    std::uint64_t digits = eight_digits(tag);
    std::uint64_t length = 8;
    while (length > 1 && (digits & 0xFF) == 0) {
        digits >>= 8U;
        --length;
    }
    std::uint64_t text = 0;
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i <= length; ++i) {
        const std::uint64_t byte = i == length ? '=' : '0' + (digits >> 8 * i & 0xFF);
        text |= byte << 8 * i;
        sum += byte;
    }
    return text | (sum & 0xFF) << 48U | (length + 1) << 56U;
}

/// All tags of the standard's first decades. Those beyond are made when they are used.
inline constexpr Tag k_known_tags = 2'048;
inline constexpr auto k_tag_texts = [] {
    std::array<std::uint64_t, k_known_tags> texts{};
    for (Tag tag = 0; tag < k_known_tags; ++tag) texts[tag] = make_tag_text(tag);
    return texts;
}();

class Cursor {
  public:
    Cursor() = default;
    explicit Cursor(char* at) : at_(at) {}

    [[nodiscard]] char* at() const { return at_; }
    /// Of all bytes that were written, modulo 2^32.
    [[nodiscard]] std::uint32_t sum() const { return sum_; }
    void add_to_sum(std::uint32_t bytes) { sum_ += bytes; }

    DAMRAK_HOT void character(char value) {
        *at_++ = value;
        sum_ += static_cast<unsigned char>(value);
    }
    DAMRAK_HOT void end_of_field() { character(k_field_end); }

    DAMRAK_HOT void tag(Tag tag) {
        if (tag >= k_known_tags) [[unlikely]] {
            whole(tag);
            character('=');
            return;
        }
        const std::uint64_t text = k_tag_texts[tag];
        store(at_, text);
        at_ += text >> 56U;
        sum_ += static_cast<std::uint32_t>(text >> 48U & 0xFF);
    }

    DAMRAK_HOT void text(std::string_view value) {
        const char* from = value.data();
        std::size_t left = value.size();
        while (left > 16) [[unlikely]] {
            sixteen(_mm_loadu_si128(reinterpret_cast<const __m128i*>(from)));
            at_ += 16;
            from += 16;
            left -= 16;
        }
        if (left > 8) {
            const std::uint64_t behind = load<std::uint64_t>(from + left - 8) >> 8 * (16 - left);
            sixteen(_mm_set_epi64x(static_cast<long long>(behind),
                                   static_cast<long long>(load<std::uint64_t>(from))));
        } else {
            const std::uint64_t word = load_up_to_8(from, left);
            sixteen(_mm_cvtsi64_si128(static_cast<long long>(word)));
        }
        at_ += left;
    }

    DAMRAK_HOT void whole(std::uint64_t value) {
        each_eight_digits(value,
                          [this] [[gnu::always_inline]] (std::uint64_t digits, unsigned count) {
                              some_digits(digits, count);
                          });
    }

    DAMRAK_HOT void integer(std::int64_t value) {
        if (value < 0) [[unlikely]]
            character('-');
        whole(magnitude(value));
    }

    /// `count` times ten to the power of -`digits` (at most 18), without zeros at the end.
    DAMRAK_HOT void decimal(std::int64_t count, unsigned digits) {
        if (count < 0) [[unlikely]]
            character('-');
        const std::uint64_t number = magnitude(count);
        // What prices mostly have: by a constant the processor need not divide.
        if (digits == 2) return hundredths(number);
        if (digits == 4) return ten_thousandths(number);
        const std::uint64_t unit = k_powers_of_ten[digits];
        whole(number / unit);
        const std::uint64_t rest = number % unit;
        if (digits > 8) {
            if (rest != 0) long_fraction(rest, digits);
        } else if (digits > 0) {
            short_fraction(eight_digits(static_cast<std::uint32_t>(rest)) >> 8 * (8 - digits));
        }
    }

    /// "FIRST-SECOND", as identifiers of two parts are written; at most 31 characters.
    DAMRAK_HOT void pair(std::uint64_t first, std::uint32_t second) {
        whole(first);
        character('-');
        whole(second);
    }

    /// Exactly `digits` digits of a number below 10^digits; at most nine.
    DAMRAK_HOT void digits_below_a_billion(std::uint32_t value, unsigned digits) {
        if (digits == 9) {
            character(static_cast<char>('0' + value / 100'000'000));
            some_digits(eight_digits(value % 100'000'000), 8);
        } else {
            some_digits(eight_digits(value) >> 8 * (8 - digits), digits);
        }
    }

    /// Bytes that were summed before: copied in steps of 32, of which the source has room too.
    DAMRAK_HOT void prepared(const char* from, std::size_t count, std::uint32_t sum) {
        std::memcpy(at_, from, 32);
        for (std::size_t i = 32; i < count; i += 32) std::memcpy(at_ + i, from + i, 32);
        at_ += count;
        sum_ += sum;
    }

  private:
    /// Of so many hundredths how many digits are written: none, one or two.
    static constexpr auto k_decimals = [] {
        std::array<std::uint8_t, 100> counts{};
        for (std::size_t i = 1; i < counts.size(); ++i) counts[i] = i % 10 == 0 ? 1 : 2;
        return counts;
    }();
    static constexpr std::array<std::uint64_t, 19> k_powers_of_ten = [] {
        std::array<std::uint64_t, 19> powers{1};
        for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
        return powers;
    }();

    DAMRAK_HOT void sixteen(__m128i bytes) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(at_), bytes);
        const __m128i sums = _mm_sad_epu8(bytes, _mm_setzero_si128());
        sum_ += static_cast<std::uint32_t>(_mm_cvtsi128_si32(sums) + _mm_extract_epi16(sums, 4));
    }

    /// The low `count` bytes of `digits`.
    DAMRAK_HOT void some_digits(std::uint64_t digits, unsigned count) {
        store(at_, digits | k_zeros_text);
        at_ += count;
        sum_ += sum_of_bytes(digits) + count * '0';
    }

    DAMRAK_HOT void hundredths(std::uint64_t number) {
        whole(number / 100);
        const auto rest = static_cast<std::uint32_t>(number % 100);
        fraction(four_digits(rest) >> 16U, k_decimals[rest]);
    }
    DAMRAK_HOT void ten_thousandths(std::uint64_t number) {
        constexpr std::uint64_t k_unit = 10'000;
        whole(number / k_unit);
        const auto rest = static_cast<std::uint32_t>(number % k_unit);
        const std::uint32_t last = rest % 100;
        const unsigned count = last == 0 ? k_decimals[rest / 100] : 2U + k_decimals[last];
        fraction(four_digits(rest), count);
    }

    /// The zeros at its end are the high bytes.
    DAMRAK_HOT void short_fraction(std::uint64_t digits) {
        fraction(digits, static_cast<unsigned>(71 - std::countl_zero(digits)) / 8);
    }
    /// The first `count` of its digits; none: no point either. Without a branch, since prices are
    /// whole or not by turns.
    DAMRAK_HOT void fraction(std::uint64_t digits, unsigned count) {
        const unsigned point = count == 0 ? 0 : 1;
        *at_ = '.';
        store(at_ + 1, digits | k_zeros_text);
        at_ += count + point;
        sum_ += sum_of_bytes(digits) + count * '0' + point * '.';
    }
    void long_fraction(std::uint64_t rest, unsigned digits) {
        while (rest % 10 == 0) {
            rest /= 10;
            --digits;
        }
        character('.');
        if (digits > 9) {
            digits_below_a_billion(static_cast<std::uint32_t>(rest / k_powers_of_ten[9]),
                                   digits - 9);
            rest %= k_powers_of_ten[9];
            digits = 9;
        }
        digits_below_a_billion(static_cast<std::uint32_t>(rest), digits);
    }

    char* at_ = nullptr;
    std::uint32_t sum_ = 0;
};

}  // namespace detail

/// Writes UTCTimestamps, "20251231-18:21:36.457245600". Remembers the text of the second that was
/// written last, since the next message mostly falls into the same one. One thread.
class TimestampCache {
  public:
    TimestampCache() { enter_second_of({}); }

    DAMRAK_HOT void write(detail::Cursor& cursor, Timestamp time, TimePrecision precision) {
        // Without a sign, so that a time before the second is far behind it. (The first second
        // that 64 bits can tell, in 1677, and the last one, in 2262, follow each other then.)
        std::uint64_t within = static_cast<std::uint64_t>(time.value) - second_;
        if (within >= k_second_ns) [[unlikely]]
            within = enter_second_of(time);
        // Behind the seconds' text stands the point.
        const auto digits = static_cast<unsigned>(precision);
        const bool fraction = digits != 0;
        cursor.prepared(text_.data(), k_text_bytes + (fraction ? 1 : 0),
                        sum_ + (fraction ? '.' : 0));
        if (!fraction) return;
        std::uint64_t count = within;
        if (digits == 3) count /= 1'000'000;
        if (digits == 6) count /= 1'000;
        cursor.digits_below_a_billion(static_cast<std::uint32_t>(count), digits);
    }

  private:
    static constexpr std::uint64_t k_second_ns = 1'000'000'000;
    static constexpr std::size_t k_text_bytes = 17;

    /// Returns the nanoseconds since it began.
    std::uint64_t enter_second_of(Timestamp time);

    std::uint64_t second_ = 0;     ///< when it began, modulo 2^64
    std::uint32_t sum_ = 0;        ///< of the text without the point
    std::array<char, 32> text_{};  ///< "20251231-18:21:36."
};

}  // namespace damrak::wire::fix
