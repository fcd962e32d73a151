// Formats a text into a place of its own, without allocation, and cuts it off where the place ends.
// For the texts of answers that are made while the exchange trades. fmt::format_to_n would bring
// the whole formatter into each file that uses it, which takes two seconds to compile.
#pragma once

#include <cstddef>
#include <span>
#include <utility>

#include <fmt/format.h>

namespace damrak::fix_codec {

/// Returns the number of characters written.
std::size_t vformat_into(std::span<char> place, fmt::string_view format, fmt::format_args values);

template <class... Values>
std::size_t format_into(std::span<char> place, fmt::format_string<Values...> format,
                        Values&&... values) {
    return vformat_into(place, format, fmt::make_format_args(values...));
}

}  // namespace damrak::fix_codec
