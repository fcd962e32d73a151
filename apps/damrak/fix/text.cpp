#include "fix/text.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/tags.hpp>
#include <damrak/fix_codec/versions.hpp>

namespace damrak::app {

namespace {

using namespace fix_codec;  // NOLINT(google-build-using-namespace): this file is about nothing else

const Dictionary& dictionary_of(const Message& message) {
    if (const auto version = appl_version(message.begin_string())) return Dictionary::of(*version);
    const auto said = message.text(tag::appl_ver_id);
    const auto version = said ? parse_appl_version(*said) : std::nullopt;
    return Dictionary::of(version.value_or(ApplVersion::fix50sp2));
}

// Bytes that would move the cursor or ring the bell are shown as their codes.
std::string printable(std::string_view value) {
    std::string text;
    for (const char c : value) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20 || byte == 0x7F) {
            text += fmt::format("\\x{:02x}", byte);
        } else {
            text += c;
        }
    }
    return text;
}

}  // namespace

std::string fix_line(const Message& message) {
    const Dictionary& dictionary = dictionary_of(message);
    const std::string_view type = message.msg_type();
    const std::string_view name = dictionary.message_name(type);
    std::string line{name.empty() ? printable(type) : std::string{name}};
    for (const Field& field : message.fields()) {
        const std::string_view value = message.value(field);
        const std::string_view field_name = dictionary.field_name(field.tag);
        line += field_name.empty()
                    ? fmt::format(" {}={}", shown(field.tag), printable(value))
                    : fmt::format(" {}({})={}", field_name, shown(field.tag), printable(value));
        if (const auto meaning = dictionary.value_name(field.tag, value); !meaning.empty())
            line += fmt::format(" {}", meaning);
    }
    return line;
}

std::expected<std::vector<FixFilter>, std::string> parse_fix_filters(
    const std::vector<std::string>& texts) {
    std::vector<FixFilter> filters;
    for (const std::string& text : texts) {
        const std::size_t equals = text.find('=');
        const char* end = text.data() + std::min(equals, text.size());
        FixFilter filter;
        const auto [stop, error] = std::from_chars(text.data(), end, filter.tag);
        if (error != std::errc{} || stop != end || filter.tag == 0)
            return std::unexpected{
                fmt::format("--tag {}: expected TAG or TAG=VALUE, such as 35=D", text)};
        if (equals != std::string::npos) filter.value = text.substr(equals + 1);
        filters.push_back(std::move(filter));
    }
    return filters;
}

bool passes(const Message& message, const std::vector<FixFilter>& filters) {
    return std::ranges::all_of(filters, [&](const FixFilter& filter) {
        return std::ranges::any_of(message.fields(), [&](const Field& field) {
            return field.tag == filter.tag &&
                   (!filter.value || message.value(field) == *filter.value);
        });
    });
}

}  // namespace damrak::app
