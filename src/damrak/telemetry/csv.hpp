// Rows of typed records as comma-separated text, from the one declaration of their fields. Called
// by the collector's thread; a number costs its digits, nothing is allocated once the buffer of a
// file has grown to its size. No field holds a comma, a quote or a line break.
#pragma once

#include <array>
#include <charconv>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

namespace damrak::telemetry::csv {

inline void append_value(std::string& out, std::string_view text) { out += text; }

template <std::integral N>
void append_value(std::string& out, N number) {
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), +number).ptr;
    out.append(digits.data(), end);
}

/// Identifiers, prices, quantities, times: their number.
template <class T>
    requires requires(const T& strong) { strong.value; }
void append_value(std::string& out, const T& strong) {
    append_value(out, strong.value);
}

/// Enumerations: their name if they have one, else their number.
template <class E>
    requires std::is_enum_v<E>
void append_value(std::string& out, E value) {
    if constexpr (requires { name(value); })
        append_value(out, name(value));
    else
        append_value(out, static_cast<std::underlying_type_t<E>>(value));
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

template <class Record>
void append_row(std::string& out, const Record& record) {
    record.fields([&](std::string_view, const auto& value) {
        append_value(out, value);
        out += ',';
    });
    out.back() = '\n';
}

}  // namespace damrak::telemetry::csv
