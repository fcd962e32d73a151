#include <damrak/fix_codec/detail/dictionary_loader.hpp>

#include <algorithm>
#include <atomic>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace damrak::fix_codec::detail {
namespace {

[[nodiscard]] bool is_yes(std::string_view text) { return text == "Y" || text == "y"; }

[[nodiscard]] std::optional<Tag> parse_number(std::string_view text) {
    Tag tag = 0;
    const char* const end = text.end();
    const auto [stop, error] = std::from_chars(text.begin(), end, tag);
    constexpr Tag k_last = 99'999'999;
    if (error != std::errc{} || stop != end || tag == 0 || tag > k_last) return std::nullopt;
    return tag;
}

[[nodiscard]] std::uint64_t next_serial() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

[[nodiscard]] std::uint64_t all_required(const std::vector<Tag>& tags) {
    return (std::uint64_t{2} << tags.size()) - 1;
}

// Assigns the next bit of the mask; false if none is left.
[[nodiscard]] bool require(GroupMember& member, std::vector<Tag>& required) {
    constexpr std::size_t k_maximum_required = 62;
    if (required.size() == k_maximum_required) return false;
    required.push_back(member.tag);
    member.rule.required_bit = static_cast<std::uint8_t>(required.size());
    return true;
}

[[nodiscard]] const GroupMember* find_tag(const std::vector<GroupMember>& members, Tag tag) {
    const auto found = std::ranges::find(members, tag, &GroupMember::tag);
    return found == members.end() ? nullptr : &*found;
}

// Tags are set in ascending order, so the list of large tags is sorted.
[[nodiscard]] Rule& rule_to_set(MessageTable& message, Tag tag) {
    if (tag < k_near_tags) {
        if (tag >= message.rules.size()) message.rules.resize(tag + 1);
        return message.rules[tag];
    }
    auto at = std::ranges::lower_bound(message.further_rules, tag, {}, &GroupMember::tag);
    if (at == message.further_rules.end() || at->tag != tag)
        at = message.further_rules.insert(at, {tag, {}});
    return at->rule;
}

// The first definition of a tag wins: a header field is not a body field. False if there are more
// required fields than bits in the mask.
[[nodiscard]] bool add_rules(MessageTable& message, const std::vector<Element>& elements,
                             Place place) {
    std::map<Tag, const Element*> by_tag;
    for (const Element& element : elements) by_tag.emplace(element.tag, &element);
    for (const auto& [tag, element] : by_tag) {
        Rule& rule = rule_to_set(message, tag);
        if (rule.place != Place::nowhere) continue;
        GroupMember member{tag, element->rule};
        member.rule.place = place;
        if (element->required && !require(member, message.required_tags)) return false;
        rule = member.rule;
    }
    return true;
}

}  // namespace

Loaded DictionaryLoader::load() {
    pugi::xml_document document;
    const auto parsed = document.load_buffer(xml_.data(), xml_.size());
    if (!parsed) {
        const auto before = xml_.substr(0, static_cast<std::size_t>(parsed.offset));
        return std::unexpected(fmt::format(
            "line {}: not XML: {}", 1 + std::ranges::count(before, '\n'), parsed.description()));
    }
    const pugi::xml_node root = document.child("fix");
    if (!root) return std::unexpected("not a FIX dictionary: its first element is not <fix>");
    return compile(root);
}

Loaded DictionaryLoader::load(const pugi::xml_document& document,
                              const DictionaryTables* transport) {
    return DictionaryLoader{{}, transport}.compile(document.child("fix"));
}

// Errors anywhere in the file are thrown to here, and no further.
Loaded DictionaryLoader::compile(pugi::xml_node root) {
    try {
        tables_ = std::make_unique<DictionaryTables>();
        if (transport_ != nullptr) *tables_ = *transport_;
        tables_->serial = next_serial();
        if (tables_->values.empty()) tables_->values.resize(1);
        if (tables_->groups.empty()) tables_->groups.resize(1);
        read_fields(root);
        read_messages(root);
        finish();
    } catch (const Failure& failure) {
        return std::unexpected(failure.text);
    }
    return std::move(tables_);
}

