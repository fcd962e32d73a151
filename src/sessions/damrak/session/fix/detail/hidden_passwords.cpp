#include <damrak/session/fix/detail/hidden_passwords.hpp>

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include <damrak/fix_codec/checksum.hpp>

namespace damrak::session::fix::detail {

std::span<char> without_passwords(std::span<const char> message, std::span<char> room) {
    const std::span<char> kept = room.first(message.size());
    std::ranges::copy(message, kept.begin());
    const std::string_view text{kept.data(), kept.size()};
    for (const std::string_view field : {"\001554=", "\001925="})
        for (std::size_t at = 0; (at = text.find(field, at)) != std::string_view::npos;)
            for (at += field.size(); at < text.size() && text[at] != '\001'; ++at) kept[at] = '*';
    constexpr std::string_view k_trailer = "10=000\001";
    const std::size_t end = text.size() - std::min(text.size(), k_trailer.size());
    if (text.substr(end).starts_with("10="))
        fmt::format_to(&kept[end], "10={:03}", fix_codec::checksum(kept.first(end)));
    return kept;
}

}  // namespace damrak::session::fix::detail
