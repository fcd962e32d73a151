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

    /// "35=" as it lies in memory, and a mask of its bytes.
    struct ExpectedTag {
        std::uint64_t bytes = 0;
        std::uint64_t mask = 0;
        std::uint32_t value_at = 0;  ///< from the beginning of the field
    };

    std::size_t count = 0;  ///< fields; zero: nothing is remembered
    std::array<ExpectedTag, k_fields> tags{};
    std::array<Field, k_fields> fields{};
    TagIndex index;
    Layout layout;               ///< of a recent message
    unsigned other_layouts = 0;  ///< messages since then with another layout
    bool has_empty_value = false;

    std::uint64_t judged_by = 0;  ///< serial of the dictionary that found the shape valid
    std::size_t check_count = 0;
    std::array<std::size_t, ShapeCheck::k_quick_kinds> quick_end{};  ///< end of each kind
    std::array<ShapeCheck, k_fields> checks{};
};

}  // namespace damrak::fix_codec::detail
