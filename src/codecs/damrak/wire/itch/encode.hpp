// Messages to ITCH 5.0 bytes, the exact inverse of decode.hpp. Pure functions for any thread. The
// caller owns the memory, nothing allocates. Field values are written unchecked, except that
// timestamps outside [0, 2^48) fail an assertion, as they would be a programming error.
#pragma once

#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/itch/descriptor.hpp>

namespace damrak::wire::itch {

template <class M>
inline constexpr std::size_t k_frame_length = k_frame_header_length + Layout<M>::k_length;

namespace detail {

template <class T>
inline void store_field(std::byte* to, const T& value) noexcept {
    if constexpr (std::is_same_v<T, std::int64_t>) {
        DAMRAK_ASSERT(value >= 0 && value <= k_max_timestamp_ns);
        store_be48(to, static_cast<std::uint64_t>(value));
    } else if constexpr (std::unsigned_integral<T> && sizeof(T) > 1) {
        store_be(to, value);
    } else if constexpr (std::is_same_v<T, bool>) {
        *to = static_cast<std::byte>(value ? 'Y' : 'N');
    } else if constexpr (std::is_same_v<T, Side>) {
        *to = static_cast<std::byte>(value == Side::buy ? 'B' : 'S');
    } else {
        std::memcpy(to, &value, sizeof value);
    }
}

template <class M, class... Fields>
inline void store_message(std::byte* to, const M& message, FieldList<Fields...>) noexcept {
    (store_field(to + Fields::k_offset, message.*Fields::k_member), ...);
}

}  // namespace detail

// Writes the message without a frame: Layout<M>::k_length bytes.
template <class M>
inline void encode(const M& message, std::span<std::byte, Layout<M>::k_length> to) noexcept {
    to[k_type_offset] = static_cast<std::byte>(Layout<M>::k_type);
    detail::store_message(to.data(), message, typename Layout<M>::Fields{});
}

// Writes the 16-bit length and the message: k_frame_length<M> bytes.
template <class M>
inline void encode_frame(const M& message, std::span<std::byte, k_frame_length<M>> to) noexcept {
    store_be(to.data(), static_cast<std::uint16_t>(Layout<M>::k_length));
    encode(message, to.template subspan<k_frame_header_length>());
}

}  // namespace damrak::wire::itch
