#include <damrak/fix_codec/detail/formats.hpp>

#include <algorithm>
#include <array>

#include <damrak/base/is_digit.hpp>
#include <damrak/fix_codec/values.hpp>

namespace damrak::fix_codec {
namespace {

struct NamedFormat {
    std::string_view name;
    Format format;
};

// The types of FIX.4.0 to FIX.5.0SP2 by their names in dictionaries.
constexpr std::array k_formats{
    NamedFormat{"STRING", Format::text},
    NamedFormat{"CHAR", Format::character},
    NamedFormat{"INT", Format::integer},
    NamedFormat{"FLOAT", Format::decimal},
    NamedFormat{"QTY", Format::decimal},
    NamedFormat{"QUANTITY", Format::decimal},
    NamedFormat{"PRICE", Format::decimal},
    NamedFormat{"PRICEOFFSET", Format::decimal},
    NamedFormat{"AMT", Format::decimal},
    NamedFormat{"PERCENTAGE", Format::decimal},
    NamedFormat{"LENGTH", Format::count},
    NamedFormat{"SEQNUM", Format::count},
    NamedFormat{"NUMINGROUP", Format::count},
    NamedFormat{"TAGNUM", Format::count},
    NamedFormat{"BOOLEAN", Format::boolean},
    NamedFormat{"UTCTIMESTAMP", Format::timestamp},
    NamedFormat{"TIME", Format::timestamp},
    NamedFormat{"UTCTIMEONLY", Format::time_only},
    NamedFormat{"UTCDATEONLY", Format::date},
    NamedFormat{"UTCDATE", Format::date},
    NamedFormat{"LOCALMKTDATE", Format::date},
    NamedFormat{"DATE", Format::date},
    NamedFormat{"MONTHYEAR", Format::month_year},
    NamedFormat{"DAYOFMONTH", Format::day_of_month},
    NamedFormat{"MULTIPLEVALUESTRING", Format::list},
    NamedFormat{"MULTIPLESTRINGVALUE", Format::list},
    NamedFormat{"MULTIPLECHARVALUE", Format::list},
    NamedFormat{"DATA", Format::data},
    NamedFormat{"XMLDATA", Format::data},
    NamedFormat{"CURRENCY", Format::text},
    NamedFormat{"EXCHANGE", Format::text},
    NamedFormat{"COUNTRY", Format::text},
    NamedFormat{"LANGUAGE", Format::text},
    NamedFormat{"TENOR", Format::text},
    NamedFormat{"PATTERN", Format::text},
    NamedFormat{"RESERVED100PLUS", Format::text},
    NamedFormat{"RESERVED1000PLUS", Format::text},
    NamedFormat{"RESERVED4000PLUS", Format::text},
    NamedFormat{"LOCALMKTTIME", Format::text},
    NamedFormat{"TZTIMEONLY", Format::text},
    NamedFormat{"TZTIMESTAMP", Format::text},
    NamedFormat{"XID", Format::text},
    NamedFormat{"XIDREF", Format::text},
};

[[nodiscard]] bool digits(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_digit);
}

[[nodiscard]] std::string_view without_minus(std::string_view text) {
    return text.substr(text.starts_with('-') ? 1 : 0);
}

[[nodiscard]] bool decimal(std::string_view text) {
    text = without_minus(text);
    const std::size_t point = text.find('.');
    if (point == std::string_view::npos) return digits(text);
    const std::string_view behind = text.substr(point + 1);
    return (point > 0 || !behind.empty()) && (point == 0 || digits(text.substr(0, point))) &&
           (behind.empty() || digits(behind));
}

[[nodiscard]] bool month_year(std::string_view text) {
    constexpr std::size_t k_month = 6;
    constexpr std::size_t k_whole = 8;
    if (text.size() == k_whole && text[k_month] != 'w') return parse_date(text).has_value();
    if (text.size() == k_whole && (text[k_month + 1] < '1' || text[k_month + 1] > '5'))
        return false;
    if (text.size() != k_month && text.size() != k_whole) return false;
    const auto month = parse_integer(text.substr(4, 2));
    return digits(text.substr(0, k_month)) && *month >= 1 && *month <= 12;
}

[[nodiscard]] bool day_of_month(std::string_view text) {
    const auto day = parse_integer(text);
    return digits(text) && text.size() <= 2 && *day >= 1 && *day <= 31;
}

// A year outside the range of nanoseconds is still well-formed.
[[nodiscard]] bool timestamp(std::string_view text) {
    const auto time = parse_timestamp(text);
    return time || time.error() == ValueError::out_of_range;
}

[[nodiscard]] bool list(std::string_view text) {
    return text.front() != ' ' && text.back() != ' ' && !text.contains("  ");
}

}  // namespace

std::optional<Format> parse_format(std::string_view type, bool char_is_text) {
    const auto* const found = std::ranges::find(k_formats, type, &NamedFormat::name);
    if (found == k_formats.end()) return std::nullopt;
    if (found->format == Format::character && char_is_text) return Format::text;
    return found->format;
}

bool well_formed(Format format, std::string_view text) {
    switch (format) {
        case Format::text:
            return true;
        case Format::data:
            return true;
        case Format::list:
            return list(text);
        case Format::character:
            return text.size() == 1;
        case Format::boolean:
            return text == "Y" || text == "N";
        case Format::integer:
            return digits(without_minus(text));
        case Format::count:
            return digits(text);
        case Format::decimal:
            return decimal(text);
        case Format::timestamp:
            return timestamp(text);
        case Format::time_only:
            return parse_time_only(text).has_value();
        case Format::date:
            return parse_date(text).has_value();
        case Format::month_year:
            return month_year(text);
        case Format::day_of_month:
            return day_of_month(text);
    }
    return true;
}

}  // namespace damrak::fix_codec
