// Datagrams of the packet protocol to messages. Total: any bytes are a message or a named fault;
// nothing throws or allocates (except text()). For any thread: a load and a byte swap for each
// field.
//
//   const Scan found = scan(datagram);                       // which format, how many orders
//   for (i < found.header.count) decode_order(found.format, datagram, i, order)
//
// A fault of the datagram makes all of it invalid; a fault of an order does not affect the others.
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
    length,   ///< neither 18 nor 24 bytes, and shorter than an extended header
    magic,    ///< another length, but without the magic number of the extended format
    version,  ///< extended format: unknown version
    kind,     ///< extended format: neither orders nor begin (in replies: not replies)
    count,    ///< extended format: does not match the length
    // Faults of an order.
    action,
    side,
    order_type,
    time_in_force,
    // Faults of a reply.
    reply_kind,
};
inline constexpr std::size_t k_faults = 11;

/// One sentence: what is expected.
[[nodiscard]] std::string_view text(Fault fault);
/// The name of the enumerator, for logs and JSON.
[[nodiscard]] std::string_view name(Fault fault);

/// What a datagram contains.
struct Scan {
    Fault fault = Fault::none;
    Format format = Format::none;
    Header header{};  ///< public formats: for one order
};

/// Scans a datagram that an exchange received.
[[nodiscard]] Scan scan(std::span<const std::byte> datagram);

/// Decodes order `index` of a datagram in which scan() found no fault. Even if the order has a
/// fault, `order` holds the valid fields, and always the number and the name.
[[nodiscard]] Fault decode_order(const Scan& scan, std::span<const std::byte> datagram,
                                 std::size_t index, Order& order);

// For clients.

/// Scans a datagram of replies; a fault if it is anything else.
[[nodiscard]] Scan scan_replies(std::span<const std::byte> datagram);
[[nodiscard]] Fault decode_reply(std::span<const std::byte> datagram, std::size_t index,
                                 Reply& reply);
/// Decodes the public trade; a fault if the length differs.
[[nodiscard]] Fault decode_trade(std::span<const std::byte> datagram, Trade& trade);

}  // namespace damrak::wire::packet
