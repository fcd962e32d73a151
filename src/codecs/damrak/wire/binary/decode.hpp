// MiniExchange bytes to messages, in either direction and version. Total: any bytes are a frame,
// need more, or a named fault; nothing throws or allocates (except describe()).
//   scan(bytes)             the frame at the front, by the header's own payload length
//   visit<version>(…)       a payload as one of the requested messages (sessions)
//   decode(header, payload) a payload as any message of its version (clients, tools)
// Pure functions for any thread: a load and a byte swap for each field used. If a payload is longer
// than its message, the rest is ignored, as the capture profile requires; a shorter one is a fault.
#pragma once

#include <cstring>
#include <expected>
#include <span>
#include <string>
#include <type_traits>

#include <damrak/base/byte_order.hpp>
#include <damrak/wire/binary/detail/descriptor_v1.hpp>
#include <damrak/wire/binary/detail/descriptor_v2.hpp>

namespace damrak::wire::binary {

enum class Fault : std::uint8_t {
    none,
    unknown_version,    ///< neither 1 nor 2: the stream cannot be read further
    payload_too_long,   ///< above k_max_payload_length
    unknown_type,       ///< the version has no such message
    payload_too_short,  ///< shorter than the message of this type
};

/// Result of scanning the front of a byte stream.
struct Scan {
    Fault fault{};
    bool complete = false;  ///< the whole frame is present; otherwise more bytes are needed
    Header header{};        ///< valid if complete, and if there is a fault

    [[nodiscard]] std::size_t frame_length() const {
        return k_header_length + header.payload_length;
    }
};

/// Why bytes are not a message, with the header if it was readable.
struct DecodeError {
    Fault fault{};
    Header header{};
    std::uint16_t expected_length = 0;  ///< of the payload, for faults of length
};

/// One sentence: what was found, what was expected.
[[nodiscard]] std::string describe(const DecodeError& error);

/// A list of message types, from which a visitor takes some.
template <class... Ms>
struct MessageList {};
using Requests = MessageList<NewOrder, CancelOrder, ModifyOrder, Heartbeat, Hello, Logout,
                             LinkedOrder, Quote, QuoteProtection>;

namespace detail {

template <class T>
[[nodiscard]] inline T load_field(const std::byte* from) noexcept {
    if constexpr (std::is_same_v<T, std::uint8_t>) {
        return static_cast<std::uint8_t>(*from);
    } else if constexpr (std::unsigned_integral<T>) {
        return load_be<T>(from);
    } else if constexpr (std::is_same_v<T, ApiKey>) {
        ApiKey key;
        std::memcpy(key.data(), from, key.size());
        return key;
    } else {  // an identifier
        return T{load_be<typename T::rep>(from)};
    }
}

template <class M, class... Fields>
[[nodiscard]] inline M load_message([[maybe_unused]] const std::byte* from,
                                    FieldList<Fields...>) noexcept {
    M message{};
    ((message.*Fields::k_member = load_field<typename Fields::Value>(from + Fields::k_offset)),
     ...);
    return message;
}

}  // namespace detail

[[nodiscard]] inline Header decode_header(const std::byte* from) noexcept {
    return {.type = static_cast<std::uint8_t>(from[k_type_offset]),
            .version = static_cast<Version>(from[k_version_offset]),
            .payload_length = load_be<std::uint16_t>(from + k_payload_length_offset),
            .client_sequence = load_be<std::uint32_t>(from + k_client_sequence_offset),
            .server_sequence = load_be<std::uint32_t>(from + k_server_sequence_offset)};
}

[[nodiscard]] inline Scan scan(std::span<const std::byte> bytes) noexcept {
    if (bytes.size() < k_header_length) return {};
    Scan found{.header = decode_header(bytes.data())};
    if (found.header.version != Version::v1 && found.header.version != Version::v2) [[unlikely]]
        found.fault = Fault::unknown_version;
    else if (found.header.payload_length > k_max_payload_length) [[unlikely]]
        found.fault = Fault::payload_too_long;
    else
        found.complete = bytes.size() >= found.frame_length();
    return found;
}

/// The payload must be that of this message, and long enough.
template <Version version, class M>
[[nodiscard]] inline M decode_as(const std::byte* payload) noexcept {
    return detail::load_message<M>(payload, typename Layout<version, M>::Fields{});
}

/// Calls `f` with the payload as the message of Ms that has this type in this version; else returns
/// a fault.
template <Version version, class... Ms, class F>
[[gnu::always_inline]] inline Fault visit(MessageList<Ms...>, std::uint8_t type,
                                          std::span<const std::byte> payload, F&& f) {
    Fault fault = Fault::unknown_type;
    const auto take = [&]<class M>() {
        if constexpr (Layout<version, M>::k_exists) {
            if (type != Layout<version, M>::k_type) return false;
            fault = payload.size() < Layout<version, M>::k_length ? Fault::payload_too_short
                                                                  : Fault::none;
            if (fault == Fault::none) f(decode_as<version, M>(payload.data()));
            return true;
        } else {
            return false;
        }
    };
    (void)(take.template operator()<Ms>() || ...);
    return fault;
}

/// `payload` is that of a frame that scan() found complete.
[[nodiscard]] std::expected<Message, DecodeError> decode(const Header& header,
                                                         std::span<const std::byte> payload);

}  // namespace damrak::wire::binary
