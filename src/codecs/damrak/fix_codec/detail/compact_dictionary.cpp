#include <damrak/fix_codec/detail/compact_dictionary.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>
#include <damrak/base/is_digit.hpp>

namespace damrak::fix_codec::detail {
namespace {

constexpr std::array<std::string_view, 9> k_versions{"40", "41", "42", "43", "44",
                                                     "T",  "50", "51", "52"};

[[nodiscard]] std::size_t place_of(std::string_view version) {
    const auto found = std::ranges::find(k_versions, version);
    DAMRAK_ASSERT(found != k_versions.end());
    return static_cast<std::size_t>(found - k_versions.begin());
}

struct Parts {
    std::string_view before;
    std::string_view behind;
};
[[nodiscard]] Parts split(std::string_view text, char at) {
    const std::size_t found = text.find(at);
    if (found == std::string_view::npos) return {text, {}};
    return {text.substr(0, found), text.substr(found + 1)};
}

// The next line, without comments and blank lines. Empty at the end.
[[nodiscard]] std::string_view next_line(std::string_view& text) {
    while (!text.empty()) {
        const auto [line, rest] = split(text, '\n');
        text = rest;
        if (!line.empty() && line.front() != '#') return line;
    }
    return {};
}

// The next word; brackets are words of their own. Empty at the end.
[[nodiscard]] std::string_view next_word(std::string_view& text, std::string_view brackets = {}) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == std::string_view::npos) return text = {};
    text.remove_prefix(begin);
    std::size_t end = 1;
    if (!brackets.contains(text.front()))
        while (end < text.size() && text[end] != ' ' && text[end] != '\n' &&
               !brackets.contains(text[end]))
            ++end;
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(end);
    return word;
}

[[nodiscard]] std::uint32_t number_of(std::string_view text) {
    std::uint32_t number = 0;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number;
}

[[nodiscard]] bool is_number(std::string_view text) { return is_digit(text.front()); }

// A line and the indented lines after it.
[[nodiscard]] std::string_view lines_below(std::string_view& text) {
    const char* const begin = text.data();
    while (text.starts_with(' ')) text = split(text, '\n').behind;
    return {begin, static_cast<std::size_t>(text.data() - begin)};
}

struct Renamed {
    std::string_view newest;
    std::string_view older;
};
// Names of the types of FIX.5.0SP2 in earlier versions. All others are unchanged.
constexpr std::array k_numbers{Renamed{"SEQNUM", "INT"}, Renamed{"LENGTH", "INT"},
                               Renamed{"NUMINGROUP", "INT"}};
constexpr std::array k_lists{Renamed{"MULTIPLECHARVALUE", "MULTIPLEVALUESTRING"},
                             Renamed{"MULTIPLESTRINGVALUE", "MULTIPLEVALUESTRING"},
                             Renamed{"XMLDATA", "DATA"}};
constexpr std::array k_before_42{Renamed{"QTY", "INT"},           Renamed{"PRICE", "FLOAT"},
                                 Renamed{"PRICEOFFSET", "FLOAT"}, Renamed{"AMT", "FLOAT"},
                                 Renamed{"PERCENTAGE", "FLOAT"},  Renamed{"STRING", "CHAR"},
                                 Renamed{"CURRENCY", "CHAR"},     Renamed{"EXCHANGE", "CHAR"},
                                 Renamed{"BOOLEAN", "CHAR"},      Renamed{"UTCTIMESTAMP", "TIME"},
                                 Renamed{"LOCALMKTDATE", "DATE"}};
constexpr std::array k_in_42{Renamed{"PERCENTAGE", "FLOAT"}};
constexpr std::array k_in_42_and_43{Renamed{"UTCDATEONLY", "UTCDATE"}};

[[nodiscard]] std::optional<std::string_view> renamed(std::span<const Renamed> table,
                                                      std::string_view type) {
    const auto found = std::ranges::find(table, type, &Renamed::newest);
    return found == table.end() ? std::nullopt : std::optional{found->older};
}

