// Validation of a message by a dictionary: one walk over its fields, with a rule for each. Faults
// are reported in the order in which the common engines check: the order of header, body and
// trailer; the message type; required fields; then the first faulty field on the wire.
#include <algorithm>
#include <array>
#include <bit>
#include <bitset>
#include <cstring>
#include <span>

#include <damrak/fix_codec/detail/dictionary_tables.hpp>
#include <damrak/fix_codec/detail/known_values.hpp>
#include <damrak/fix_codec/detail/shape.hpp>
#include <damrak/fix_codec/dictionary.hpp>

namespace damrak::fix_codec {
namespace {

using detail::AllowedValues;
using detail::DictionaryTables;
using detail::GroupMember;
using detail::GroupTable;
using detail::MessageTable;
using detail::Place;
using detail::Rule;
using detail::Shape;
using detail::ShapeCheck;
using Reason = SessionRejectReason;

class Validation {
  public:
    /// Writes the checks that every message of the shape needs to `notes`, unless null.
    Validation(const DictionaryTables& tables, const Message& message, const ValidationRules& rules,
               Shape* notes)
        : tables_{tables},
          message_{message},
          fields_{message.fields()},
          rules_{rules},
          notes_{notes} {
        if (notes_ != nullptr) notes_->check_count = 0;
    }

    [[nodiscard]] std::optional<Violation> run() {
        const MessageTable* const table = tables_.message(message_.msg_type());
        if (table == nullptr) return Violation{tag::msg_type, Reason::invalid_msg_type};
        std::uint64_t seen = 1;
        Place place = Place::header;
        for (std::size_t at = 0; at < fields_.size();) {
            const Field& field = fields_[at];
            const Rule rule = table->rule(field.tag);
            if (rule.place == Place::nowhere) [[unlikely]] {
                check_stray(field.tag, rule);
                ++at;
                continue;
            }
            if (rule.place < place && rules_.order) [[unlikely]]
                return Violation{field.tag, Reason::tag_out_of_order};
            place = rule.place;
            seen |= std::uint64_t{1} << rule.required_bit;
            if (message_.find(field.tag) != &field) [[unlikely]]
                check_repeated(at);
            if (rule.is_group) [[unlikely]] {
                at = check_group(at, tables_.groups[rule.index]);
            } else {
                check_value(field, rule);
                ++at;
            }
        }
        if ((seen & table->required) != table->required) [[unlikely]]
            return missing(table->required_tags, table->required & ~seen);
        return found_;
    }

  private:
    [[nodiscard]] static Violation missing(const std::vector<Tag>& tags, std::uint64_t bits) {
        return {tags[static_cast<std::size_t>(std::countr_zero(bits)) - 1],
                Reason::required_tag_missing};
    }

    void found(Tag tag, Reason reason) {
        if (!found_) found_ = Violation{tag, reason};
    }

    // A field that the message type does not define.
    void check_stray(Tag tag, const Rule& rule) {
        constexpr Tag k_first_user_defined = 5'000;
        constexpr Tag k_last_tag = 1U << 31U;
        const bool is_tag = tag != 0 && tag < k_last_tag;
        if (is_tag && tag >= k_first_user_defined && !rules_.user_defined_fields) return;
        if (is_tag && rules_.allow_unknown_fields) return;
        found(tag,
              rule.known ? Reason::tag_not_defined_for_message_type : Reason::invalid_tag_number);
    }

    // An earlier field has this tag; that is valid only within a group.
    void check_repeated(std::size_t at) {
        for (std::size_t before = 0; before < at; ++before) {
            if (fields_[before].tag != fields_[at].tag || is_in_group(before)) continue;
            found(fields_[at].tag, Reason::tag_appears_more_than_once);
            return;
        }
    }
    [[nodiscard]] bool is_in_group(std::size_t at) const {
        return std::ranges::any_of(std::span{groups_}.first(group_count_), [at](Extent group) {
            return group.begin <= at && at < group.end;
        });
    }

    // A group of the message itself. Returns the position after it.
    std::size_t check_group(std::size_t at, const GroupTable& group) {
        const std::size_t end = check_entries(at, group);
        // If there are too many groups, treats the last ones as one.
        if (group_count_ == groups_.size())
            groups_.back().end = static_cast<std::uint32_t>(end);
        else
            groups_[group_count_++] = {static_cast<std::uint32_t>(at + 1),
                                       static_cast<std::uint32_t>(end)};
        return end;
    }

