// Reads a dictionary from XML and compiles it into tables. Used once for each dictionary, at start.
// docs/fix.md describes the format; in short, it is QuickFIX's schema.
#pragma once

#include <expected>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

#include <damrak/fix_codec/detail/dictionary_tables.hpp>

namespace damrak::fix_codec::detail {

using Loaded = std::expected<std::unique_ptr<DictionaryTables>, std::string>;

class DictionaryLoader {
  public:
    /// If `transport` is null, the file must have its own header and trailer.
    DictionaryLoader(std::string_view xml, const DictionaryTables* transport)
        : xml_{xml}, transport_{transport} {}

    [[nodiscard]] Loaded load();
    /// Loads the elements below <fix>, without text.
    [[nodiscard]] static Loaded load(const pugi::xml_document& document,
                                     const DictionaryTables* transport);

  private:
    struct FieldType {
        Tag tag{};
        Format format = Format::text;
        std::uint16_t values = 0;
    };
    struct Failure {
        std::string text;
    };

    [[nodiscard]] Loaded compile(pugi::xml_node root);
    void read_fields(pugi::xml_node root);
    [[nodiscard]] static Rule rule_of(const FieldType& type);
    void read_values(pugi::xml_node field, FieldType& type);
    void read_messages(pugi::xml_node root);
    void expand(pugi::xml_node parent, bool required, std::vector<Element>& elements);
    [[nodiscard]] std::uint16_t make_group(pugi::xml_node node, Tag count_tag);
    void make_message(pugi::xml_node node);
    void finish();

    [[nodiscard]] std::string_view attribute(pugi::xml_node node, const char* name) const;
    [[nodiscard]] const FieldType& field_named(pugi::xml_node node) const;
    [[noreturn]] void fail(pugi::xml_node node, std::string_view what) const;

    static constexpr int k_maximum_depth = 32;

    std::string_view xml_;
    const DictionaryTables* transport_;
    std::unique_ptr<DictionaryTables> tables_;
    std::map<std::string, FieldType, std::less<>> fields_by_name_;
    std::map<std::string, pugi::xml_node, std::less<>> components_;
    /// A component that is used in many places has one table.
    std::map<std::size_t, std::uint16_t> groups_by_node_;
    int depth_ = 0;
};

}  // namespace damrak::fix_codec::detail
