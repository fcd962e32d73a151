// Where every byte of MoldUDP64 is: the header of a downstream packet, which a request has as well,
// and the frame of a message block. The only header of this codec with an offset in it; costs
// nothing at run time. docs/protocols/moldudp64.md describes the protocol.
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

/// The length of a message stands before it, u16 big-endian, and does not count itself.
inline constexpr std::size_t k_block_header_length = 2;

// Counts that are none.
inline constexpr std::uint16_t k_heartbeat = 0;
inline constexpr std::uint16_t k_end_of_session = 0xFFFF;

/// Of the packets that we send: fits an Ethernet frame behind any tunnel in use.
inline constexpr std::size_t k_packet_bytes = 1'400;
/// The longest message in a packet of that length.
inline constexpr std::size_t k_longest_message =
    k_packet_bytes - HeaderLayout::k_length - k_block_header_length;

static_assert(HeaderLayout::k_count + sizeof(std::uint16_t) == HeaderLayout::k_length);

}  // namespace damrak::wire::moldudp