    // The count and the entries after it, including nested groups to any depth of the dictionary.
    std::size_t check_entries(std::size_t at, const GroupTable& group) {
        const Field& count = fields_[at++];
        const auto declared = parse_integer(message_.value(count));
        if (!declared) [[unlikely]] {
            const bool empty = count.length == 0;
            if (!empty || rules_.values)
                found(count.tag, empty ? Reason::tag_without_value : Reason::incorrect_data_format);
            return at;
        }
        std::int64_t entries = 0;
        while (at < fields_.size() && fields_[at].tag == group.delimiter) {
            at = check_entry(at, group);
            ++entries;
        }
        note(count,
             {ShapeCheck::Kind::entries, Format::count, 0, static_cast<std::uint16_t>(entries)});
        if (entries == *declared) [[likely]]
            return at;
        if (entries == 0 && at < fields_.size() && group.find(fields_[at].tag) != nullptr)
            found(fields_[at].tag, Reason::group_fields_out_of_order);
        found(count.tag, Reason::incorrect_group_count);
        return at;
    }

    // From the delimiter to the next one, or to a field that is not a member. Returns the position
    // after it.
    std::size_t check_entry(std::size_t at, const GroupTable& group) {
        std::bitset<k_told_apart> have;
        std::uint64_t seen = 1;
        std::size_t last = 0;
        const std::size_t begin = at;
        while (at < fields_.size()) {
            const Field& field = fields_[at];
            if (field.tag == group.delimiter && at != begin) break;
            const GroupMember* const member = group.find(field.tag);
            if (member == nullptr) break;
            const auto index = static_cast<std::size_t>(member - group.members.data());
            if (index < k_told_apart && have.test(index))
                found(field.tag, Reason::tag_appears_more_than_once);
            if (index < k_told_apart) have.set(index);
            if (index < last && rules_.group_order)
                found(field.tag, Reason::group_fields_out_of_order);
            last = index;
            seen |= std::uint64_t{1} << member->rule.required_bit;
            if (member->rule.is_group) {
                at = check_entries(at, tables_.groups[member->rule.index]);
            } else {
                check_value(field, member->rule);
                ++at;
            }
        }
        if ((seen & group.required) != group.required) {
            const Violation first = missing(group.required_tags, group.required & ~seen);
            found(first.tag, first.reason);
        }
        return at;
    }

    void note(const Field& field, ShapeCheck check) {
        if (notes_ == nullptr) return;
        check.field = static_cast<std::uint16_t>(&field - fields_.data());
        notes_->checks[notes_->check_count++] = check;
    }

    void check_value(const Field& field, const Rule& rule) {
        if (rule.index != 0)
            note(field, {ShapeCheck::Kind::allowed, rule.format, 0, rule.index});
        else if (rule.format != Format::text && rule.format != Format::data &&
                 field.tag != tag::body_length)  // checked by the decoder
            note(field, {ShapeCheck::Kind::format, rule.format, 0, 0});
        const std::string_view value = message_.value(field);
        if (value.empty()) [[unlikely]] {
            if (rules_.values) found(field.tag, Reason::tag_without_value);
            return;
        }
        if (!well_formed(rule.format, value)) [[unlikely]] {
            found(field.tag, Reason::incorrect_data_format);
            return;
        }
        if (rule.index == 0) return;
        const AllowedValues& allowed = tables_.values[rule.index];
        if (!allowed.allow(rule.format, value)) [[unlikely]]
            found(field.tag, Reason::value_incorrect);
    }

    struct Extent {
        std::uint32_t begin;
        std::uint32_t end;
    };
    static constexpr std::size_t k_told_apart = 256;  // members of a group checked for duplicates

    const DictionaryTables& tables_;
    const Message& message_;
    std::span<const Field> fields_;
    const ValidationRules& rules_;
    Shape* notes_;
    std::optional<Violation> found_;  // the first fault of a field
    std::array<Extent, 32> groups_;   // fields within groups of the message so far
    std::size_t group_count_ = 0;
};

}  // namespace

std::optional<Violation> Dictionary::validate(const Message& message,
                                              const ValidationRules& rules) const {
    static constexpr ValidationRules k_usual;
    const bool usual = std::memcmp(&rules, &k_usual, sizeof rules) == 0;  // all members are flags
    detail::Shape* const shape = usual ? message.shape_ : nullptr;
    const bool judged = shape != nullptr && shape->judged_by == tables_->serial;
    if (judged && !message.has_empty_value_ && detail::has_right_values(*tables_, message, *shape))
        [[likely]]
        return std::nullopt;
    // A faulty message does not change the notes of its shape.
    detail::Shape* const notes = judged ? nullptr : shape;
    if (notes != nullptr) {
        notes->judged_by = 0;
        notes->forget_values();
    }
    const auto found = Validation{*tables_, message, rules, notes}.run();
    if (notes != nullptr && !found) {
        detail::sort_checks(message, *notes);
        notes->judged_by = tables_->serial;
    }
    return found;
}

}  // namespace damrak::fix_codec
