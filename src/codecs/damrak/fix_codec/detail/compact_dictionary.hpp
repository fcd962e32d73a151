// The dictionaries of the library are one text over all versions: the fields of messages and
// groups, and the versions in which they exist (the format is described in messages.txt and
// fields.txt in dictionaries/). This extracts one version in the format that the loader reads. Used
// once for each version, on its first request.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <pugixml.hpp>

namespace damrak::fix_codec::detail {

/// A version as the text numbers them: FIX.4.0 to FIX.4.4, FIXT.1.1, FIX.5.0 to FIX.5.0SP2.
enum class CompactVersion : std::uint8_t {
    fix40,
    fix41,
    fix42,
    fix43,
    fix44,
    fixt11,
    fix50,
    sp1,
    sp2
};

class CompactDictionary {
  public:
    CompactDictionary(std::string_view messages, std::string_view fields, CompactVersion version);

    /// Writes below <fix>, in QuickFIX's schema.
    void write(pugi::xml_document& document);

  private:
    using Mask = std::uint16_t;  ///< one bit for each version

    /// A field, a component, or a group with its members.
    struct Member {
        std::string_view name;
        bool required = false;
        std::vector<Member> members;
    };
    struct Block {
        std::string_view kind;
        std::vector<std::string_view> words;
        std::vector<Member> members;
    };
    struct Value {
        std::string_view value;
        std::string_view label;
    };
    struct Field {
        std::string_view type;
        std::string_view name;
        std::vector<Value> values;
    };

    [[nodiscard]] static Mask mask_of(std::string_view versions);
    [[nodiscard]] bool applies(std::string_view versions) const;
    void read_blocks(std::string_view text);
    void read_block(std::string_view head, std::string_view body);
    [[nodiscard]] std::vector<Member> read_members(std::string_view& text, bool wanted) const;
    void read_fields(std::string_view text);
    void read_field(std::string_view line, std::string_view values);
    void write_members(pugi::xml_node parent, const std::vector<Member>& members);
    void write_frame(pugi::xml_node root, std::string_view which);
    void write_messages(pugi::xml_node root);
    void write_components(pugi::xml_node root);
    void write_fields(pugi::xml_node root) const;
    [[nodiscard]] std::string_view type_of(std::string_view newest) const;
    [[nodiscard]] bool over_transport() const { return version_ > CompactVersion::fixt11; }

    CompactVersion version_;
    std::vector<Block> blocks_;
    std::map<std::uint32_t, Field> fields_;
    std::set<std::uint32_t> used_;
    std::set<std::string_view> used_components_;
};

}  // namespace damrak::fix_codec::detail
