// Layout of MoldUDP64: the header of a downstream packet, which is also a request, and the frame of
// a message block. The only header of this codec with offsets; costs nothing at run time.
// docs/protocols/moldudp64.md describes the protocol.
#pragma once

#include <cstddef>
#include <cstdint>

namespace damrak::wire::moldudp {

struct HeaderLayout {
    static constexpr std::size_t k_session = 0;
    static constexpr std::size_t k_sequence = 10;
    static constexpr std::size_t k_count = 18;
    static constexpr std::size_t k_length = 20;
};

/// The length precedes each message, u16 big-endian, and does not count itself.
inline constexpr std::size_t k_block_header_length = 2;

// Special values of the count.
inline constexpr std::uint16_t k_heartbeat = 0;
inline constexpr std::uint16_t k_end_of_session = 0xFFFF;

/// Of the packets that we send: fits an Ethernet frame with any common tunnel header.
inline constexpr std::size_t k_packet_bytes = 1'400;
/// The longest message in a packet of that length.
inline constexpr std::size_t k_longest_message =
    k_packet_bytes - HeaderLayout::k_length - k_block_header_length;

static_assert(HeaderLayout::k_count + sizeof(std::uint16_t) == HeaderLayout::k_length);

}  // namespace damrak::wire::moldudp
