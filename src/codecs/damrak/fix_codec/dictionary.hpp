// The rules of a FIX version, or of a user's own file, about messages: their fields, groups, types
// and values. Loaded from XML in the common format (QuickFIX's schema) into flat tables; the
// library contains the dictionaries of its versions. Made at start. validate() is for every
// message, from any thread, and allocates nothing.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/fix_codec/message.hpp>
#include <damrak/fix_codec/reject_reason.hpp>

namespace damrak::fix_codec {

/// A fault in a message. `tag` is RefTagID.
struct Violation {
    Tag tag{};
    SessionRejectReason reason = SessionRejectReason::other;

    friend bool operator==(const Violation&, const Violation&) = default;
};

/// Strictness of validation; the defaults are those of the common engines.
struct ValidationRules {
    bool order = true;                  ///< header, body and trailer are in order
    bool group_order = false;           ///< entries of groups have their fields in order
    bool values = true;                 ///< every field has a value
    bool user_defined_fields = true;    ///< tags from 5000 on must be defined, too
    bool allow_unknown_fields = false;  ///< accept tags that the message does not define
};

namespace detail {
struct DictionaryTables;
}

class Dictionary {
  public:
    /// The error says what is wrong in the file, and where.
    [[nodiscard]] static std::expected<Dictionary, std::string> load(std::string_view xml);
    /// For application messages over FIXT.1.1: header, trailer and session messages come from
    /// `transport`, which is copied.
    [[nodiscard]] static std::expected<Dictionary, std::string> load(std::string_view xml,
                                                                     const Dictionary& transport);
    /// The built-in dictionary with all messages of the version: FIX.4.0 to FIX.4.4 completely,
    /// FIXT.1.1 with only the session messages. Loaded on first use, which takes some milliseconds.
    [[nodiscard]] static const Dictionary& of(BeginString version);
    /// The built-in dictionary: FIX.4.0 to FIX.4.4 completely, FIX.5.0 and its service packs over
    /// FIXT.1.1.
    [[nodiscard]] static const Dictionary& of(ApplVersion version);

    /// The first fault of the message, if any. The decoder has checked BeginString, BodyLength and
    /// CheckSum.
    [[nodiscard]] std::optional<Violation> validate(const Message& message,
                                                    const ValidationRules& rules = {}) const;

    [[nodiscard]] bool has_message(std::string_view msg_type) const;
    /// Includes header and trailer.
    [[nodiscard]] bool has_field(std::string_view msg_type, Tag tag) const;
    [[nodiscard]] bool requires_field(std::string_view msg_type, Tag tag) const;
    /// Null if the message has no such group.
    [[nodiscard]] const GroupLayout* group(std::string_view msg_type, Tag count_tag) const;
    /// Layout of a nested group; `within` must come from this dictionary. Set-up only: walks over
    /// all groups.
    [[nodiscard]] const GroupLayout* group(const GroupLayout& within, Tag count_tag) const;

    /// A readable name; empty if unknown.
    [[nodiscard]] std::string_view message_name(std::string_view msg_type) const;
    [[nodiscard]] std::string_view field_name(Tag tag) const;
    [[nodiscard]] std::string_view value_name(Tag tag, std::string_view value) const;

    Dictionary(const Dictionary&) = delete;
    Dictionary& operator=(const Dictionary&) = delete;
    Dictionary(Dictionary&&) noexcept;
    Dictionary& operator=(Dictionary&&) noexcept;
    ~Dictionary();

  private:
    explicit Dictionary(std::unique_ptr<const detail::DictionaryTables> tables);
    template <class Version>
    [[nodiscard]] static Dictionary load_builtin(Version version, const Dictionary* transport);
    template <BeginString version>
    [[nodiscard]] static const Dictionary& builtin();
    template <ApplVersion version>
    [[nodiscard]] static const Dictionary& builtin();

    std::unique_ptr<const detail::DictionaryTables> tables_;
};

}  // namespace damrak::fix_codec
