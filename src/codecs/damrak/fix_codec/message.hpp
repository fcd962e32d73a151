// One FIX message, read in place: a view over the caller's bytes and over the table of fields in
// its Decoder. Nothing is copied. Both must outlive the view, and the next scan of the same decoder
// overwrites the table. Sessions and gateways use it for every message.
//
// find() is one look-up in a table; values are converted on access.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include <damrak/base/inline.hpp>
#include <damrak/fix_codec/detail/field.hpp>
#include <damrak/fix_codec/detail/short_number.hpp>
#include <damrak/fix_codec/detail/tag_index.hpp>
#include <damrak/fix_codec/values.hpp>
#include <damrak/fix_codec/versions.hpp>

namespace damrak::fix_codec {

/// How to separate the entries of a repeating group: each begins with `delimiter` and continues
/// while its fields are members (those of nested groups and their counts included).
/// Dictionary::group() returns the layouts of a dictionary.
struct GroupLayout {
    Tag count_tag{};
    Tag delimiter{};
    std::span<const Tag> members;  ///< in ascending order, the delimiter included

    [[nodiscard]] bool has(Tag tag) const;
};

/// Typed access for classes that can find a field and its text.
template <class Derived>
class FieldAccess {
  public:
    [[nodiscard]] std::optional<std::string_view> text(Tag tag) const {
        const Field* field = self().find(tag);
        if (field == nullptr) return std::nullopt;
        return self().value(*field);
    }
    /// The text, or empty if the field is missing.
    [[nodiscard]] DAMRAK_HOT std::string_view text_or_empty(Tag tag) const {
        const Field* field = self().find(tag);
        return field == nullptr ? std::string_view{} : self().value(*field);
    }
    [[nodiscard]] DAMRAK_HOT bool has(Tag tag) const { return self().find(tag) != nullptr; }

    [[nodiscard]] Value<std::int64_t> integer(Tag tag) const {
        return read_number<false>(tag, 0, parse_integer);
    }
    /// Exact, in units of 10^-digits.
    [[nodiscard]] Value<std::int64_t> decimal(Tag tag, int digits) const {
        return read_number<true>(
            tag, digits, [digits](std::string_view text) { return parse_decimal(text, digits); });
    }
    [[nodiscard]] Value<Timestamp> timestamp(Tag tag) const { return read(tag, parse_timestamp); }
    [[nodiscard]] Value<char> character(Tag tag) const { return read(tag, parse_char); }
    [[nodiscard]] Value<bool> boolean(Tag tag) const { return read(tag, parse_boolean); }

  private:
    friend Derived;
    FieldAccess() = default;

    [[nodiscard]] const Derived& self() const { return static_cast<const Derived&>(*this); }

    template <class Parse>
    [[nodiscard]] auto read(Tag tag, Parse parse) const -> decltype(parse(std::string_view{})) {
        const Field* field = self().find(tag);
        if (field == nullptr) return std::unexpected(ValueError::absent);
        return parse(self().value(*field));
    }

    // `parse` is for longer numbers, and for the last field, which has fewer bytes after it.
    template <bool with_point, class Parse>
    [[nodiscard]] Value<std::int64_t> read_number(Tag tag, int digits, Parse parse) const {
        return read(tag, [&](std::string_view text) -> Value<std::int64_t> {
            if (tag != tag::check_sum) [[likely]]
                if (const auto number = detail::short_number<with_point>(
                        detail::load_eight(text.begin()), text.size(), digits))
                    return *number;
            return parse(text);
        });
    }
};

class GroupRange;

/// One entry of a repeating group.
class Group : public FieldAccess<Group> {
  public:
    Group(const char* bytes, std::span<const Field> fields) : bytes_{bytes}, fields_{fields} {}

    [[nodiscard]] std::span<const Field> fields() const { return fields_; }
    [[nodiscard]] const Field* find(Tag tag) const;
    [[nodiscard]] std::string_view value(const Field& field) const {
        return {bytes_ + field.offset, field.length};
    }
    /// A nested group of this entry.
    [[nodiscard]] GroupRange groups(const GroupLayout& layout) const;

  private:
    const char* bytes_;
    std::span<const Field> fields_;
};

/// The entries that are present, which may differ from the count field: see declared().
class GroupRange {
  public:
    /// Walks from entry to entry of the group.
    class Iterator {
      public:
        using value_type = Group;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const GroupRange* range, std::span<const Field> rest);

        [[nodiscard]] Group operator*() const { return {range_->bytes_, rest_.first(length_)}; }
        Iterator& operator++();
        Iterator operator++(int) {
            Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) {
            return a.length_ == b.length_ && (a.length_ == 0 || a.rest_.data() == b.rest_.data());
        }

      private:
        const GroupRange* range_ = nullptr;
        std::span<const Field> rest_;  ///< from the entry on
        std::size_t length_ = 0;       ///< fields of the entry; zero at the end
    };

    /// `after` begins after the count field.
    GroupRange(const char* bytes, std::span<const Field> after, const GroupLayout& layout,
               Value<std::int64_t> declared)
        : bytes_{bytes}, after_{after}, layout_{&layout}, declared_{declared} {}

    [[nodiscard]] Iterator begin() const { return {this, after_}; }
    [[nodiscard]] Iterator end() const { return {}; }
    [[nodiscard]] bool empty() const { return begin() == end(); }
    /// The value of the count field; absent if the group is.
    [[nodiscard]] Value<std::int64_t> declared() const { return declared_; }

  private:
    [[nodiscard]] std::size_t entry_length(std::span<const Field> rest) const;

    const char* bytes_;
    std::span<const Field> after_;
    const GroupLayout* layout_;
    Value<std::int64_t> declared_;
};

namespace detail {
struct Shape;
}

class Message : public FieldAccess<Message> {
  public:
    /// From the 8 of BeginString to the delimiter after CheckSum.
    [[nodiscard]] std::span<const char> bytes() const { return bytes_; }
    [[nodiscard]] BeginString begin_string() const { return begin_string_; }
    [[nodiscard]] std::string_view msg_type() const { return value(fields_[2]); }
    /// MsgSeqNum; 0 if absent or not a number. Parsed on first use.
    [[nodiscard]] std::uint64_t sequence() const {
        if (!sequence_) sequence_ = read_sequence();
        return *sequence_;
    }

    /// In wire order: 8, 9, 35, ..., 10.
    [[nodiscard]] std::span<const Field> fields() const { return fields_; }
    /// The first field with this tag.
    [[nodiscard]] DAMRAK_HOT const Field* find(Tag tag) const {
        return index_ == nullptr ? nullptr : index_->find(tag, fields_);
    }
    [[nodiscard]] std::string_view value(const Field& field) const {
        return {bytes_.data() + field.offset, field.length};
    }
    [[nodiscard]] GroupRange groups(const GroupLayout& layout) const;

  private:
    friend class Decoder;
    friend class Dictionary;

    [[nodiscard]] std::uint64_t read_sequence() const;

    std::span<const char> bytes_;
    std::span<const Field> fields_;
    const detail::TagIndex* index_ = nullptr;
    detail::Shape* shape_ = nullptr;  ///< the decoder's memory of messages like this one
    BeginString begin_string_ = BeginString::unknown;
    bool has_empty_value_ = false;
    mutable std::optional<std::uint64_t> sequence_;
};

}  // namespace damrak::fix_codec
