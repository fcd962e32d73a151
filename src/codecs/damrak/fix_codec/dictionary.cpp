#include <damrak/fix_codec/dictionary.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/fix_codec/builtin_dictionaries.hpp>
#include <damrak/fix_codec/detail/dictionary_loader.hpp>
#include <damrak/fix_codec/detail/dictionary_tables.hpp>

namespace damrak::fix_codec {
namespace detail {
namespace {

[[nodiscard]] bool is_one_of(const AllowedValues& allowed, std::string_view value) {
    if (value.size() == 1) [[likely]]
        return allowed.has_letter(value.front());
    return std::ranges::binary_search(allowed.longer, value);
}

[[nodiscard]] bool are_all_of(const AllowedValues& allowed, std::string_view values) {
    while (true) {
        const std::size_t space = values.find(' ');
        if (!is_one_of(allowed, values.substr(0, space))) return false;
        if (space == std::string_view::npos) return true;
        values.remove_prefix(space + 1);
    }
}

}  // namespace

bool AllowedValues::allow(Format format, std::string_view value) const {
    return format == Format::list ? are_all_of(*this, value) : is_one_of(*this, value);
}

Rule MessageTable::further_rule(Tag tag) const {
    const auto at = std::ranges::lower_bound(further_rules, tag, {}, &GroupMember::tag);
    return at == further_rules.end() || at->tag != tag ? Rule{} : at->rule;
}

}  // namespace detail

Dictionary::Dictionary(std::unique_ptr<const detail::DictionaryTables> tables)
    : tables_{std::move(tables)} {}
Dictionary::Dictionary(Dictionary&&) noexcept = default;
Dictionary& Dictionary::operator=(Dictionary&&) noexcept = default;
Dictionary::~Dictionary() = default;

std::expected<Dictionary, std::string> Dictionary::load(std::string_view xml) {
    auto tables = detail::DictionaryLoader{xml, nullptr}.load();
    if (!tables) return std::unexpected(std::move(tables).error());
    return Dictionary{*std::move(tables)};
}

std::expected<Dictionary, std::string> Dictionary::load(std::string_view xml,
                                                        const Dictionary& transport) {
    auto tables = detail::DictionaryLoader{xml, transport.tables_.get()}.load();
    if (!tables) return std::unexpected(std::move(tables).error());
    return Dictionary{*std::move(tables)};
}

template <class Version>
Dictionary Dictionary::load_builtin(Version version, const Dictionary* transport) {
    pugi::xml_document document;
    write_builtin_dictionary(version, document);
    auto tables = detail::DictionaryLoader::load(
        document, transport == nullptr ? nullptr : transport->tables_.get());
    DAMRAK_ASSERT(tables.has_value());
    return Dictionary{*std::move(tables)};
}

// Each is loaded on first use, by any thread.
template <BeginString version>
const Dictionary& Dictionary::builtin() {
    static const Dictionary dictionary = load_builtin(version, nullptr);
    return dictionary;
}

template <ApplVersion version>
const Dictionary& Dictionary::builtin() {
    static const Dictionary dictionary = load_builtin(version, &of(BeginString::fixt11));
    return dictionary;
}

const Dictionary& Dictionary::of(BeginString version) {
    switch (version) {
        case BeginString::fix40:
            return builtin<BeginString::fix40>();
        case BeginString::fix41:
            return builtin<BeginString::fix41>();
        case BeginString::fix42:
            return builtin<BeginString::fix42>();
        case BeginString::fix43:
            return builtin<BeginString::fix43>();
        case BeginString::fix44:
            return builtin<BeginString::fix44>();
        case BeginString::fixt11:
            return builtin<BeginString::fixt11>();
        case BeginString::unknown:
            break;
    }
    DAMRAK_ASSERT(version != BeginString::unknown);
    std::unreachable();
}

const Dictionary& Dictionary::of(ApplVersion version) {
    switch (version) {
        case ApplVersion::fix40:
            return of(BeginString::fix40);
        case ApplVersion::fix41:
            return of(BeginString::fix41);
        case ApplVersion::fix42:
            return of(BeginString::fix42);
        case ApplVersion::fix43:
            return of(BeginString::fix43);
        case ApplVersion::fix44:
            return of(BeginString::fix44);
        case ApplVersion::fix50:
            return builtin<ApplVersion::fix50>();
        case ApplVersion::fix50sp1:
            return builtin<ApplVersion::fix50sp1>();
        case ApplVersion::fix50sp2:
            return builtin<ApplVersion::fix50sp2>();
    }
    std::unreachable();
}

bool Dictionary::has_message(std::string_view msg_type) const {
    return tables_->message(msg_type) != nullptr;
}

bool Dictionary::has_field(std::string_view msg_type, Tag tag) const {
    const detail::MessageTable* message = tables_->message(msg_type);
    return message != nullptr && message->rule(tag).place != detail::Place::nowhere;
}

bool Dictionary::requires_field(std::string_view msg_type, Tag tag) const {
    const detail::MessageTable* message = tables_->message(msg_type);
    return message != nullptr && message->rule(tag).required_bit != detail::Rule::k_not_required;
}

const GroupLayout* Dictionary::group(std::string_view msg_type, Tag count_tag) const {
    const detail::MessageTable* message = tables_->message(msg_type);
    if (message == nullptr) return nullptr;
    const detail::Rule rule = message->rule(count_tag);
    return rule.is_group ? &tables_->groups[rule.index].layout : nullptr;
}

const GroupLayout* Dictionary::group(const GroupLayout& within, Tag count_tag) const {
    const auto outer = std::ranges::find(
        tables_->groups, &within, [](const detail::GroupTable& group) { return &group.layout; });
    if (outer == tables_->groups.end()) return nullptr;
    const detail::GroupMember* const member = outer->find(count_tag);
    return member != nullptr && member->rule.is_group ? &tables_->groups[member->rule.index].layout
                                                      : nullptr;
}

std::string_view Dictionary::message_name(std::string_view msg_type) const {
    const detail::MessageTable* message = tables_->message(msg_type);
    return message == nullptr ? std::string_view{} : message->name;
}

std::string_view Dictionary::field_name(Tag tag) const {
    const auto found = tables_->fields.find(tag);
    return found == tables_->fields.end() ? std::string_view{} : found->second.name;
}

std::string_view Dictionary::value_name(Tag tag, std::string_view value) const {
    const auto found = tables_->fields.find(tag);
    if (found == tables_->fields.end()) return {};
    const auto named = found->second.values.find(value);
    return named == found->second.values.end() ? std::string_view{} : named->second;
}

}  // namespace damrak::fix_codec