void set(pugi::xml_node node, const char* attribute, std::string_view value) {
    node.append_attribute(attribute).set_value(value.data(), value.size());
}

}  // namespace

CompactDictionary::CompactDictionary(std::string_view messages, std::string_view fields,
                                     CompactVersion version)
    : version_{version} {
    read_blocks(messages);
    read_fields(fields);
}

// Parses the text after an @: "42", "-41", "43-", "40,43-44"; empty means all versions.
CompactDictionary::Mask CompactDictionary::mask_of(std::string_view versions) {
    constexpr unsigned k_all = (1U << k_versions.size()) - 1;
    if (versions.empty()) return k_all;
    unsigned mask = 0;
    while (!versions.empty()) {
        const auto [part, rest] = split(versions, ',');
        versions = rest;
        const auto [first, last] = split(part, '-');
        const bool is_range = part.contains('-');
        const std::size_t begin = first.empty() ? 0 : place_of(first);
        const std::size_t end = !last.empty() ? place_of(last)
                                : is_range    ? k_versions.size() - 1
                                              : begin;
        for (std::size_t i = begin; i <= end; ++i) mask |= 1U << i;
    }
    return static_cast<Mask>(mask);
}

bool CompactDictionary::applies(std::string_view versions) const {
    const unsigned mask = mask_of(versions);
    return (mask >> std::to_underlying(version_) & 1U) != 0;
}

void CompactDictionary::read_blocks(std::string_view text) {
    while (true) {
        const std::string_view head = next_line(text);
        if (head.empty()) return;
        read_block(head, lines_below(text));
    }
}

void CompactDictionary::read_block(std::string_view head, std::string_view body) {
    auto [words, versions] = split(head, '@');
    if (!applies(versions)) return;
    Block block{.kind = next_word(words), .words = {}, .members = {}};
    while (!words.empty())
        if (const std::string_view word = next_word(words); !word.empty())
            block.words.push_back(word);
    block.members = read_members(body, true);
    blocks_.push_back(std::move(block));
}

// Up to the bracket that closes a group, or the end.
std::vector<CompactDictionary::Member> CompactDictionary::read_members(std::string_view& text,
                                                                       bool wanted) const {
    constexpr std::string_view k_brackets = "[]";
    std::vector<Member> members;
    while (true) {
        std::string_view word = next_word(text, k_brackets);
        if (word.empty() || word == "]") return members;
        const bool is_group = word == "[";
        if (is_group) word = next_word(text, k_brackets);
        auto [name, versions] = split(word, '@');
        const bool required = name.ends_with('!');
        if (required) name.remove_suffix(1);
        const bool has_it = wanted && applies(versions);
        Member member{.name = name, .required = required, .members = {}};
        if (is_group) member.members = read_members(text, has_it);
        if (has_it) members.push_back(std::move(member));
    }
}

void CompactDictionary::read_fields(std::string_view text) {
    while (true) {
        const std::string_view line = next_line(text);
        if (line.empty()) return;
        read_field(line, lines_below(text));
    }
}

void CompactDictionary::read_field(std::string_view line, std::string_view values) {
    const std::uint32_t tag = number_of(next_word(line));
    Field field{.type = next_word(line), .name = {}, .values = {}};
    while (field.name.empty() && !line.empty()) {
        const auto [name, versions] = split(next_word(line), '@');
        if (applies(versions)) field.name = name;
    }
    if (field.name.empty()) return;
    while (true) {
        const std::string_view word = next_word(values);
        if (word.empty()) break;
        const auto [value, rest] = split(word, '=');
        const auto [label, versions] = split(rest, '@');
        if (applies(versions)) field.values.push_back({value, label});
    }
    fields_[tag] = std::move(field);
}

