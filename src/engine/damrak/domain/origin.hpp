// Origin of a command: the session that sent it, its number among that session's commands, and a
// tag that only the session's protocol reads. The journal stores it with the command, and each
// event of the command carries it, so an answer needs nothing else. Plain values, no cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak {

/// One connection of one client at any gateway. Zero: the exchange itself.
using SessionId = Identifier<struct SessionIdTag, std::uint64_t>;

/// The gateway of a client: the top byte of its session's id. Journals contain it, so the number of
/// a gateway is permanent; each states its own (gateway/gateway.hpp).
enum class GatewayNumber : std::uint8_t {};
/// The gateway that numbers its sessions: each connection gets the next number, even after a
/// restart.
inline constexpr GatewayNumber k_counting_gateway{0};
inline constexpr unsigned k_gateway_shift = 56;

[[nodiscard]] constexpr GatewayNumber gateway_of(SessionId id) {
    return static_cast<GatewayNumber>(id.value >> k_gateway_shift);
}
[[nodiscard]] constexpr SessionId session_at(GatewayNumber gateway, std::uint64_t number) {
    return {static_cast<std::uint64_t>(gateway) << k_gateway_shift | number};
}

/// Data that a protocol needs for the answer. Opaque to all others.
struct Tag {
    std::array<std::byte, 24> bytes{};
    friend constexpr bool operator==(const Tag&, const Tag&) = default;
};

struct Origin {
    SessionId session{};
    std::uint64_t inbound_sequence = 0;
    Tag tag{};
    friend constexpr bool operator==(const Origin&, const Origin&) = default;
};
static_assert(std::is_trivially_copyable_v<Origin> && sizeof(Origin) == 40);

/// Stamp from the sequencer: place in the total order, and time.
struct CommandStamp {
    SequenceNumber sequence{};
    Timestamp timestamp{};
};

}  // namespace damrak
