// Decodes any bytes as a datagram of the packet protocol, to an exchange and to a client: orders,
// replies, a trade, or a named fault. Decoded datagrams must encode to the same bytes, except for
// ignored ones.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include <damrak/base/assert.hpp>
#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/encode.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_packet_codec {

namespace {

using namespace damrak::wire::packet;  // NOLINT(google-build-using-namespace): its own

void write_and_read_again(const Scan& found, const Order& order) {
    std::array<std::byte, 64> memory{};
    std::size_t length = 0;
    if (found.format == Format::extended) {
        length = encode(Header{.count = 1, .sequence = order.sequence}, memory);
        length += encode_extended(order, std::span{memory}.subspan(length));
    } else {
        length = encode_public(found.format, order, memory);
    }
    const auto written = std::span{memory}.first(length);
    const Scan again = scan(written);
    Order same;
    DAMRAK_ASSERT(again.fault == Fault::none && again.format == found.format);
    DAMRAK_ASSERT(decode_order(again, written, 0, same) == Fault::none && same == order);
}

void as_an_exchange(std::span<const std::byte> bytes) {
    const Scan found = scan(bytes);
    DAMRAK_ASSERT(!text(found.fault).empty() && name(found.fault) != "unknown");
    if (found.fault != Fault::none) return;
    DAMRAK_ASSERT(found.header.count <= k_maximum_orders);
    for (std::size_t i = 0; i < found.header.count; ++i) {
        Order order;
        const Fault fault = decode_order(found, bytes, i, order);
        DAMRAK_ASSERT(order.sequence == found.header.sequence + static_cast<std::uint32_t>(i));
        if (fault == Fault::none)
            write_and_read_again(found, order);
        else
            DAMRAK_ASSERT(name(fault) != "unknown");
    }
}

void as_a_client(std::span<const std::byte> bytes) {
    Trade trade;
    if (decode_trade(bytes, trade) == Fault::none) {
        std::array<std::byte, TradeLayout::k_length> memory{};
        encode(trade, memory);
        DAMRAK_ASSERT(std::ranges::equal(memory, bytes));
    }
    const Scan found = scan_replies(bytes);
    if (found.fault != Fault::none) return;
    for (std::size_t i = 0; i < found.header.count; ++i) {
        Reply reply;
        if (decode_reply(bytes, i, reply) != Fault::none) continue;
        std::array<std::byte, HeaderLayout::k_reply_length + ReplyLayout::k_length> memory{};
        const std::size_t used = encode(Header{.kind = Kind::replies, .count = 1}, memory);
        encode(reply, std::span{memory}.subspan(used));
        Reply same;
        DAMRAK_ASSERT(decode_reply(memory, 0, same) == Fault::none && same == reply);
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(packet_codec)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    as_an_exchange(bytes);
    as_a_client(bytes);
    return 0;
}

}  // namespace damrak::fuzz_packet_codec