void DictionaryLoader::fail(pugi::xml_node node, std::string_view what) const {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(0, node.offset_debug()));
    const auto line = 1 + std::ranges::count(xml_.substr(0, offset), '\n');
    throw Failure{fmt::format("line {}: <{}>: {}", line, node.name(), what)};
}

std::string_view DictionaryLoader::attribute(pugi::xml_node node, const char* name) const {
    const std::string_view text = node.attribute(name).value();
    if (text.empty()) fail(node, fmt::format("the attribute {} is missing", name));
    return text;
}

void DictionaryLoader::read_fields(pugi::xml_node root) {
    const bool char_is_text =
        root.attribute("major").as_int() == 4 && root.attribute("minor").as_int() < 2;
    for (const pugi::xml_node node : root.child("fields").children("field")) {
        const auto tag = parse_number(attribute(node, "number"));
        if (!tag) fail(node, "not a valid tag number");
        const std::string name{attribute(node, "name")};
        const auto format = parse_format(attribute(node, "type"), char_is_text);
        if (!format)
            fail(node, fmt::format("{} is not a FIX type", node.attribute("type").value()));
        FieldType type{*tag, *format, 0};
        tables_->fields[*tag].name = name;
        read_values(node, type);
        if (!fields_by_name_.emplace(name, type).second)
            fail(node, fmt::format("{} occurs twice", name));
    }
    if (fields_by_name_.empty()) fail(root, "<fields> is missing");
}

void DictionaryLoader::read_values(pugi::xml_node field, FieldType& type) {
    AllowedValues allowed;
    FieldNames& names = tables_->fields[type.tag];
    for (const pugi::xml_node node : field.children("value")) {
        const std::string value{attribute(node, "enum")};
        names.values[value] = node.attribute("description").value();
        // A value that the type does not allow is invalid even if the list has it.
        if (type.format != Format::list && !well_formed(type.format, value)) continue;
        const auto letter = static_cast<unsigned char>(value.front());
        if (value.size() == 1)
            allowed.letters[letter / 64] |= std::uint64_t{1} << letter % 64;
        else
            allowed.longer.push_back(value);
    }
    const std::string_view others = field.attribute("allowOtherValues").value();
    if (!field.child("value") || is_yes(others) || others == "true") return;
    std::ranges::sort(allowed.longer);
    tables_->values.push_back(std::move(allowed));
    if (tables_->values.size() > std::numeric_limits<std::uint16_t>::max())
        fail(field, "too many fields with values");
    type.values = static_cast<std::uint16_t>(tables_->values.size() - 1);
}

void DictionaryLoader::read_messages(pugi::xml_node root) {
    for (const pugi::xml_node node : root.child("components").children("component"))
        components_.emplace(attribute(node, "name"), node);
    if (transport_ == nullptr) {
        expand(root.child("header"), true, tables_->header);
        expand(root.child("trailer"), true, tables_->trailer);
        if (tables_->header.empty() || tables_->trailer.empty())
            fail(root,
                 "<header> or <trailer> is missing; application messages over FIXT need the "
                 "dictionary of their transport");
    }
    for (const pugi::xml_node node : root.child("messages").children("message")) make_message(node);
    if (tables_->messages.empty()) fail(root, "<messages> is missing");
}

const DictionaryLoader::FieldType& DictionaryLoader::field_named(pugi::xml_node node) const {
    const std::string_view name = attribute(node, "name");
    const auto found = fields_by_name_.find(name);
    if (found == fields_by_name_.end())
        fail(node, fmt::format("{} is not among the <fields>", name));
    return found->second;
}

Rule DictionaryLoader::rule_of(const FieldType& type) {
    Rule rule;
    rule.format = type.format;
    rule.known = true;
    rule.index = type.values;
    return rule;
}

