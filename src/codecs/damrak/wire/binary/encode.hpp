// Messages to MiniExchange bytes, the inverse of decode.hpp; padding is zeros. Pure functions for
// any thread. The caller owns the memory, nothing allocates. Asserts that the version has the
// message and that the memory suffices.
#pragma once

#include <cstring>
#include <span>
#include <type_traits>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/binary/detail/descriptor_v1.hpp>
#include <damrak/wire/binary/detail/descriptor_v2.hpp>

namespace damrak::wire::binary {

/// The two counters that a header carries.
struct Sequences {
    std::uint32_t client = 0;
    std::uint32_t server = 0;
};

/// Length of the message with its header; zero if the version does not have it.
template <class M>
[[nodiscard]] constexpr std::size_t frame_length(Version version) {
    const auto length_in = []<Version v>() -> std::size_t {
        if constexpr (Layout<v, M>::k_exists) return k_header_length + Layout<v, M>::k_length;
        return 0;
    };
    return version == Version::v1 ? length_in.template operator()<Version::v1>()
                                  : length_in.template operator()<Version::v2>();
}

namespace detail {

template <class T>
inline void store_field(std::byte* to, const T& value) noexcept {
    if constexpr (std::is_same_v<T, std::uint8_t>)
        *to = static_cast<std::byte>(value);
    else if constexpr (std::unsigned_integral<T>)
        store_be(to, value);
    else if constexpr (std::is_same_v<T, ApiKey>)
        std::memcpy(to, value.data(), value.size());
    else
        store_be(to, value.value);
}

template <class M, class... Fields>
inline void store_message([[maybe_unused]] std::byte* to, [[maybe_unused]] const M& message,
                          FieldList<Fields...>) noexcept {
    (store_field(to + Fields::k_offset, message.*Fields::k_member), ...);
}

inline void store_header(std::byte* to, std::uint8_t type, Version version, std::size_t length,
                         Sequences sequences) noexcept {
    to[k_type_offset] = static_cast<std::byte>(type);
    to[k_version_offset] = static_cast<std::byte>(version);
    store_be(to + k_payload_length_offset, static_cast<std::uint16_t>(length));
    store_be(to + k_client_sequence_offset, sequences.client);
    store_be(to + k_server_sequence_offset, sequences.server);
    std::memset(to + k_header_padding_offset, 0, k_header_length - k_header_padding_offset);
}

template <Version version, class M>
inline std::size_t encode_as(Sequences sequences, const M& message, std::span<std::byte> to,
                             std::size_t tail) noexcept {
    if constexpr (Layout<version, M>::k_exists) {
        using L = Layout<version, M>;
        DAMRAK_ASSERT(to.size() >= k_header_length + L::k_length + tail);
        std::byte* const payload = to.data() + k_header_length;
        store_header(to.data(), L::k_type, version, L::k_length + tail, sequences);
        std::memset(payload, 0, L::k_length);
        if (tail > 0) std::memset(payload + L::k_length, 0, tail);
        store_message(payload, message, typename L::Fields{});
        return k_header_length + L::k_length + tail;
    } else {
        constexpr bool k_version_has_this_message = false;
        DAMRAK_ASSERT(k_version_has_this_message);
        return 0;
    }
}

}  // namespace detail

/// Writes header and payload and returns their length. `tail` zero bytes extend the payload, as in
/// the capture profile.
template <class M>
inline std::size_t encode(Version version, Sequences sequences, const M& message,
                          std::span<std::byte> to, std::size_t tail = 0) noexcept {
    return version == Version::v1 ? detail::encode_as<Version::v1>(sequences, message, to, tail)
                                  : detail::encode_as<Version::v2>(sequences, message, to, tail);
}

}  // namespace damrak::wire::binary
