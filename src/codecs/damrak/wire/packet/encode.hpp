// Messages of the packet protocol to bytes. Each function returns the number of bytes that it
// writes; the caller provides the room. For any thread: a byte swap and a store for each field.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/byte_order.hpp>
#include <damrak/wire/packet/descriptor.hpp>
#include <damrak/wire/packet/messages.hpp>

namespace damrak::wire::packet {

inline std::size_t encode(const Trade& trade, std::span<std::byte> to) {
    using L = TradeLayout;
    DAMRAK_ASSERT(to.size() >= L::k_length);
    store_be(to.data() + L::k_bid, trade.bid);
    store_be(to.data() + L::k_ask, trade.ask);
    store_be(to.data() + L::k_price, trade.price_e2);
    store_be(to.data() + L::k_quantity, trade.quantity);
    return L::k_length;
}

inline std::size_t encode(const Reply& reply, std::span<std::byte> to) {
    using L = ReplyLayout;
    DAMRAK_ASSERT(to.size() >= L::k_length);
    std::byte* const at = to.data();
    at[L::k_kind] = static_cast<std::byte>(reply.kind);
    at[L::k_side] = std::byte{reply.side == Side::buy};
    at[L::k_reason] = std::byte{reply.reason};
    at[L::k_zero] = std::byte{0};
    store_be(at + L::k_sequence, reply.sequence);
    store_be(at + L::k_name, reply.name.value);
    store_be(at + L::k_order_id, reply.order_id.value);
    store_be(at + L::k_trade_id, reply.trade_id.value);
    store_be(at + L::k_price, reply.price_e2);
    store_be(at + L::k_quantity, reply.quantity);
    store_be(at + L::k_remaining, reply.remaining);
    store_be(at + L::k_instrument, reply.instrument.value);
    store_be(at + L::k_time, static_cast<std::uint64_t>(reply.time.value));
    return L::k_length;
}

/// The header of the extended format, in either direction.
inline std::size_t encode(const Header& header, std::span<std::byte> to) {
    using L = HeaderLayout;
    const bool replies = header.kind == Kind::replies;
    const std::size_t length = replies ? L::k_reply_length : L::k_request_length;
    DAMRAK_ASSERT(to.size() >= length);
    std::byte* const at = to.data();
    store_be(at + L::k_magic_number, k_magic);
    at[L::k_version_number] = std::byte{k_version};
    at[L::k_kind] = static_cast<std::byte>(header.kind);
    store_be(at + L::k_count, header.count);
    store_be(at + L::k_sequence, header.sequence);
    store_be(at + L::k_zero, std::uint32_t{0});
    if (!replies) std::ranges::copy(header.key, at + L::k_key);
    return length;
}

/// One order after that header.
inline std::size_t encode_extended(const Order& order, std::span<std::byte> to) {
    using L = OrderLayout;
    DAMRAK_ASSERT(to.size() >= L::k_length);
    std::byte* const at = to.data();
    store_be(at + L::k_name, order.name.value);
    store_be(at + L::k_price, order.price_e2);
    store_be(at + L::k_quantity, order.quantity);
    store_be(at + L::k_instrument, order.instrument.value);
    store_be(at + L::k_stop_price, order.stop_price_e2);
    store_be(at + L::k_expire, order.expire_s);
    at[L::k_action] = static_cast<std::byte>(order.action);
    at[L::k_side] = std::byte{order.side == Side::buy};
    at[L::k_order_type] = order.terms == Terms::plain ? static_cast<std::byte>(order.type)
                                                      : static_cast<std::byte>(order.terms);
    at[L::k_time_in_force] = static_cast<std::byte>(order.time_in_force);
    return L::k_length;
}

/// A whole datagram of one of the public formats. Their order names have 32 bits.
inline std::size_t encode_public(Format format, const Order& order, std::span<std::byte> to) {
    const auto name = static_cast<std::uint32_t>(order.name.value);
    const auto side = static_cast<std::uint32_t>(order.side == Side::buy);
    if (format == Format::packed) {
        using L = Packed;
        DAMRAK_ASSERT(to.size() >= L::k_length);
        store_be(to.data() + L::k_sequence, order.sequence);
        store_be(to.data() + L::k_order_id, name);
        store_be(to.data() + L::k_price, order.price_e2);
        store_be(to.data() + L::k_quantity, order.quantity);
        to[L::k_action] = static_cast<std::byte>(order.action);
        to[L::k_side] = static_cast<std::byte>(side);
        return L::k_length;
    }
    using L = Words;
    DAMRAK_ASSERT(format == Format::words && to.size() >= L::k_length);
    store_le(to.data() + L::k_sequence, order.sequence);
    store_le(to.data() + L::k_order_id, name);
    store_le(to.data() + L::k_price, order.price_e2);
    store_le(to.data() + L::k_quantity, order.quantity);
    store_le(to.data() + L::k_action, std::uint32_t{std::to_underlying(order.action)});
    store_le(to.data() + L::k_side, side);
    return L::k_length;
}

}  // namespace damrak::wire::packet
