#include "support/fix_scenario_text.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <damrak/fix_codec/encode.hpp>
#include <damrak/fix_codec/values.hpp>

#include "support/fix_world.hpp"

namespace damrak::testing {
namespace {

using fix_codec::ApplVersion;
using fix_codec::BeginString;
using fix_codec::Tag;

constexpr std::array k_versions{
    FixVersion{"FIX.4.0", BeginString::fix40, ApplVersion::fix40},
    FixVersion{"FIX.4.1", BeginString::fix41, ApplVersion::fix41},
    FixVersion{"FIX.4.2", BeginString::fix42, ApplVersion::fix42},
    FixVersion{"FIX.4.3", BeginString::fix43, ApplVersion::fix43},
    FixVersion{"FIX.4.4", BeginString::fix44, ApplVersion::fix44},
    FixVersion{"FIX.5.0", BeginString::fixt11, ApplVersion::fix50},
    FixVersion{"FIX.5.0SP1", BeginString::fixt11, ApplVersion::fix50sp1},
    FixVersion{"FIX.5.0SP2", BeginString::fixt11, ApplVersion::fix50sp2}};

[[nodiscard]] std::size_t index_of(std::string_view name) {
    const auto found = std::ranges::find(k_versions, name, &FixVersion::name);
    if (found == k_versions.end()) throw std::runtime_error{fmt::format("no version \"{}\"", name)};
    return static_cast<std::size_t>(found - k_versions.begin());
}

// In the session's format: whole seconds before FIX.4.2.
[[nodiscard]] std::string time_text(Timestamp time, const FixVersion& version) {
    std::array<char, 256> room{};
    fix_codec::TimestampCache times;
    fix_codec::detail::Cursor cursor{room.data()};
    times.write(cursor, time,
                version.begin_string < BeginString::fix42 ? fix_codec::TimePrecision::seconds
                                                          : fix_codec::TimePrecision::milliseconds);
    return {room.data(), cursor.at()};
}

[[nodiscard]] std::string value_of(std::string_view text, const FixVersion& version,
                                   Timestamp now) {
    if (!text.starts_with("now")) return std::string{text};
    text.remove_prefix(3);
    if (text.empty()) return time_text(now, version);
    const std::int64_t shift = duration_ns(text.substr(1));
    return time_text(now + Timestamp{text.front() == '-' ? -shift : shift}, version);
}

[[nodiscard]] Tag tag_of(std::string_view text) {
    return static_cast<Tag>(fix_codec::parse_integer(text).value_or(0));
}

// The minimum fields of a valid order in each version.
[[nodiscard]] std::string order_text(std::string_view id, const FixVersion& version,
                                     Timestamp now) {
    const auto colon = id.find(':');
    const std::string_view symbol =
        colon == std::string_view::npos ? std::string_view{"INTC"} : id.substr(colon + 1);
    std::string text =
        fmt::format("11={}|21=1|38=100|40=1|54=1|55={}", id.substr(0, colon), symbol);
    if (version.appl_version >= ApplVersion::fix42) text += "|60=" + time_text(now, version);
    return text;
}

[[nodiscard]] bool is_header(Tag tag) { return is_envelope_field(tag) && tag != 10 && tag != 89; }

[[nodiscard]] bool has_tag(const std::vector<std::pair<Tag, std::string>>& fields, Tag tag) {
    return std::ranges::find(fields, tag, &std::pair<Tag, std::string>::first) != fields.end();
}

}  // namespace

std::span<const FixVersion> fix_versions() { return k_versions; }

bool is_among(const FixVersion& version, std::string_view ranges) {
    if (ranges.empty()) return true;
    const std::size_t at = index_of(version.name);
    for (const std::string_view range : split(ranges, ' ')) {
        const auto dash = range.find('-');
        const std::string_view from = range.substr(0, dash);
        const std::string_view to = dash == std::string_view::npos ? from : range.substr(dash + 1);
        const std::size_t first = from.empty() ? 0 : index_of(from);
        const std::size_t last = to.empty() ? k_versions.size() - 1 : index_of(to);
        if (at >= first && at <= last) return true;
    }
    return false;
}

std::vector<std::string_view> split(std::string_view text, char at) {
    std::vector<std::string_view> parts;
    while (!text.empty()) {
        const auto end = std::min(text.find(at), text.size());
        if (end > 0) parts.push_back(text.substr(0, end));
        text.remove_prefix(std::min(text.size(), end + 1));
    }
    return parts;
}

std::int64_t duration_ns(std::string_view text) {
    const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
    const auto count = fix_codec::parse_integer(text.substr(0, digits));
    const std::string_view unit = text.substr(digits);
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> k_units{
        {{"ms", 1'000'000},
         {"s", 1'000'000'000},
         {"m", 60'000'000'000},
         {"h", 3'600'000'000'000},
         {"d", 86'400'000'000'000}}};
    for (const auto& [name, length] : k_units)
        if (count && unit == name) return *count * length;
    throw std::runtime_error{fmt::format("\"{}\" is not a duration", text)};
}

std::vector<std::pair<Tag, std::string>> expanded(std::string_view field, const FixVersion& version,
                                                  Timestamp now) {
    std::vector<std::pair<Tag, std::string>> fields;
    if (field.starts_with("order=")) {
        const std::string order = order_text(field.substr(6), version, now);
        for (const std::string_view part : split(order, '|'))
            for (auto& one : expanded(part, version, now)) fields.push_back(std::move(one));
        return fields;
    }
    const auto equals = field.find('=');
    const Tag tag = tag_of(field.substr(0, equals));
    if (equals == std::string_view::npos || tag == 0)
        throw std::runtime_error{fmt::format("\"{}\" is not a field", field)};
    fields.emplace_back(tag, value_of(field.substr(equals + 1), version, now));
    return fields;
}

std::string compose(std::string_view text, const FixVersion& version, const FixSender& sender) {
    std::vector<std::pair<Tag, std::string>> fields;
    std::vector<Tag> left_out;
    for (const std::string_view part : split(text, '|')) {
        if (part.starts_with('!')) {
            left_out.push_back(tag_of(part.substr(1)));
        } else {
            for (auto& field : expanded(part, version, sender.now))
                fields.push_back(std::move(field));
        }
    }
    const auto add = [&](Tag tag, std::string value) {
        if (!has_tag(fields, tag) && std::ranges::find(left_out, tag) == left_out.end())
            fields.emplace_back(tag, std::move(value));
    };
    add(49, std::string{sender.sender_comp_id});
    add(52, time_text(sender.now, version));
    add(56, std::string{sender.target_comp_id});
    const bool logon = fields.front() == std::pair<Tag, std::string>{35, "A"};
    if (logon && version.begin_string == BeginString::fixt11)
        add(1137, std::string{fix_codec::text(version.appl_version)});
    // MsgType first, the header in ascending tag order, the body as written.
    std::vector<std::pair<Tag, std::string>> header;
    std::string type;
    std::string body;
    for (const auto& [tag, value] : fields) {
        if (tag == 35) {
            type = fmt::format("35={}|", value);
        } else if (is_header(tag)) {
            header.emplace_back(tag, value);
        } else {
            body += fmt::format("{}={}|", tag, value);
        }
    }
    std::ranges::sort(header, {}, &std::pair<Tag, std::string>::first);
    std::string composed = type;
    for (const auto& [tag, value] : header) composed += fmt::format("{}={}|", tag, value);
    composed += body;
    return composed;
}

std::string raw_message(std::string_view text, const FixVersion& version, Timestamp now) {
    std::string fields;
    for (const std::string_view part : split(text, '|')) {
        const auto equals = part.find('=');
        if (part.starts_with("order=")) {
            fields += order_text(part.substr(6), version, now) + '|';
        } else if (equals == std::string_view::npos) {
            fields += std::string{part} + '|';
        } else {
            fields += std::string{part.substr(0, equals + 1)} +
                      value_of(part.substr(equals + 1), version, now) + '|';
        }
    }
    return framed(version, fields);
}

std::string framed(const FixVersion& version, std::string_view fields) {
    const auto given = [&](std::string_view tag) {
        return fields.starts_with(tag) || fields.find('|' + std::string{tag}) != fields.npos;
    };
    std::string message;
    if (given("8=") && given("9=")) {
        message = fields;
    } else if (given("8=")) {
        // BodyLength follows the first field.
        const auto first = fields.find('|') + 1;
        message = fmt::format("{}9={}|{}", fields.substr(0, first), fields.size() - first,
                              fields.substr(first));
    } else {
        const std::size_t trailer = given("10=") ? fields.size() - fields.rfind("10=") : 0;
        const std::string length =
            given("9=") ? std::string{} : fmt::format("9={}|", fields.size() - trailer);
        message = fmt::format("8={}|{}{}", fix_codec::text(version.begin_string), length, fields);
    }
    std::string bytes = fix_bytes(message);
    if (given("10=")) return bytes;
    unsigned sum = 0;
    for (const char c : bytes) sum += static_cast<unsigned char>(c);
    return bytes + fmt::format("10={:03}\x01", sum % 256);
}

}  // namespace damrak::testing
