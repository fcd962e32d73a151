// Converts single values of FIX to text: integers, decimals, times, strings, tags. The lowest layer
// of the encoder, called by MessageWriter (encode.hpp) and TemplateWriter (encode_template.hpp) for
// every field.
//
// A Cursor sums the bytes while it writes them, so the checksum need not reread memory that was
// just written (which would stall the processor). It checks no end: its caller must provide room
// for the value and for k_spare_bytes more, which may be overwritten with anything. Costs 2 to 5 ns
// a value.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include <immintrin.h>

#include <damrak/base/decimal_digits.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/fix_codec/tags.hpp>

namespace damrak::fix_codec {

inline constexpr char k_field_end = '\x01';

/// Decimals of the seconds.
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

DAMRAK_HOT void store(char* to, std::uint64_t bytes) { std::memcpy(to, &bytes, sizeof bytes); }

/// In one load and one store, where GCC makes two of each of a memcpy().
DAMRAK_HOT void copy_32(char* to, const char* from) {
#if defined(__AVX__)
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from)));
#else
    std::memcpy(to, from, 32);
#endif
}

template <class T>
[[nodiscard]] inline std::uint64_t load(const char* from) {
    T value;
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// Up to eight bytes, padded with zeros; reads nothing beyond them.
[[nodiscard]] DAMRAK_HOT std::uint64_t load_up_to_8(const char* from, std::size_t count) {
    if (count == 8) return load<std::uint64_t>(from);
    if (count >= 4)
        return load<std::uint32_t>(from) | load<std::uint32_t>(from + count - 4) << 8 * (count - 4);
    if (count >= 2)
        return load<std::uint16_t>(from) | load<std::uint16_t>(from + count - 2) << 8 * (count - 2);
    return count == 0 ? 0 : load<std::uint8_t>(from);
}

/// "NAME=" in the low bytes, the sum of these bytes modulo 256 in the seventh byte, their number in
/// the eighth.
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

/// All tags of the standard's first decades. Text of larger tags is made on use.
inline constexpr Tag k_known_tags = 2'048;
inline constexpr auto k_tag_texts = [] {
    std::array<std::uint64_t, k_known_tags> texts{};
    for (Tag tag = 0; tag < k_known_tags; ++tag) texts[tag] = make_tag_text(tag);
    return texts;
}();

/// The digits in the low bytes, their sum above them, their number in the eighth byte.
[[nodiscard]] constexpr std::uint64_t make_small_text(std::uint32_t number) {
    const std::uint64_t count = digit_count(number);
    const std::uint64_t digits = eight_digits(number) >> 8 * (8 - count);
    const std::uint64_t text = digits | k_zeros_text >> 8 * (8 - count);
    return text | (sum_of_bytes(digits) + count * '0') << 32U | count << 56U;
}

/// Most quantities are small: a look-up takes a quarter of the instructions of a conversion.
inline constexpr std::uint32_t k_small_numbers = 1'000;
inline constexpr auto k_small_texts = [] {
    std::array<std::uint64_t, k_small_numbers> texts{};
    for (std::uint32_t number = 0; number < k_small_numbers; ++number)
        texts[number] = make_small_text(number);
    return texts;
}();

/// "00" to "99" in the low bytes, their sum above them.
inline constexpr auto k_pair_texts = [] {
    std::array<std::uint32_t, 100> texts{};
    for (std::uint32_t number = 0; number < texts.size(); ++number) {
        const std::uint32_t tens = '0' + number / 10;
        const std::uint32_t ones = '0' + number % 10;
        texts[number] = tens | ones << 8U | (tens + ones) << 16U;
    }
    return texts;
}();

class Cursor {
  public:
    Cursor() = default;
    explicit Cursor(char* at) : at_(at) {}

    [[nodiscard]] char* at() const { return at_; }
    /// Sum of all written bytes, modulo 2^32.
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
        if (value < k_small_numbers)
            small(value);
        else if (value >= k_eight_digits) [[unlikely]]
            *this = behind_long(*this, value);
        else
            any_whole(value);
    }

    DAMRAK_HOT void integer(std::int64_t value) {
        if (value < 0) [[unlikely]]
            character('-');
        whole(magnitude(value));
    }

    /// `count` times ten to the power of -`digits` (at most 18), without zeros at the end.
    DAMRAK_HOT void decimal(std::int64_t count, unsigned digits) {
        if (static_cast<std::uint64_t>(count) < k_eight_digits && digits - 1U < 7U) [[likely]]
            short_decimal(static_cast<std::uint32_t>(count), digits);
        else
            *this = behind_decimal(*this, count, digits);
    }

    /// "FIRST-SECOND", the form of identifiers with two parts; at most 31 characters.
    DAMRAK_HOT void pair(std::uint64_t first, std::uint32_t second) {
        whole(first);
        character('-');
        if (second < 10) [[likely]]
            character(static_cast<char>('0' + second));
        else
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

    /// Bytes with a known sum, copied in steps of 32; the source must be padded accordingly.
    DAMRAK_HOT void prepared(const char* from, std::size_t count, std::uint32_t sum) {
        copy_32(at_, from);
        for (std::size_t i = 32; i < count; i += 32) copy_32(at_ + i, from + i);
        at_ += count;
        sum_ += sum;
    }
    /// The same of at most 32 bytes.
    DAMRAK_HOT void prepared_short(const char* from, std::size_t count, std::uint32_t sum) {
        copy_32(at_, from);
        at_ += count;
        sum_ += sum;
    }
    /// Two digits of a number below 100.
    DAMRAK_HOT void two_digits(std::uint32_t number) {
        const std::uint32_t text = k_pair_texts[number];
        std::memcpy(at_, &text, sizeof text);
        at_ += 2;
        sum_ += text >> 16U;
    }

  private:
    static constexpr std::uint64_t k_eight_digits = 100'000'000;
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

    DAMRAK_HOT void small(std::uint64_t value) {
        const std::uint64_t text = k_small_texts[value];
        store(at_, text);
        at_ += text >> 56U;
        sum_ += static_cast<std::uint32_t>(text >> 32U & 0xFFFF);
    }
    /// The low `count` bytes of `digits`.
    DAMRAK_HOT void some_digits(std::uint64_t digits, unsigned count) {
        store(at_, digits | k_zeros_text);
        at_ += count;
        sum_ += sum_of_bytes(digits) + count * '0';
    }
    DAMRAK_HOT void any_whole(std::uint64_t value) {
        each_eight_digits(value,
                          [this] [[gnu::always_inline]] (std::uint64_t digits, unsigned count) {
                              some_digits(digits, count);
                          });
    }
    /// Number of digits of a fraction without trailing zeros, which are the high bytes.
    [[nodiscard]] DAMRAK_HOT static unsigned kept_digits(std::uint64_t digits) {
        return static_cast<unsigned>(71 - std::countl_zero(digits)) / 8;
    }
    /// Numbers below 10^8 with 1 to 7 decimals. Inserts the point without a branch, since whether
    /// prices are whole is unpredictable.
    DAMRAK_HOT void short_decimal(std::uint32_t number, unsigned digits) {
        const std::uint64_t eight = eight_digits(number);
        const unsigned count = std::max(digit_count(number), digits + 1);
        const std::uint64_t text = (eight | k_zeros_text) >> 8 * (8 - count);
        const unsigned point = 8 * (count - digits);
        const std::uint64_t before = (std::uint64_t{1} << point) - 1;
        // Shifts the decimals by one; the last of eight digits moves into a separate byte.
        store(at_, (text & before) | std::uint64_t{'.'} << point | (text & ~before) << 8U);
        at_[8] = static_cast<char>(text >> 56U);
        const unsigned kept = kept_digits(eight >> 8 * (8 - digits));
        const unsigned written = count - digits + kept;
        const unsigned points = kept == 0 ? 0 : 1;
        at_ += written + points;
        sum_ += sum_of_bytes(eight) + written * '0' + points * '.';
    }

    // Rare cases are calls. They take the cursor by value, so that it stays in registers.
    DAMRAK_COLD static Cursor behind_long(Cursor cursor, std::uint64_t value) {
        cursor.any_whole(value);
        return cursor;
    }
    DAMRAK_COLD static Cursor behind_decimal(Cursor cursor, std::int64_t count, unsigned digits) {
        if (count < 0) cursor.character('-');
        const std::uint64_t number = magnitude(count);
        const std::uint64_t unit = k_powers_of_ten[digits];
        cursor.whole(number / unit);
        const std::uint64_t rest = number % unit;
        if (rest != 0) cursor.fraction(rest, digits);
        return cursor;
    }
    /// Writes a non-zero fraction of `digits` digits.
    void fraction(std::uint64_t rest, unsigned digits) {
        character('.');
        if (digits > 8) {
            while (rest % 10 == 0) {
                rest /= 10;
                --digits;
            }
            if (digits > 9) {
                digits_below_a_billion(static_cast<std::uint32_t>(rest / k_powers_of_ten[9]),
                                       digits - 9);
                rest %= k_powers_of_ten[9];
                digits = 9;
            }
            digits_below_a_billion(static_cast<std::uint32_t>(rest), digits);
        } else {
            const std::uint64_t text =
                eight_digits(static_cast<std::uint32_t>(rest)) >> 8 * (8 - digits);
            some_digits(text, kept_digits(text));
        }
    }

    char* at_ = nullptr;
    std::uint32_t sum_ = 0;
};

}  // namespace detail

