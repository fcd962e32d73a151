// Validation of a message of a known, valid shape: only its values can be invalid.
#include <algorithm>
#include <span>
#include <string_view>

#include <damrak/fix_codec/detail/known_values.hpp>
#include <damrak/fix_codec/detail/quick_formats.hpp>
#include <damrak/fix_codec/values.hpp>

namespace damrak::fix_codec::detail {
namespace {

[[nodiscard]] bool is_good(const DictionaryTables& tables, const ShapeCheck& check,
                           std::string_view value) {
    switch (check.kind) {
        case ShapeCheck::Kind::letter:
        case ShapeCheck::Kind::allowed:
            return tables.values[check.number].allow(check.format, value);
        case ShapeCheck::Kind::few_entries:
        case ShapeCheck::Kind::entries:
            return parse_integer(value) == Value<std::int64_t>{check.number};
        default:
            return well_formed(check.format, value);
    }
}

[[nodiscard]] bool has_good_values(const DictionaryTables& tables, const Message& message,
                                   std::span<const ShapeCheck> checks) {
    const std::span<const Field> fields = message.fields();
    return std::ranges::all_of(checks, [&](const ShapeCheck& check) {
        return is_good(tables, check, message.value(fields[check.field]));
    });
}

// For values of the most common formats.
[[nodiscard]] bool has_plain_values(const DictionaryTables& tables, const Message& message,
                                    const Shape& shape) {
    const char* const bytes = message.bytes().data();
    const std::span<const Field> fields = message.fields();
    const std::span checks = shape.checks;
    bool good = true;
    std::size_t at = 0;
    for (; at < shape.quick_end[0]; ++at) {
        const Field& field = fields[checks[at].field];
        good &=
            field.length == 1 && tables.values[checks[at].number].has_letter(bytes[field.offset]);
    }
    for (; at < shape.quick_end[1]; ++at) {
        const Field& field = fields[checks[at].field];
        good &= field.length == 1 && bytes[field.offset] - '0' == checks[at].number;
    }
    for (; at < shape.quick_end[2]; ++at)
        good &= is_plain_number<false>(message.value(fields[checks[at].field]));
    for (; at < shape.quick_end[3]; ++at)
        good &= is_plain_number<true>(message.value(fields[checks[at].field]));
    for (; at < shape.quick_end[4]; ++at)
        good &= is_plain_timestamp(message.value(fields[checks[at].field]));
    return good && has_good_values(tables, message, checks.first(shape.check_count).subspan(at));
}

// The kind of check for a value, given a valid one.
[[nodiscard]] ShapeCheck::Kind kind_of(const ShapeCheck& check, std::string_view value) {
    using Kind = ShapeCheck::Kind;
    if (check.kind == Kind::allowed && value.size() == 1) return Kind::letter;
    if (check.kind == Kind::entries && value.size() == 1) return Kind::few_entries;
    if (check.kind != Kind::format) return check.kind;
    switch (check.format) {
        case Format::integer:
        case Format::count:
            return is_plain_number<false>(value) ? Kind::digits : check.kind;
        case Format::decimal:
            return is_plain_number<true>(value) ? Kind::decimal : check.kind;
        case Format::timestamp:
            return is_plain_timestamp(value) ? Kind::timestamp : check.kind;
        default:
            return check.kind;
    }
}

struct Letters {
    char lowest;
    char highest;
};

// The contiguous range of allowed letters around this one.
[[nodiscard]] Letters run_of(const AllowedValues& allowed, char letter) {
    Letters run{letter, letter};
    while (run.lowest > '!' && allowed.has_letter(static_cast<char>(run.lowest - 1))) --run.lowest;
    while (run.highest < '~' && allowed.has_letter(static_cast<char>(run.highest + 1)))
        ++run.highest;
    return run;
}

// The bytes allowed at this position of a valid value, independent of its other bytes within their
// own bounds. If nothing more is certain, only the current byte.
[[nodiscard]] Letters bounds_of(Format format, std::string_view value, std::size_t at) {
    constexpr std::size_t k_minutes = 12;
    constexpr std::size_t k_seconds = 15;
    constexpr Letters k_digits{'0', '9'};
    const Letters same{value[at], value[at]};
    if (value[at] < '0' || value[at] > '9') return same;
    switch (format) {
        case Format::integer:
        case Format::count:
        case Format::decimal:
            return k_digits;
        case Format::timestamp:
            if (at < k_minutes) return same;
            return at == k_minutes || at == k_seconds ? Letters{'0', '5'} : k_digits;
        default:
            return same;
    }
}
[[nodiscard]] Letters bounds_of(const DictionaryTables& tables, const ShapeCheck& check,
                                std::string_view value, std::size_t at) {
    const Letters same{value[at], value[at]};
    switch (check.kind) {
        case ShapeCheck::Kind::letter:
            return value.size() == 1 ? run_of(tables.values[check.number], value[at]) : same;
        case ShapeCheck::Kind::few_entries:
        case ShapeCheck::Kind::allowed:
        case ShapeCheck::Kind::entries:
            return same;
        default:
            return bounds_of(check.format, value, at);
    }
}

// Learns, from a valid message, which other values of the same lengths are valid.
void learn_values(const DictionaryTables& tables, const Message& message, const Shape& shape,
                  Layout& layout) {
    layout.learn_values();
    for (const ShapeCheck& check : std::span{shape.checks}.first(shape.check_count)) {
        const Field& field = message.fields()[check.field];
        const std::string_view value = message.value(field);
        for (std::size_t i = 0; i < value.size(); ++i) {
            const Letters letters = bounds_of(tables, check, value, i);
            layout.narrow(field.offset + i, letters.lowest, letters.highest);
        }
    }
}

}  // namespace

void sort_checks(const Message& message, Shape& shape) {
    const auto checks = std::span{shape.checks}.first(shape.check_count);
    for (ShapeCheck& check : checks)
        check.kind = kind_of(check, message.value(message.fields()[check.field]));
    std::ranges::sort(checks, {}, &ShapeCheck::kind);
    for (std::size_t kind = 0; kind < ShapeCheck::k_quick_kinds; ++kind) {
        const auto end = std::ranges::upper_bound(checks, static_cast<ShapeCheck::Kind>(kind), {},
                                                  &ShapeCheck::kind);
        shape.quick_end[kind] = static_cast<std::size_t>(end - checks.begin());
    }
}

bool has_right_values(const DictionaryTables& tables, const Message& message, Shape& shape) {
    Layout& layout = shape.known_for(message.bytes().size()).layout;
    if (layout.fit() == Layout::Fit::values) return true;
    if (!has_plain_values(tables, message, shape) &&
        !has_good_values(tables, message, std::span{shape.checks}.first(shape.check_count)))
        return false;
    if (layout.wants_values()) learn_values(tables, message, shape, layout);
    return true;
}

}  // namespace damrak::fix_codec::detail
