// The attachment of a FIX request: fields as they were sent, each with its end, one behind the
// other. ClOrdID (11) among them is the rest of a name that the note has only begun; the others are
// those that reports repeat, and those that say who asks and is to be answered. Read in place.
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace damrak::gateway::fix {

inline constexpr std::uint32_t k_cl_ord_id_tag = 11;

struct FixField {
    std::uint32_t tag = 0;
    std::string_view value;
    std::string_view whole;  ///< with tag and end
};

class FixFields {
  public:
    static constexpr char k_end = '\x01';

    explicit FixFields(std::string_view text) : text_(text) {}

    class Iterator {
      public:
        Iterator() = default;
        explicit Iterator(std::string_view rest) : rest_(rest) { read(); }
        [[nodiscard]] const FixField& operator*() const { return field_; }
        Iterator& operator++() {
            rest_.remove_prefix(field_.whole.size());
            read();
            return *this;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) {
            return a.rest_.size() == b.rest_.size();
        }

      private:
        // What is no field ends it.
        void read() {
            const std::size_t end = rest_.find(k_end);
            const std::size_t equals = rest_.find('=');
            if (end == std::string_view::npos || equals > end) {
                rest_ = {};
                return;
            }
            field_ = {.value = rest_.substr(equals + 1, end - equals - 1),
                      .whole = rest_.substr(0, end + 1)};
            const std::string_view tag = rest_.substr(0, equals);
            std::from_chars(tag.begin(), tag.end(), field_.tag);
        }

        std::string_view rest_;
        FixField field_;
    };
    [[nodiscard]] Iterator begin() const { return Iterator{text_}; }
    [[nodiscard]] Iterator end() const { return {}; }

    /// The first of this tag; empty if there is none.
    [[nodiscard]] std::string_view find(std::uint32_t tag) const {
        for (const FixField& field : *this)
            if (field.tag == tag) return field.value;
        return {};
    }

  private:
    std::string_view text_;
};

}  // namespace damrak::gateway::fix
