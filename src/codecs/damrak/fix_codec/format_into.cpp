#include <damrak/fix_codec/format_into.hpp>

#include <algorithm>

namespace damrak::fix_codec {

std::size_t vformat_into(std::span<char> place, fmt::string_view format, fmt::format_args values) {
    return std::min(fmt::vformat_to_n(place.data(), place.size(), format, values).size,
                    place.size());
}

}  // namespace damrak::fix_codec
