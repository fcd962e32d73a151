// MoldUDP64 datagrams to packets. Total: any bytes are a packet or a named fault with its offset;
// nothing throws or allocates. For any thread; a packet costs a walk over its blocks.
//
//   const Scan found = scan(datagram);
//   if (found.fault != Fault::none)  …                        // at found.offset
//   for_each_message(found, [](std::uint64_t number, std::span<const std::byte> message) {…});
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include <damrak/base/byte_order.hpp>
#include <damrak/wire/moldudp/detail/descriptor.hpp>
#include <damrak/wire/moldudp/messages.hpp>

namespace damrak::wire::moldudp {

enum class Fault : std::uint8_t {
    none,
    too_short,  ///< for the header
    truncated,  ///< the datagram ends inside a message block
    too_long,   ///< bytes after the last block, or after a request
    sequence,   ///< 0, or message numbers exceed 2^64
    count,      ///< zero in a request
};
inline constexpr std::size_t k_faults = 6;

/// One sentence: what is expected.
[[nodiscard]] std::string_view text(Fault fault);
/// The name of the enumerator, for logs and JSON.
[[nodiscard]] std::string_view name(Fault fault);

/// What a packet contains.
struct Scan {
    Fault fault = Fault::none;
    std::size_t offset = 0;  ///< of the fault
    Header header{};
    std::span<const std::byte> blocks{};  ///< whole blocks
};

/// A downstream packet.
[[nodiscard]] Scan scan(std::span<const std::byte> datagram);

/// Why bytes are not a packet.
struct Error {
    Fault fault = Fault::none;
    std::size_t offset = 0;
    friend bool operator==(const Error&, const Error&) = default;
};
[[nodiscard]] std::expected<Request, Error> decode_request(std::span<const std::byte> datagram);

/// Calls f(number, message) for each message of a packet in which scan() found no fault.
template <class F>
void for_each_message(const Scan& packet, F&& f) {
    std::size_t at = 0;
    for (std::uint16_t i = 0; i < packet.header.messages(); ++i) {
        const std::size_t length = load_be<std::uint16_t>(packet.blocks.data() + at);
        at += k_block_header_length;
        f(packet.header.sequence + i, packet.blocks.subspan(at, length));
        at += length;
    }
}

}  // namespace damrak::wire::moldudp
