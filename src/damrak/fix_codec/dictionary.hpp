// What a version of FIX, or a user's own file, says about messages: which fields they have, in what
// groups, of what type and with which values. Loaded from XML in the common form (QuickFIX's
// schema) into flat tables; the dictionaries of our versions are part of the library.
// Made at start; validate() is for every message, from any thread, and allocates nothing.
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

/// What to be strict about; the defaults are those of the common engines.
struct ValidationRules {
    bool order = true;                  ///< header, body and trailer follow each other
    bool group_order = false;           ///< entries of groups have their fields in order
    bool values = true;                 ///< every field has a value
    bool user_defined_fields = true;    ///< tags from 5000 on must be known, too
    bool allow_unknown_fields = false;  ///< tags that the message does not have pass
};

namespace detail {
struct DictionaryTables;
}

class Dictionary {
  public:
    /// The text says what is wrong in the file, and where.
    [[nodiscard]] static std::expected<Dictionary, std::string> load(std::string_view xml);
    /// For application messages over FIXT.1.1: header, trailer and session messages are those of
    /// `transport`, which is copied.
    [[nodiscard]] static std::expected<Dictionary, std::string> load(std::string_view xml,
                                                                     const Dictionary& transport);
    /// Ours, with all messages of the version: FIX.4.0 to FIX.4.4 whole, FIXT.1.1 with those of the
    /// session alone. Made when it is first asked for, which takes some milliseconds.
    [[nodiscard]] static const Dictionary& of(BeginString version);
    /// Ours: FIX.4.0 to FIX.4.4 whole, FIX.5.0 and its service packs with FIXT.1.1 below.
    [[nodiscard]] static const Dictionary& of(ApplVersion version);

    /// The first thing wrong with the message, if any. BeginString, BodyLength and CheckSum were
    /// the decoder's.
    [[nodiscard]] std::optional<Violation> validate(const Message& message,
                                                    const ValidationRules& rules = {}) const;

    [[nodiscard]] bool has_message(std::string_view msg_type) const;
    [[nodiscard]] bool is_admin(std::string_view msg_type) const;
    /// Header and trailer included.
    [[nodiscard]] bool has_field(std::string_view msg_type, Tag tag) const;
    [[nodiscard]] bool requires_field(std::string_view msg_type, Tag tag) const;
    /// Null if the message has no such group.
    [[nodiscard]] const GroupLayout* group(std::string_view msg_type, Tag count_tag) const;
    /// Layout of a nested group; `within` must come from this dictionary. Set-up only: walks over
    /// all groups.
    [[nodiscard]] const GroupLayout* group(const GroupLayout& within, Tag count_tag) const;

    /// For people; empty if unknown.
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
