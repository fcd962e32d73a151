// The flat tables into which a dictionary is compiled. A message type has one rule for each tag, so
// one load validates a field. Rare data (tags of four digits and more, values longer than a letter,
// names) is separate. Filled by the loader, used by dictionary.cpp and by validation.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/fix_codec/detail/formats.hpp>
#include <damrak/fix_codec/message.hpp>

namespace damrak::fix_codec::detail {

/// The part of a message to which a field belongs, in the required order.
enum class Place : std::uint8_t { header, body, trailer, nowhere };

/// The rule of a message type for a tag.
struct Rule {
    static constexpr std::uint8_t k_not_required = 0;

    Place place = Place::nowhere;
    Format format = Format::text;
    bool known = false;     ///< the dictionary has this field, perhaps for other messages
    bool is_group = false;  ///< count field of a group; `index` is then that of the group
    /// A bit in the mask of required fields; the lowest one if the field is not required.
    std::uint8_t required_bit = k_not_required;
    std::uint16_t index = 0;  ///< of the allowed values; 0 for any
};
static_assert(sizeof(Rule) == 8);

/// The allowed values of a field.
struct AllowedValues {
    std::array<std::uint64_t, 4> letters{};  ///< one-letter values, a bit each
    std::vector<std::string> longer;         ///< other values in ascending order

    [[nodiscard]] bool has_letter(char letter) const {
        const auto at = static_cast<unsigned char>(letter);
        return (letters[at / 64] >> at % 64 & 1U) != 0;
    }
    /// Checks each value of a list.
    [[nodiscard]] bool allow(Format format, std::string_view value) const;
};

struct GroupMember {
    Tag tag{};
    Rule rule;  ///< required_bit refers to the entry
};

struct GroupTable {
    Tag count_tag{};
    Tag delimiter{};
    std::vector<GroupMember> members;  ///< in the required order of an entry
    std::uint64_t required = 1;        ///< bits that an entry must have
    std::vector<Tag> required_tags;    ///< from the second bit on
    std::vector<Tag> all_tags;         ///< with those of nested groups, in ascending order
    GroupLayout layout;                ///< refers to all_tags

    [[nodiscard]] const GroupMember* find(Tag tag) const {
        for (const GroupMember& member : members)
            if (member.tag == tag) return &member;
        return nullptr;
    }
};

/// Tags below this have their own slots in the tables.
inline constexpr Tag k_near_tags = 4096;

struct MessageTable {
    std::string type;
    std::string name;
    std::vector<Rule> rules;                 ///< by tag, below k_near_tags
    std::vector<GroupMember> further_rules;  ///< of larger tags, in ascending order
    std::uint64_t required = 1;
    std::vector<Tag> required_tags;  ///< from the second bit on: header, body, trailer

    [[nodiscard]] Rule rule(Tag tag) const {
        if (tag < rules.size()) [[likely]]
            return rules[tag];
        return further_rule(tag);
    }
    [[nodiscard]] Rule further_rule(Tag tag) const;
};

/// A field or group of a header, trailer, body or entry.
struct Element {
    Tag tag{};
    bool required = false;
    Rule rule;
};

struct FieldNames {
    std::string name;
    std::map<std::string, std::string, std::less<>> values;
};

struct DictionaryTables {
    std::uint64_t serial = 0;  ///< number among all dictionaries ever loaded, from 1
    std::vector<MessageTable> messages;
    std::array<std::uint16_t, 128> by_letter{};  ///< index plus one of one-letter message types
    std::map<std::string, std::size_t, std::less<>> by_type;
    std::vector<AllowedValues> values;  ///< the first allows any value
    std::vector<GroupTable> groups;     ///< index 0 means none
    std::map<Tag, FieldNames> fields;
    std::vector<Element> header;  ///< common to all messages
    std::vector<Element> trailer;

    [[nodiscard]] const MessageTable* message(std::string_view type) const {
        if (type.size() == 1 && static_cast<unsigned char>(type[0]) < by_letter.size()) [[likely]] {
            const std::size_t at = by_letter[static_cast<unsigned char>(type[0])];
            return at == 0 ? nullptr : &messages[at - 1];
        }
        const auto found = by_type.find(type);
        return found == by_type.end() ? nullptr : &messages[found->second];
    }
};

}  // namespace damrak::fix_codec::detail
