// What a decoder remembers of earlier messages. A peer sends the same tags in the same order again
// and again for each message type: a shape. The decoder only compares a message of a known shape
// with it, field by field, instead of parsing it digit by digit. What a dictionary found out about
// the order, the required fields and the groups of a shape applies to all messages of that shape.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/fix_codec/delimiters.hpp>
#include <damrak/fix_codec/detail/field.hpp>
#include <damrak/fix_codec/detail/formats.hpp>
#include <damrak/fix_codec/detail/layout.hpp>
#include <damrak/fix_codec/detail/tag_index.hpp>

namespace damrak::fix_codec::detail {

/// A field whose value must be checked in every message. The first five kinds cover nearly all
/// values, and are sorted so that each is one loop without a branch.
struct ShapeCheck {
    enum class Kind : std::uint8_t {
        letter,       ///< one of several one-letter values
        few_entries,  ///< of a group with fewer than ten
        digits,
        decimal,
        timestamp,
        format,
        allowed,
        entries,
    };
    static constexpr std::size_t k_quick_kinds = 5;

    Kind kind = Kind::format;
    Format format = Format::text;
    std::uint16_t field = 0;
    std::uint16_t number = 0;  ///< of the allowed values; or the number of entries of the group
};

struct Shape {
    static constexpr std::size_t k_fields = k_maximum_delimiters;
    static constexpr std::size_t k_layouts = 2;
    static constexpr unsigned k_patience = 16;  ///< messages until a layout is learnt again

    /// "35=" as it lies in memory, and a mask of its bytes.
    struct ExpectedTag {
        std::uint64_t bytes = 0;
        std::uint64_t mask = 0;
        std::uint32_t value_at = 0;  ///< from the beginning of the field
    };

    std::size_t count = 0;  ///< fields; zero: nothing is remembered
    std::array<ExpectedTag, k_fields> tags{};
    /// Where the fields of a message are.
    struct Places {
        std::array<Field, k_fields> fields{};
        bool has_empty_value = false;
    };
    /// A layout of a recent message. Most prices have one of two lengths next to each other
    /// ("99.95" and "100.05"), so messages of even and of odd size have a layout each.
    struct Known {
        Layout layout;
        Places places;
        unsigned others = 0;  ///< messages since then with another layout
    };
    [[nodiscard]] Known& known_for(std::size_t message_bytes) {
        return known[message_bytes % k_layouts];
    }
    void forget_layouts() {
        for (Known& one : known) {
            one.layout.forget();
            one.others = k_patience - 1;  // the layout of the next message is learnt
        }
    }
    void forget_values() {
        for (Known& one : known) one.layout.forget_values();
    }

    Places places;  ///< of the last message with a layout that is not known
    std::array<Known, k_layouts> known;
    TagIndex index;

    std::uint64_t judged_by = 0;  ///< serial of the dictionary that found the shape valid
    std::size_t check_count = 0;
    std::array<std::size_t, ShapeCheck::k_quick_kinds> quick_end{};  ///< end of each kind
    std::array<ShapeCheck, k_fields> checks{};
};

}  // namespace damrak::fix_codec::detail
