// Layout of the packet protocol: the public packet of 18 bytes, its variant of 24, the public trade
// of 16, and the header, orders and replies of the extended format. The only header of this codec
// with offsets; used by decode.hpp and encode.hpp, costs nothing at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

namespace damrak::wire::packet {

/// What the public packet and its variant share. The last two fields differ in width.
template <std::size_t width>
struct PublicOrderLayout {
    static constexpr std::size_t k_sequence = 0;
    static constexpr std::size_t k_order_id = 4;
    static constexpr std::size_t k_price = 8;
    static constexpr std::size_t k_quantity = 12;
    static constexpr std::size_t k_action = 16;
    static constexpr std::size_t k_side = k_action + width;
    static constexpr std::size_t k_length = k_side + width;
};
/// The public packet, packed, big-endian.
using Packed = PublicOrderLayout<1>;
/// Its variant: the same fields as little-endian words.
using Words = PublicOrderLayout<4>;

/// The public trade, big-endian.
struct TradeLayout {
    static constexpr std::size_t k_bid = 0;
    static constexpr std::size_t k_ask = 4;
    static constexpr std::size_t k_price = 8;
    static constexpr std::size_t k_quantity = 12;
    static constexpr std::size_t k_length = 16;
};

// The extended format; all of it is big-endian.

inline constexpr std::uint32_t k_magic = 0x44'4D'52'4B;  ///< "DMRK"
inline constexpr std::uint8_t k_version = 1;

/// Offsets of the header.
struct HeaderLayout {
    static constexpr std::size_t k_magic_number = 0;
    static constexpr std::size_t k_version_number = 4;
    static constexpr std::size_t k_kind = 5;
    static constexpr std::size_t k_count = 6;
    static constexpr std::size_t k_sequence = 8;
    static constexpr std::size_t k_zero = 12;
    static constexpr std::size_t k_key = 16;  ///< not in replies
    static constexpr std::size_t k_request_length = 32;
    static constexpr std::size_t k_reply_length = 16;
};

/// Offsets of an order.
struct OrderLayout {
    static constexpr std::size_t k_name = 0;
    static constexpr std::size_t k_price = 8;
    static constexpr std::size_t k_quantity = 12;
    static constexpr std::size_t k_instrument = 16;
    static constexpr std::size_t k_stop_price = 20;
    static constexpr std::size_t k_expire = 24;
    static constexpr std::size_t k_action = 28;
    static constexpr std::size_t k_side = 29;
    static constexpr std::size_t k_order_type = 30;
    static constexpr std::size_t k_time_in_force = 31;
    static constexpr std::size_t k_length = 32;
};

/// Offsets of a reply.
struct ReplyLayout {
    static constexpr std::size_t k_kind = 0;
    static constexpr std::size_t k_side = 1;
    static constexpr std::size_t k_reason = 2;
    static constexpr std::size_t k_zero = 3;
    static constexpr std::size_t k_sequence = 4;
    static constexpr std::size_t k_name = 8;
    static constexpr std::size_t k_order_id = 16;
    static constexpr std::size_t k_trade_id = 24;
    static constexpr std::size_t k_price = 32;
    static constexpr std::size_t k_quantity = 36;
    static constexpr std::size_t k_remaining = 40;
    static constexpr std::size_t k_instrument = 44;
    static constexpr std::size_t k_time = 48;
    static constexpr std::size_t k_length = 56;
};

/// The payload of an Ethernet frame after the headers of IPv4 and UDP.
inline constexpr std::size_t k_maximum_datagram = 1'472;
inline constexpr std::size_t k_maximum_orders =
    (k_maximum_datagram - HeaderLayout::k_request_length) / OrderLayout::k_length;
inline constexpr std::size_t k_maximum_replies =
    (k_maximum_datagram - HeaderLayout::k_reply_length) / ReplyLayout::k_length;

static_assert(Packed::k_length == 18 && Words::k_length == 24);
static_assert(TradeLayout::k_quantity + 4 == TradeLayout::k_length);
static_assert(HeaderLayout::k_key + 16 == HeaderLayout::k_request_length);
static_assert(OrderLayout::k_time_in_force + 1 == OrderLayout::k_length);
static_assert(ReplyLayout::k_time + 8 == ReplyLayout::k_length);
static_assert(k_maximum_orders == 45 && k_maximum_replies == 26);
static_assert(HeaderLayout::k_request_length > Words::k_length, "the length identifies the format");

}  // namespace damrak::wire::packet