void CompactDictionary::write(pugi::xml_document& document) {
    constexpr std::array<std::string_view, 9> k_names{"4 0 0", "4 1 0", "4 2 0", "4 3 0", "4 4 0",
                                                      "1 1 0", "5 0 0", "5 0 1", "5 0 2"};
    std::string_view name = k_names[std::to_underlying(version_)];
    pugi::xml_node root = document.append_child("fix");
    set(root, "type", version_ == CompactVersion::fixt11 ? "FIXT" : "FIX");
    for (const char* part : {"major", "minor", "servicepack"}) set(root, part, next_word(name));
    write_frame(root, "header");
    write_frame(root, "trailer");
    write_messages(root);
    write_components(root);
    write_fields(root);
}

void CompactDictionary::write_frame(pugi::xml_node root, std::string_view which) {
    pugi::xml_node frame = root.append_child(std::string{which}.c_str());
    if (over_transport()) return;
    for (const Block& block : blocks_)
        if (block.kind == which) write_members(frame, block.members);
}

// The transport has the session messages, the application versions all others.
void CompactDictionary::write_messages(pugi::xml_node root) {
    pugi::xml_node messages = root.append_child("messages");
    for (const Block& block : blocks_) {
        if (block.kind != "message") continue;
        const bool admin = block.words[2] == "admin";
        if ((admin && over_transport()) || (!admin && version_ == CompactVersion::fixt11)) continue;
        pugi::xml_node message = messages.append_child("message");
        set(message, "name", block.words[1]);
        set(message, "msgtype", block.words[0]);
        set(message, "msgcat", block.words[2]);
        write_members(message, block.members);
    }
}

void CompactDictionary::write_members(pugi::xml_node parent, const std::vector<Member>& members) {
    for (const Member& member : members) {
        const bool is_field = is_number(member.name);
        const bool is_group = !member.members.empty();
        pugi::xml_node node = parent.append_child(is_group   ? "group"
                                                  : is_field ? "field"
                                                             : "component");
        if (is_field) {
            const std::uint32_t tag = number_of(member.name);
            used_.insert(tag);
            set(node, "name", fields_[tag].name);
        } else {
            used_components_.insert(member.name);
            set(node, "name", member.name);
        }
        set(node, "required", member.required ? "Y" : "N");
        write_members(node, member.members);
    }
}

// Writes the components that messages use, and those that these use in turn.
void CompactDictionary::write_components(pugi::xml_node root) {
    pugi::xml_node components = root.append_child("components");
    std::set<std::string_view> written;
    while (written.size() < used_components_.size())
        for (const Block& block : blocks_) {
            if (block.kind != "component" || !used_components_.contains(block.words[0]) ||
                !written.insert(block.words[0]).second)
                continue;
            pugi::xml_node component = components.append_child("component");
            set(component, "name", block.words[0]);
            write_members(component, block.members);
        }
}

void CompactDictionary::write_fields(pugi::xml_node root) const {
    pugi::xml_node fields = root.append_child("fields");
    for (const std::uint32_t tag : used_) {
        const Field& field = fields_.at(tag);
        pugi::xml_node node = fields.append_child("field");
        set(node, "number", fmt::format("{}", tag));
        set(node, "name", field.name);
        set(node, "type", type_of(field.type));
        std::vector<Value> values = field.values;
        if (field.type == "BOOLEAN" && version_ < CompactVersion::fix42)
            values = {{"Y", "YES"}, {"N", "NO"}};
        for (const Value& one : values) {
            pugi::xml_node value = node.append_child("value");
            set(value, "enum", one.value);
            set(value, "description", one.label);
        }
    }
}

std::string_view CompactDictionary::type_of(std::string_view newest) const {
    const auto was = [&](std::span<const Renamed> table, CompactVersion last,
                         CompactVersion first = CompactVersion::fix40) {
        return version_ >= first && version_ <= last ? renamed(table, newest) : std::nullopt;
    };
    using enum CompactVersion;
    if (const auto older = was(k_before_42, fix41)) return *older;
    if (const auto older = was(k_numbers, fix42)) return *older;
    if (const auto older = was(k_lists, fix44)) return *older;
    if (const auto older = was(k_in_42, fix42, fix42)) return *older;
    if (const auto older = was(k_in_42_and_43, fix43, fix42)) return *older;
    return newest;
}

}  // namespace damrak::fix_codec::detail
