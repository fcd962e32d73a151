// The names of an enumeration of one byte, as the compiler spells them: an enumerator has a name as
// soon as it exists. An array access. For enumerations whose names are those of their enumerators.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

namespace damrak {

namespace detail {

/// The name of an enumerator; empty if the value has none.
template <class Enum, Enum k_value>
consteval std::string_view spelled() {
    // "… k_value = damrak::Side::buy; …]", and "(damrak::Side)7" where there is no enumerator.
    constexpr std::string_view k_mark = "k_value = ";
    std::string_view text = __PRETTY_FUNCTION__;
    text.remove_prefix(text.find(k_mark) + k_mark.size());
    text = text.substr(0, text.find_first_of(",;]"));
    return text.starts_with('(') ? std::string_view{} : text.substr(text.rfind(':') + 1);
}

}  // namespace detail

/// By value; empty where there is no enumerator.
template <class Enum>
inline constexpr auto k_enum_names = []<std::size_t... k_values>(std::index_sequence<k_values...>) {
    static_assert(sizeof(Enum) == 1);
    return std::array{detail::spelled<Enum, static_cast<Enum>(k_values)>()...};
}(std::make_index_sequence<256>{});

/// "unknown" where there is no enumerator.
template <class Enum>
[[nodiscard]] constexpr std::string_view enum_name(Enum value) {
    const std::string_view name = k_enum_names<Enum>[std::to_underlying(value)];
    return name.empty() ? "unknown" : name;
}

}  // namespace damrak
