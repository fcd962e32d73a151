// Rows of typed records as comma-separated text, from one declaration of their fields. The
// collector's thread calls it for every record of the event log, perhaps on the core of the trading
// thread. A row is written through a pointer into memory with room for the longest row, a
// compile-time bound. No field contains a comma, a quote or a line break.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include <damrak/base/decimal_digits.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/telemetry/name_table.hpp>

namespace damrak::telemetry::csv {

/// Bytes after a value that writers may overwrite.
inline constexpr std::size_t k_spare_bytes = sizeof(Name);

// For each kind of value: its maximum length, and its writer. Writers return the position after
// their output.

template <std::integral N>
[[nodiscard]] constexpr std::size_t longest(N) {
    return std::numeric_limits<N>::digits10 + 1 + (std::signed_integral<N> ? 1 : 0);
}
DAMRAK_HOT char* put_digits(char* at, std::uint64_t digits, unsigned count) {
    const std::uint64_t text = digits | k_zeros_text;
    std::memcpy(at, &text, sizeof text);
    return at + count;
}
template <std::unsigned_integral N>
[[nodiscard]] DAMRAK_HOT char* put(char* at, N number) {
    // Most numbers are this small, and each field is mostly small or mostly large.
    if (number < 10'000) {
        const unsigned count = digit_count(static_cast<std::uint32_t>(number));
        const std::uint64_t digits = four_digits(static_cast<std::uint32_t>(number));
        return put_digits(at, digits >> 8 * (4 - count), count);
    }
    each_eight_digits(number, [&at] [[gnu::always_inline]] (std::uint64_t digits, unsigned count) {
        at = put_digits(at, digits, count);
    });
    return at;
}
template <std::signed_integral N>
[[nodiscard]] DAMRAK_HOT char* put(char* at, N number) {
    if (number < 0) *at++ = '-';
    return put(at, magnitude(number));
}

[[nodiscard]] constexpr std::size_t longest(const Name&) { return Name::k_longest; }
[[nodiscard]] DAMRAK_HOT char* put(char* at, const Name& name) {
    std::memcpy(at, &name, sizeof name);
    return at + name.length;
}

/// Identifiers, prices, quantities, times: their number.
template <class T>
    requires requires(const T& strong) { strong.value; }
[[nodiscard]] constexpr std::size_t longest(const T& strong) {
    return longest(strong.value);
}
template <class T>
    requires requires(const T& strong) { strong.value; }
[[nodiscard]] DAMRAK_HOT char* put(char* at, const T& strong) {
    return put(at, strong.value);
}

/// "time_ns,session,…\n"
template <class Record>
[[nodiscard]] std::string header() {
    std::string line;
    Record{}.fields([&](std::string_view field, const auto&) {
        if (!line.empty()) line += ',';
        line += field;
    });
    return line + '\n';
}

/// Maximum size of a row, with the bytes that may be overwritten.
template <class Record>
inline constexpr std::size_t k_row_room = [] {
    std::size_t bytes = k_spare_bytes;
    Record{}.fields(
        [&](std::string_view, const auto& value) { bytes += longest(value) + std::size_t{1}; });
    return bytes;
}();

/// Writes the rows of one file. Caches the text of the leading digits of the last time, which most
/// rows share.
class RowWriter {
  public:
    /// Returns the end of the row. Needs k_row_room bytes.
    template <class Record>
    [[nodiscard, gnu::flatten]] char* put_row(char* at, const Record& record) {
        record.fields([&] [[gnu::always_inline]] (std::string_view, const auto& value) {
            if constexpr (std::is_same_v<decltype(value), const Timestamp&>)
                at = put_time(at, value);
            else
                at = put(at, value);
            *at++ = ',';
        });
        at[-1] = '\n';
        return at;
    }

  private:
    static constexpr std::uint32_t k_rest_ns = 100'000'000;  ///< eight digits

    DAMRAK_HOT char* put_time(char* at, Timestamp time) {
        if (time.value < std::int64_t{k_rest_ns}) [[unlikely]]
            return put(at, time);
        const auto ns = static_cast<std::uint64_t>(time.value);
        if (ns / k_rest_ns != begin_) [[unlikely]] {
            begin_ = ns / k_rest_ns;
            begin_length_ = put(begin_text_.data(), begin_) - begin_text_.data();
        }
        std::memcpy(at, begin_text_.data(), begin_text_.size());
        return put_digits(at + begin_length_,
                          eight_digits(static_cast<std::uint32_t>(ns % k_rest_ns)), 8);
    }

    std::uint64_t begin_ = 0;
    std::ptrdiff_t begin_length_ = 0;
    std::array<char, 16> begin_text_{};  ///< at most eleven digits
};

}  // namespace damrak::telemetry::csv