/// Writes UTCTimestamps, "20251231-18:21:36.457245600", and caches the text of the last one: the
/// next time is usually in the same second, and the messages that one event causes have the same
/// time. One thread.
class TimestampCache {
  public:
    TimestampCache() {
        enter_second_of(time_);
        sum_ = second_sum_;
    }

    DAMRAK_HOT void write(detail::Cursor& cursor, Timestamp time, TimePrecision precision) {
        if (time != time_ || precision != precision_) {
            const std::uint32_t before = cursor.sum();
            write_new(cursor, time, precision);
            sum_ = cursor.sum() - before;
        } else {
            cursor.prepared(text_.data(), bytes_, sum_);
        }
    }

  private:
    static constexpr std::uint64_t k_second_ns = 1'000'000'000;
    static constexpr std::size_t k_second_bytes = 17;

    DAMRAK_HOT void write_new(detail::Cursor& cursor, Timestamp time, TimePrecision precision) {
        time_ = time;
        precision_ = precision;
        // Unsigned, so that a time before the second is far after it. (The first second of the
        // 64-bit range, in 1677, then follows the last one, in 2262.)
        std::uint64_t within = static_cast<std::uint64_t>(time.value) - second_;
        if (within >= k_second_ns) [[unlikely]]
            within = enter_second_of(time);
        const auto digits = static_cast<unsigned>(precision);
        // The point follows the text of the seconds.
        const unsigned point = digits == 0 ? 0 : 1;
        bytes_ = k_second_bytes + point + digits;
        cursor.prepared(text_.data(), k_second_bytes + point, second_sum_ + point * '.');
        if (digits == 0) return;
        if (digits == 3) within /= 1'000'000;
        if (digits == 6) within /= 1'000;
        // Writes the cached text again instead of reading back bytes that were just written.
        const auto fraction = static_cast<std::uint32_t>(within);
        cursor.digits_below_a_billion(fraction, digits);
        detail::Cursor{text_.data() + k_second_bytes + 1}.digits_below_a_billion(fraction, digits);
    }
    /// Returns the nanoseconds since the second began.
    std::uint64_t enter_second_of(Timestamp time);

    Timestamp time_{};
    TimePrecision precision_ = TimePrecision::seconds;
    std::uint32_t sum_ = 0;               ///< of the text
    std::size_t bytes_ = k_second_bytes;  ///< of the text
    std::uint64_t second_ = 0;            ///< its begin, modulo 2^64
    std::uint32_t second_sum_ = 0;        ///< of the text up to the seconds, without the point
    std::array<char, 32> text_{};         ///< "20251231-18:21:36.457245600"
};

}  // namespace damrak::fix_codec
