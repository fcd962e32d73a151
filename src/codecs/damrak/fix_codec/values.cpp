#include <damrak/fix_codec/values.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <limits>
#include <optional>

#include <damrak/base/inline.hpp>
#include <damrak/base/is_digit.hpp>
#include <damrak/fix_codec/detail/short_number.hpp>

namespace damrak::fix_codec {
namespace {

constexpr std::int64_t k_ns_per_second = 1'000'000'000;
constexpr std::int64_t k_seconds_per_day = 86'400;

// Appends a digit; false if the number overflows.
[[nodiscard]] bool append_digit(std::uint64_t& number, char digit) {
    constexpr std::uint64_t k_limit = std::numeric_limits<std::int64_t>::max();
    const auto value = static_cast<std::uint64_t>(digit - '0');
    if (number > (k_limit - value) / 10) return false;
    number = number * 10 + value;
    return true;
}

[[nodiscard]] std::int64_t with_sign(std::uint64_t number, bool negative) {
    const auto value = static_cast<std::int64_t>(number);
    return negative ? -value : value;
}

// A number of exactly `digits` digits at position `at`.
[[nodiscard]] std::optional<int> fixed_digits(std::string_view text, std::size_t at,
                                              std::size_t digits) {
    int number = 0;
    for (std::size_t i = at; i < at + digits; ++i) {
        if (!is_digit(text[i])) return std::nullopt;
        number = number * 10 + (text[i] - '0');
    }
    return number;
}

// For a text at the end of readable memory.
template <bool with_point>
[[nodiscard]] DAMRAK_HOT std::optional<std::int64_t> parse_short(std::string_view text,
                                                                 int digits) {
    if (text.empty() || text.size() > detail::k_word_bytes) return std::nullopt;
    return detail::short_number<with_point>(detail::load_short(text.data(), text.size()),
                                            text.size(), digits);
}

}  // namespace

Value<std::int64_t> parse_integer(std::string_view text) {
    if (const auto number = parse_short<false>(text, 0)) return *number;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    if (text.empty()) return std::unexpected(ValueError::wrong_format);
    std::uint64_t number = 0;
    bool fits = true;
    for (const char c : text) {
        if (!is_digit(c)) return std::unexpected(ValueError::wrong_format);
        fits = fits && append_digit(number, c);
    }
    if (!fits) return std::unexpected(ValueError::out_of_range);
    return with_sign(number, negative);
}

Value<std::int64_t> parse_decimal(std::string_view text, int digits) {
    if (const auto number = parse_short<true>(text, digits)) return *number;
    const bool negative = text.starts_with('-');
    if (negative) text.remove_prefix(1);
    std::uint64_t number = 0;
    bool fits = true;
    bool exact = true;
    bool any_digit = false;
    std::optional<int> left;  // decimals still to come, from the point on
    for (const char c : text) {
        if (c == '.' && !left) {
            left = digits;
            continue;
        }
        if (!is_digit(c)) return std::unexpected(ValueError::wrong_format);
        any_digit = true;
        if (left == 0) {
            exact = exact && c == '0';
            continue;
        }
        if (left) --*left;
        fits = fits && append_digit(number, c);
    }
    if (!any_digit) return std::unexpected(ValueError::wrong_format);
    for (int missing = left.value_or(digits); missing > 0; --missing)
        fits = fits && append_digit(number, '0');
    if (!fits) return std::unexpected(ValueError::out_of_range);
    if (!exact) return std::unexpected(ValueError::inexact);
    return with_sign(number, negative);
}

Value<std::int64_t> parse_date(std::string_view text) {
    if (text.size() != 8) return std::unexpected(ValueError::wrong_format);
    const auto year = fixed_digits(text, 0, 4);
    const auto month = fixed_digits(text, 4, 2);
    const auto day = fixed_digits(text, 6, 2);
    if (!year || !month || !day) return std::unexpected(ValueError::wrong_format);
    const std::chrono::year_month_day date{std::chrono::year{*year},
                                           std::chrono::month{static_cast<unsigned>(*month)},
                                           std::chrono::day{static_cast<unsigned>(*day)}};
    if (!date.ok()) return std::unexpected(ValueError::wrong_format);
    return std::chrono::sys_days{date}.time_since_epoch().count();
}

Value<std::int64_t> parse_time_only(std::string_view text) {
    constexpr std::size_t k_whole = 8;
    constexpr std::array<std::int64_t, 10> k_scale{
        k_ns_per_second, 100'000'000, 10'000'000, 1'000'000, 100'000, 10'000, 1'000, 100, 10, 1};
    if (text.size() < k_whole || text[2] != ':' || text[5] != ':')
        return std::unexpected(ValueError::wrong_format);
    const auto hour = fixed_digits(text, 0, 2);
    const auto minute = fixed_digits(text, 3, 2);
    const auto second = fixed_digits(text, 6, 2);
    if (!hour || !minute || !second || *hour > 23 || *minute > 59 || *second > 60)
        return std::unexpected(ValueError::wrong_format);
    std::int64_t ns = (*hour * 3'600 + *minute * 60 + *second) * k_ns_per_second;
    if (text.size() == k_whole) return ns;
    const std::size_t decimals = text.size() - k_whole - 1;
    if (text[k_whole] != '.' || decimals < 1 || decimals > 9)
        return std::unexpected(ValueError::wrong_format);
    const auto fraction = fixed_digits(text, k_whole + 1, decimals);
    if (!fraction) return std::unexpected(ValueError::wrong_format);
    return ns + *fraction * k_scale[decimals];
}

Value<Timestamp> parse_timestamp(std::string_view text) {
    constexpr std::size_t k_date = 8;
    if (text.size() <= k_date || text[k_date] != '-')
        return std::unexpected(ValueError::wrong_format);
    const auto days = parse_date(text.substr(0, k_date));
    if (!days) return std::unexpected(days.error());
    const auto ns = parse_time_only(text.substr(k_date + 1));
    if (!ns) return std::unexpected(ns.error());
    // Years outside the range of 64-bit nanoseconds are well-formed, but not representable.
    constexpr std::int64_t k_limit_days =
        std::numeric_limits<std::int64_t>::max() / (k_ns_per_second * k_seconds_per_day) - 1;
    if (*days > k_limit_days || *days < -k_limit_days)
        return std::unexpected(ValueError::out_of_range);
    return Timestamp{*days * k_seconds_per_day * k_ns_per_second + *ns};
}

Value<char> parse_char(std::string_view text) {
    if (text.size() != 1) return std::unexpected(ValueError::wrong_format);
    return text.front();
}

Value<bool> parse_boolean(std::string_view text) {
    if (text == "Y") return true;
    if (text == "N") return false;
    return std::unexpected(ValueError::wrong_format);
}

}  // namespace damrak::fix_codec
