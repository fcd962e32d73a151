// The building blocks of both descriptors: a message's number, its payload length and its fields.
// The compiler checks that fields lie inside the payload without overlap. Used by decode.hpp and
// encode.hpp; costs nothing at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include <damrak/wire/binary/messages.hpp>

namespace damrak::wire::binary {

// The header that precedes every payload, the same in both versions. Integers are big-endian.
inline constexpr std::size_t k_type_offset = 0;
inline constexpr std::size_t k_version_offset = 1;
inline constexpr std::size_t k_payload_length_offset = 2;
inline constexpr std::size_t k_client_sequence_offset = 4;
inline constexpr std::size_t k_server_sequence_offset = 8;
inline constexpr std::size_t k_header_padding_offset = 12;
inline constexpr std::size_t k_header_length = 16;

/// Longer than any message with a generous tail; larger payloads are an attack or noise.
inline constexpr std::size_t k_max_payload_length = 1'008;
inline constexpr std::size_t k_max_frame_length = k_header_length + k_max_payload_length;

template <class T>
inline constexpr std::size_t k_wire_size = sizeof(T);

template <auto member, std::size_t offset>
struct Field;

template <class M, class T, T M::* member, std::size_t offset>
struct Field<member, offset> {
    using Value = T;
    static constexpr T M::* k_member = member;
    static constexpr std::size_t k_offset = offset;
    static constexpr std::size_t k_end = offset + k_wire_size<T>;
};

/// Fields in the order of their offsets; bytes between and after them are padding.
template <class... Fields>
struct FieldList {
    [[nodiscard]] static constexpr bool fits(std::size_t length) {
        std::size_t end = 0;
        return ((std::exchange(end, Fields::k_end) <= Fields::k_offset) && ...) && end <= length;
    }
};

template <std::uint8_t type, std::size_t length, class... Own>
struct MessageLayout {
    static constexpr bool k_exists = true;
    static constexpr std::uint8_t k_type = type;
    static constexpr std::size_t k_length = length;
    using Fields = FieldList<Own...>;
    static_assert(Fields::fits(length), "a field overlaps another or exceeds the payload");
};

/// Layout of a message that the version does not have.
template <Version version, class M>
struct Layout {
    static constexpr bool k_exists = false;
};

}  // namespace damrak::wire::binary
