// Datagrams of the packet protocol to messages. Total: any bytes are a message or a named fault;
// nothing throws or allocates (text() apart). For any thread; a load and a byte swap a field.
//
//   const Scan found = scan(datagram);                       // which format, how many orders
//   for (i < found.header.count) decode_order(found.format, datagram, i, order)
//
// A fault of the datagram leaves nothing of it to be read; one of an order leaves the others.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include <damrak/wire/packet/descriptor.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::wire::packet {

enum class Fault : std::uint8_t {
    none,
    // Faults of a datagram.
    length,   ///< neither 18 nor 24 bytes, nor long enough for the header of the extended format
    magic,    ///< of another length, and does not begin as the extended format does
    version,  ///< of the extended format: not ours
    kind,     ///< of the extended format: neither orders nor begin (of replies: not replies)
    count,    ///< of the extended format: not as many as the length has room for
    // Faults of an order.
    action,
    side,
    order_type,
    time_in_force,
    // Faults of a reply.
    reply_kind,
};
inline constexpr std::size_t k_faults = 11;

/// One sentence: what is expected there.
[[nodiscard]] std::string_view text(Fault fault);
/// The name as written above, for logs and JSON.
[[nodiscard]] std::string_view name(Fault fault);

struct Scan {
    Fault fault = Fault::none;
    Format format = Format::none;
    Header header{};  ///< of the public formats: of one order
};

/// A datagram that came to an exchange.
[[nodiscard]] Scan scan(std::span<const std::byte> datagram);

/// Order `index` of a datagram in which scan() found no fault. What is sound is in `order` even if
/// there is a fault: the number and the name always.
[[nodiscard]] Fault decode_order(const Scan& scan, std::span<const std::byte> datagram,
                                 std::size_t index, Order& order);

// For clients.

/// A datagram of replies; a fault if it is anything else.
[[nodiscard]] Scan scan_replies(std::span<const std::byte> datagram);
[[nodiscard]] Fault decode_reply(std::span<const std::byte> datagram, std::size_t index,
                                 Reply& reply);
/// The public one; a fault if it has another length.
[[nodiscard]] Fault decode_trade(std::span<const std::byte> datagram, Trade& trade);

}  // namespace damrak::wire::packet
