// The example bytes of docs/protocols/packet.md, in both directions.
#include <array>
#include <string>

#include <gtest/gtest.h>

#include <damrak/wire/packet/decode.hpp>
#include <damrak/wire/packet/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::packet::examples_test {
namespace {

using testing::Bytes;
using testing::from_hex;

const Order k_public_order{.sequence = 7,
                           .name = ClientOrderId{42},
                           .price_e2 = 10'050,
                           .quantity = 300,
                           .action = Action::new_order,
                           .side = Side::buy};
// Encodes and decodes the example.
void expect_public(Format format, const char* text, std::size_t length) {
    const Bytes bytes = from_hex(text);
    const Scan found = scan(bytes);
    ASSERT_EQ(found.fault, Fault::none);
    EXPECT_EQ(found.format, format);
    EXPECT_EQ(found.header.count, 1);
    EXPECT_EQ(found.header.sequence, 7U);
    Order order;
    ASSERT_EQ(decode_order(found, bytes, 0, order), Fault::none);
    EXPECT_EQ(order, k_public_order);
    Bytes made(length);
    EXPECT_EQ(encode_public(format, order, made), length);
    EXPECT_EQ(made, bytes);
}

TEST(PacketExamples, ThePublicPacket) {
    expect_public(Format::packed, "00000007 0000002a 00002742 0000012c 01 01", 18);
}

TEST(PacketExamples, ItsVariantOfWords) {
    expect_public(Format::words, "07000000 2a000000 42270000 2c010000 01000000 01000000", 24);
}

TEST(PacketExamples, APublicTrade) {
    const Bytes bytes = from_hex("0000002a 00000000 00002742 00000064");
    Trade trade;
    ASSERT_EQ(decode_trade(bytes, trade), Fault::none);
    EXPECT_EQ(trade, (Trade{.bid = 42, .ask = 0, .price_e2 = 10'050, .quantity = 100}));
    Bytes made(TradeLayout::k_length);
    EXPECT_EQ(encode(trade, made), TradeLayout::k_length);
    EXPECT_EQ(made, bytes);
}

TEST(PacketExamples, TwoOrdersInAnExtendedDatagram) {
    const Bytes bytes = from_hex(
        "444d524b 01 01 0002 00000007 00000000 6b657900000000000000000000000000"
        "000000000000002a 00002742 0000012c 00000002 00000000 00000000 01 01 00 01"
        "000000000000002b 00002738 00000064 00000002 00000000 00000000 01 00 00 03");
    const Scan found = scan(bytes);
    ASSERT_EQ(found.fault, Fault::none);
    EXPECT_EQ(found.format, Format::extended);
    EXPECT_EQ(found.header.kind, Kind::orders);
    ASSERT_EQ(found.header.count, 2);
    EXPECT_EQ(found.header.key[2], std::byte{'y'});
    std::array<Order, 2> orders;
    ASSERT_EQ(decode_order(found, bytes, 0, orders[0]), Fault::none);
    ASSERT_EQ(decode_order(found, bytes, 1, orders[1]), Fault::none);
    EXPECT_EQ(orders[0], (Order{.sequence = 7,
                                .name = ClientOrderId{42},
                                .price_e2 = 10'050,
                                .quantity = 300,
                                .instrument = InstrumentId{2},
                                .action = Action::new_order,
                                .side = Side::buy,
                                .type = OrderType::limit,
                                .time_in_force = TimeInForce::gtc}));
    EXPECT_EQ(orders[1], (Order{.sequence = 8,
                                .name = ClientOrderId{43},
                                .price_e2 = 10'040,
                                .quantity = 100,
                                .instrument = InstrumentId{2},
                                .action = Action::new_order,
                                .side = Side::sell,
                                .type = OrderType::limit,
                                .time_in_force = TimeInForce::ioc}));
    Bytes made(bytes.size());
    std::size_t used = encode(found.header, made);
    for (const Order& order : orders) used += encode_extended(order, std::span{made}.subspan(used));
    EXPECT_EQ(used, made.size());
    EXPECT_EQ(made, bytes);
}

TEST(PacketExamples, AReply) {
    const Bytes bytes = from_hex(
        "444d524b 01 03 0001 00000005 00000000"
        "03 01 00 00 00000007 000000000000002a 0000010000000001 0000010000000009"
        "00002742 00000064 000000c8 00000002 17f5ab1c2d3e4f50");
    const Scan found = scan_replies(bytes);
    ASSERT_EQ(found.fault, Fault::none);
    EXPECT_EQ(found.header.sequence, 5U);
    ASSERT_EQ(found.header.count, 1);
    Reply reply;
    ASSERT_EQ(decode_reply(bytes, 0, reply), Fault::none);
    EXPECT_EQ(reply, (Reply{.kind = ReplyKind::executed,
                            .side = Side::buy,
                            .reason = 0,
                            .sequence = 7,
                            .name = ClientOrderId{42},
                            .order_id = OrderId{(std::uint64_t{1} << 40U) + 1},
                            .trade_id = TradeId{(std::uint64_t{1} << 40U) + 9},
                            .price_e2 = 10'050,
                            .quantity = 100,
                            .remaining = 200,
                            .instrument = InstrumentId{2},
                            .time = Timestamp{0x17f5ab1c2d3e4f50}}));
    Bytes made(bytes.size());
    const std::size_t used =
        encode(Header{.kind = Kind::replies, .count = 1, .sequence = found.header.sequence}, made);
    EXPECT_EQ(used + encode(reply, std::span{made}.subspan(used)), made.size());
    EXPECT_EQ(made, bytes);
}

}  // namespace
}  // namespace damrak::wire::packet::examples_test