// A component that is not required has no required fields.
void DictionaryLoader::expand(pugi::xml_node parent, bool required,
                              std::vector<Element>& elements) {
    if (++depth_ > k_maximum_depth) fail(parent, "components or groups contain themselves");
    for (const pugi::xml_node node : parent.children()) {
        if (node.type() != pugi::node_element) continue;
        const std::string_view kind = node.name();
        const bool needed = required && is_yes(node.attribute("required").value());
        if (kind == "field") {
            const FieldType& type = field_named(node);
            elements.push_back({type.tag, needed, rule_of(type)});
        } else if (kind == "group") {
            const FieldType& type = field_named(node);
            Rule rule = rule_of(type);
            rule.is_group = true;
            rule.index = make_group(node, type.tag);
            elements.push_back({type.tag, needed, rule});
        } else if (kind == "component") {
            const auto found = components_.find(attribute(node, "name"));
            if (found == components_.end())
                fail(node, fmt::format("{} is not among the <components>",
                                       node.attribute("name").value()));
            expand(found->second, needed, elements);
        } else {
            fail(node, "expected <field>, <group> or <component>");
        }
    }
    --depth_;
}

std::uint16_t DictionaryLoader::make_group(pugi::xml_node node, Tag count_tag) {
    const auto made = groups_by_node_.find(node.hash_value());
    if (made != groups_by_node_.end()) return made->second;
    std::vector<Element> elements;
    expand(node, true, elements);
    if (elements.empty()) fail(node, "a group without fields");
    GroupTable group;
    group.count_tag = count_tag;
    group.delimiter = elements.front().tag;
    for (const Element& element : elements) {
        if (find_tag(group.members, element.tag) != nullptr) continue;
        GroupMember member{element.tag, element.rule};
        member.rule.place = Place::body;
        if (element.required && !require(member, group.required_tags))
            fail(node, "more than 63 required fields");
        group.members.push_back(member);
        group.all_tags.push_back(element.tag);
        if (!element.rule.is_group) continue;
        const auto& inner = tables_->groups[element.rule.index].all_tags;
        group.all_tags.insert(group.all_tags.end(), inner.begin(), inner.end());
    }
    group.required = all_required(group.required_tags);
    std::ranges::sort(group.all_tags);
    tables_->groups.push_back(std::move(group));
    if (tables_->groups.size() > std::numeric_limits<std::uint16_t>::max())
        fail(node, "too many groups");
    const auto index = static_cast<std::uint16_t>(tables_->groups.size() - 1);
    groups_by_node_.emplace(node.hash_value(), index);
    return index;
}

void DictionaryLoader::make_message(pugi::xml_node node) {
    MessageTable message;
    message.type = attribute(node, "msgtype");
    message.name = attribute(node, "name");
    if (tables_->by_type.contains(message.type))
        fail(node, fmt::format("MsgType {} occurs twice", message.type));
    for (const auto& [tag, names] : tables_->fields) rule_to_set(message, tag).known = true;
    std::vector<Element> body;
    expand(node, true, body);
    if (!add_rules(message, tables_->header, Place::header) ||
        !add_rules(message, body, Place::body) ||
        !add_rules(message, tables_->trailer, Place::trailer))
        fail(node, "more than 63 required fields");
    message.required = all_required(message.required_tags);
    tables_->by_type.emplace(message.type, tables_->messages.size());
    tables_->messages.push_back(std::move(message));
}

void DictionaryLoader::finish() {
    for (const auto& [type, at] : tables_->by_type) {
        const auto letter = static_cast<unsigned char>(type.front());
        if (type.size() == 1 && letter < tables_->by_letter.size())
            tables_->by_letter[letter] = static_cast<std::uint16_t>(at + 1);
    }
    for (GroupTable& group : tables_->groups)
        group.layout = {group.count_tag, group.delimiter, group.all_tags};
}

}  // namespace damrak::fix_codec::detail
