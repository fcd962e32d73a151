// The packets of SoupBinTCP 3.00, in both directions: bytes to packets and back. Total: any bytes
// are a packet, "need more" or a named fault. Only text() allocates. Any thread.
//
//   length (2, big-endian, of all that follows)   type (1)   payload (length - 1)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

namespace damrak::wire::soupbin {

/// The letters on the wire. A letter may have a different meaning in each direction.
enum class PacketType : char {
    debug = '+',
    // To the client:
    login_accepted = 'A',
    login_rejected = 'J',
    sequenced_data = 'S',
    server_heartbeat = 'H',
    end_of_session = 'Z',
    // To the server:
    login_request = 'L',
    unsequenced_data = 'U',
    client_heartbeat = 'R',
    logout_request = 'O',
};

// Offsets within a packet and within the payloads.
inline constexpr std::size_t k_length_bytes = 2;
inline constexpr std::size_t k_header_bytes = 3;  ///< length and type
inline constexpr std::size_t k_longest_payload = 65'534;
/// Offsets of a login request.
struct LoginRequestLayout {
    static constexpr std::size_t k_user = 0;
    static constexpr std::size_t k_password = 6;
    static constexpr std::size_t k_session = 16;
    static constexpr std::size_t k_sequence = 26;
    static constexpr std::size_t k_bytes = 46;
};
/// Offsets of the answer to a login.
struct LoginAcceptedLayout {
    static constexpr std::size_t k_session = 0;
    static constexpr std::size_t k_sequence = 10;
    static constexpr std::size_t k_bytes = 30;
};
inline constexpr std::size_t k_user_bytes = 6;
inline constexpr std::size_t k_password_bytes = 10;
inline constexpr std::size_t k_session_bytes = 10;
inline constexpr std::size_t k_sequence_bytes = 20;

enum class Fault : std::uint8_t {
    none,
    empty_packet,    ///< a length of zero, so there is no type
    payload_length,  ///< does not match the type
    sequence,        ///< not a number in 20 digits
    characters,      ///< text that is not printable
    session,         ///< the same of the session that a login asks for
    reject_reason,   ///< neither A nor S
};
[[nodiscard]] std::string_view text(Fault fault);

/// A packet within received bytes.
struct Packet {
    PacketType type{};
    std::span<const std::byte> payload;  ///< points into the decoded bytes
    std::size_t bytes = 0;               ///< size of the whole packet; zero: incomplete
};
/// Decodes the packet at the front. Unknown types are returned too.
[[nodiscard]] std::expected<Packet, Fault> decode(std::span<const std::byte> bytes);

/// Without the padding.
struct LoginRequest {
    std::array<char, k_user_bytes> user{};
    std::array<char, k_password_bytes> password{};
    std::array<char, k_session_bytes> session{};  ///< blank: the current one
    std::uint64_t sequence = 0;  ///< of the first requested message; 0: only new ones

    [[nodiscard]] std::string_view user_text() const { return trimmed(user); }
    [[nodiscard]] std::string_view password_text() const { return trimmed(password); }
    [[nodiscard]] std::string_view session_text() const { return trimmed(session); }

  private:
    static std::string_view trimmed(std::string_view text);
    template <std::size_t n>
    static std::string_view trimmed(const std::array<char, n>& text) {
        return trimmed(std::string_view{text.data(), n});
    }
};
[[nodiscard]] std::expected<LoginRequest, Fault> decode_login_request(
    std::span<const std::byte> payload);

/// The session that was joined, and its next message.
struct LoginAccepted {
    std::array<char, k_session_bytes> session{};  ///< as received, with its padding
    std::uint64_t sequence = 0;                   ///< of the next message
};
[[nodiscard]] std::expected<LoginAccepted, Fault> decode_login_accepted(
    std::span<const std::byte> payload);
enum class RejectReason : char { not_authorized = 'A', session_not_available = 'S' };
/// For a login that cannot be read: which of its two questions it fails to ask.
[[nodiscard]] RejectReason reject_reason(Fault fault);
[[nodiscard]] std::expected<RejectReason, Fault> decode_login_rejected(
    std::span<const std::byte> payload);

// Each function writes a whole packet to the front of `to` and returns its length.

[[nodiscard]] std::size_t encode_login_request(std::string_view user, std::string_view password,
                                               std::string_view session, std::uint64_t sequence,
                                               std::span<std::byte> to);
[[nodiscard]] std::size_t encode_login_accepted(std::string_view session, std::uint64_t sequence,
                                                std::span<std::byte> to);
[[nodiscard]] std::size_t encode_login_rejected(RejectReason reason, std::span<std::byte> to);
/// A packet without a payload.
[[nodiscard]] std::size_t encode(PacketType type, std::span<std::byte> to);
/// A packet with data; its payload has at most k_longest_payload bytes.
[[nodiscard]] std::size_t encode(PacketType type, std::span<const std::byte> payload,
                                 std::span<std::byte> to);

}  // namespace damrak::wire::soupbin
