// The building blocks of an OUCH descriptor: a message's letter, its length, its fields, and
// whether an appendage may follow. Costs nothing at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::wire::ouch {

using itch::Field;
using itch::FieldList;

enum class AppendageUse : std::uint8_t {
    none,
    optional,  ///< it may be missing, together with its length field
    always,    ///< its length field is always present, and may be zero
};

inline constexpr std::size_t k_appendage_length_size = 2;

template <char type, std::size_t length, class M, AppendageUse appendage, class... Own>
struct MessageLayout {
    static constexpr char k_type = type;
    /// Without an appendage and its length field.
    static constexpr std::size_t k_length = length;
    static constexpr AppendageUse k_appendage = appendage;
    /// The shortest valid length of the message.
    static constexpr std::size_t k_shortest =
        length + (appendage == AppendageUse::always ? k_appendage_length_size : 0);
    using Fields = FieldList<Own...>;
    static_assert(Fields::tiles(1, length), "a gap or an overlap in a message");
};

template <class M>
struct Layout;

}  // namespace damrak::wire::ouch
