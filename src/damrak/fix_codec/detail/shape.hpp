// What a decoder remembers of the messages it has read. A peer sends the same tags in the same
// order over and over, message by message of a type: its shape. A message of a known shape is only
// compared with it, field by field, instead of being read digit by digit, and what a dictionary
// found out about the order, the completeness and the groups of a shape holds for all of its kind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <damrak/fix_codec/delimiters.hpp>
#include <damrak/fix_codec/detail/layout.hpp>
#include <damrak/fix_codec/detail/tag_index.hpp>
#include <damrak/fix_codec/field.hpp>
#include <damrak/fix_codec/formats.hpp>

namespace damrak::fix_codec::detail {

/// A field whose value has to be looked at in every message. The first five kinds are for what
/// nearly every value is, and are sorted so that each is one loop without a branch.
struct ShapeCheck {
    enum class Kind : std::uint8_t {
        letter,       ///< one of the values of one letter
        few_entries,  ///< of a group, less than ten
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
    std::uint16_t number = 0;  ///< of the allowed values; or how many entries the group has
};

struct Shape {
    static constexpr std::size_t k_fields = k_maximum_delimiters;

    /// "35=" as it lies in memory, and which of the eight bytes it fills.
    struct ExpectedTag {
        std::uint64_t bytes = 0;
        std::uint64_t mask = 0;
        std::uint32_t value_at = 0;  ///< from the beginning of the field
    };

    std::size_t count = 0;  ///< fields; none: nothing is remembered
    std::array<ExpectedTag, k_fields> tags{};
    std::array<Field, k_fields> fields{};
    TagIndex index;
    Layout layout;               ///< of one message of late
    unsigned other_layouts = 0;  ///< messages since then that had another
    bool has_empty_value = false;

    std::uint64_t judged_by = 0;  ///< the dictionary that found nothing wrong, by its serial
    std::size_t check_count = 0;
    std::array<std::size_t, ShapeCheck::k_quick_kinds> quick_end{};  ///< of each kind
    std::array<ShapeCheck, k_fields> checks{};
};

}  // namespace damrak::fix_codec::detail
