// Every message of both versions, byte for byte. The bytes were captured from the original servers,
// with their two defects in MODIFY_ACK corrected. Those marked "by layout" were written by hand
// from the layouts. A group is four bytes.
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/wire/binary/decode.hpp>
#include <damrak/wire/binary/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::binary::examples_test {
namespace {

using damrak::testing::Bytes;
using damrak::testing::from_hex;

constexpr std::uint64_t k_all_ones = ~std::uint64_t{0};

template <class M>
void expect_example(Version version, std::string_view hex, Sequences sequences, const M& message,
                    std::size_t tail = 0) {
    const Bytes bytes = from_hex(hex);
    const Scan found = scan(bytes);
    ASSERT_EQ(found.fault, Fault::none);
    ASSERT_TRUE(found.complete);
    EXPECT_EQ(found.frame_length(), bytes.size());
    EXPECT_EQ(found.header.version, version);
    EXPECT_EQ(found.header.client_sequence, sequences.client);
    EXPECT_EQ(found.header.server_sequence, sequences.server);
    const auto decoded = decode(found.header, std::span{bytes}.subspan(k_header_length));
    ASSERT_TRUE(decoded.has_value()) << describe(decoded.error());
    ASSERT_TRUE(std::holds_alternative<M>(*decoded));
    EXPECT_EQ(std::get<M>(*decoded), message);

    EXPECT_EQ(frame_length<M>(version) + tail, bytes.size());
    // Padding is written as zeros, whatever the memory contained.
    Bytes encoded(bytes.size(), std::byte{0xEE});
    EXPECT_EQ(encode(version, sequences, message, encoded, tail), bytes.size());
    EXPECT_EQ(encoded, bytes);
}

template <class M>
void v1(std::string_view hex, Sequences sequences, const M& message, std::size_t tail = 0) {
    expect_example(Version::v1, hex, sequences, message, tail);
}
template <class M>
void v2(std::string_view hex, Sequences sequences, const M& message) {
    expect_example(Version::v2, hex, sequences, message);
}

TEST(BinaryExampleV1, Hello) {
    ApiKey key;
    key.fill(std::byte{0x22});
    v1("01010010 00000001 00000000 00000000 22222222 22222222 22222222 22222222", {1, 0},
       Hello{key});
}

TEST(BinaryExampleV1, HelloAck) {
    v1("02010010 00000001 00000001 00000000 00000000 00000001 01000000 00000000", {1, 1},
       HelloAck{ClientId{1}, 1});
}

TEST(BinaryExampleV1, Heartbeat) {
    v1("03010008 00000002 00000001 00000000 00000000 00000001", {2, 1}, Heartbeat{ClientId{1}});
}

TEST(BinaryExampleV1, NewOrderToBuy) {
    v1("0a010028 00000003 00000001 00000000 00000000 00000001 00000001 00000000 00000000 00000064"
       "00000000 0000278b ffffffff ffffffff",
       {3, 1},
       NewOrder{.client_id = ClientId{1},
                .instrument = InstrumentId{1},
                .quantity = 100,
                .price_e2 = 10'123,
                .good_till_us = k_all_ones});
}

TEST(BinaryExampleV1, NewOrderToSell) {
    v1("0a010028 00000002 00000001 00000000 00000000 00000002 00000001 01000000 00000000 00000019"
       "00000000 00002788 ffffffff ffffffff",
       {2, 1},
       NewOrder{.client_id = ClientId{2},
                .instrument = InstrumentId{1},
                .side = 1,
                .quantity = 25,
                .price_e2 = 10'120,
                .good_till_us = k_all_ones});
}

TEST(BinaryExampleV1, OrderAck) {
    v1("0b010030 00000003 00000002 00000000 00000000 00000001 00000000 00000001 00000000 0000278b"
       "00000000 00000064 00000000 95cc9b95 00000001 01000000",
       {3, 2},
       OrderAck{.client_id = ClientId{1},
                .order_id = OrderId{1},
                .price_e2 = 10'123,
                .quantity = 100,
                .server_time_us = 0x95cc9b95,
                .instrument = InstrumentId{1},
                .status = 1});
}

TEST(BinaryExampleV1, CancelOrder) {
    v1("0c010010 00000005 00000004 00000000 00000000 00000001 00000000 00000002", {5, 4},
       CancelOrder{.client_id = ClientId{1}, .order_id = OrderId{2}});
}

TEST(BinaryExampleV1, CancelAck) {
    v1("0d010018 00000005 00000005 00000000 00000000 00000001 00000000 00000002 01000000 00000000",
       {5, 5}, CancelAck{.client_id = ClientId{1}, .order_id = OrderId{2}, .status = 1});
}

// By layout.
TEST(BinaryExampleV1, CancelOfTheCaptureProfileHasATailOfZeros) {
    v1("0c010020 00000005 00000004 00000000 00000000 00000001 00000000 00000002 00000000 00000000"
       "00000000 00000000",
       {5, 4}, CancelOrder{.client_id = ClientId{1}, .order_id = OrderId{2}}, 16);
    v1("0d010020 00000005 00000005 00000000 00000000 00000001 00000000 00000002 01000000 00000000"
       "00000000 00000000",
       {5, 5}, CancelAck{.client_id = ClientId{1}, .order_id = OrderId{2}, .status = 1},
       k_capture_cancel_ack_tail);
}

TEST(BinaryExampleV1, ModifyOrder) {
    v1("0e010020 00000004 00000002 00000000 00000000 00000001 00000000 00000001 00000000 0000003c"
       "00000000 00002788",
       {4, 2},
       ModifyOrder{
           .client_id = ClientId{1}, .order_id = OrderId{1}, .quantity = 60, .price_e2 = 10'120});
}

TEST(BinaryExampleV1, ModifyAck) {
    v1("0f010030 00000004 00000003 00000000 00000000 00000001 00000000 00000001 00000000 00000002"
       "00000000 0000003c 00000000 00002788 01000000 00000000",
       {4, 3},
       ModifyAck{.client_id = ClientId{1},
                 .old_order_id = OrderId{1},
                 .new_order_id = OrderId{2},
                 .quantity = 60,
                 .price_e2 = 10'120,
                 .status = 1});
}

TEST(BinaryExampleV1, Trade) {
    v1("14010030 00000002 00000003 00000000 00000000 00000002 00000000 00000003 00000000 00000001"
       "00000000 00000019 00000000 00002788 00000000 95cc9c76",
       {2, 3},
       Trade{.client_id = ClientId{2},
             .order_id = OrderId{3},
             .trade_id = 1,
             .quantity = 25,
             .price_e2 = 10'120,
             .timestamp_us = 0x95cc9c76});
}

TEST(BinaryExampleV1, Logout) {
    v1("04010008 00000006 00000005 00000000 00000000 00000001", {6, 5}, Logout{ClientId{1}});
}

TEST(BinaryExampleV1, LogoutAck) {
    v1("05010010 00000006 00000006 00000000 00000000 00000001 01000000 00000000", {6, 6},
       LogoutAck{ClientId{1}, 1});
}

// By layout.
TEST(BinaryExampleV1, SessionTimeoutAndError) {
    v1("06010010 00000006 00000007 00000000 00000000 00000001 00000000 95cc9c76", {6, 7},
       SessionTimeout{ClientId{1}, 0x95cc9c76});
    v1("64010010 00000006 00000007 00000000 00050000 00000000 00000000 00000000", {6, 7}, Error{5});
}

TEST(BinaryExampleV2, HelloAndItsAck) {
    v2("01020008 00000001 00000000 00000000 00000000 00000000", {1, 0}, Hello{});
    v2("02020010 00000001 00000001 00000000 00000000 00000001 01000000 00000000", {1, 1},
       HelloAck{ClientId{1}, 1});
}

TEST(BinaryExampleV2, NewOrder) {
    v2("0a020030 00000002 00000001 00000000 00000000 00000001 00000000 00000001 00000001 00000000"
       "00000000 00000064 00000000 0000278b ffffffff ffffffff",
       {2, 1},
       NewOrder{.client_id = ClientId{1},
                .client_order_id = ClientOrderId{1},
                .instrument = InstrumentId{1},
                .quantity = 100,
                .price_e2 = 10'123,
                .good_till_us = k_all_ones});
}

TEST(BinaryExampleV2, OrderAck) {
    v2("0b020038 00000002 00000002 00000000 00000000 00000001 00000000 00000001 00000000 00000001"
       "00000000 0000278b 00000000 00000064 000005ef 3fc4d291 00000001 01000000",
       {2, 2},
       OrderAck{.client_id = ClientId{1},
                .order_id = OrderId{1},
                .client_order_id = ClientOrderId{1},
                .price_e2 = 10'123,
                .quantity = 100,
                .server_time_us = 0x5ef3fc4d291,
                .instrument = InstrumentId{1},
                .status = 1});
}

TEST(BinaryExampleV2, OrderAckOfAFilledOrder) {
    v2("0b020038 00000002 00000002 00000000 00000000 00000002 00000000 00000003 00000000 00000001"
       "00000000 00002788 00000000 00000000 000005ef 3fcbd3a7 00000001 04000000",
       {2, 2},
       OrderAck{.client_id = ClientId{2},
                .order_id = OrderId{3},
                .client_order_id = ClientOrderId{1},
                .price_e2 = 10'120,
                .quantity = 0,
                .server_time_us = 0x5ef3fcbd3a7,
                .instrument = InstrumentId{1},
                .status = 4});
}

TEST(BinaryExampleV2, ModifyOrderAndItsAck) {
    v2("0e020030 00000003 00000002 00000000 00000000 00000001 00000000 00000001 00000000 00000001"
       "00000000 0000003c 00000000 00002788 00000001 00000000",
       {3, 2},
       ModifyOrder{.client_id = ClientId{1},
                   .order_id = OrderId{1},
                   .client_order_id = ClientOrderId{1},
                   .quantity = 60,
                   .price_e2 = 10'120,
                   .instrument = InstrumentId{1}});
    v2("0f020038 00000003 00000003 00000000 00000000 00000001 00000000 00000001 00000000 00000002"
       "00000000 00000001 00000000 0000003c 00000000 00002788 00000001 01000000",
       {3, 3},
       ModifyAck{.client_id = ClientId{1},
                 .old_order_id = OrderId{1},
                 .new_order_id = OrderId{2},
                 .client_order_id = ClientOrderId{1},
                 .quantity = 60,
                 .price_e2 = 10'120,
                 .instrument = InstrumentId{1},
                 .status = 1});
}

TEST(BinaryExampleV2, Trade) {
    v2("10020038 00000002 00000003 00000000 00000000 00000002 00000000 00000003 00000000 00000001"
       "00000000 00000001 00000000 00000019 00000000 00002788 000005ef 3fcbd64b",
       {2, 3},
       Trade{.client_id = ClientId{2},
             .order_id = OrderId{3},
             .client_order_id = ClientOrderId{1},
             .trade_id = 1,
             .quantity = 25,
             .price_e2 = 10'120,
             .timestamp_us = 0x5ef3fcbd64b});
}

TEST(BinaryExampleV2, CancelOrderAndItsAck) {
    v2("0c020020 00000005 00000004 00000000 00000000 00000001 00000000 00000002 00000000 00000001"
       "00000001 00000000",
       {5, 4}, CancelOrder{ClientId{1}, OrderId{2}, ClientOrderId{1}, InstrumentId{1}});
    v2("0d020020 00000005 00000006 00000000 00000000 00000001 00000000 00000002 00000000 00000001"
       "00000001 01000000",
       {5, 6}, CancelAck{ClientId{1}, OrderId{2}, ClientOrderId{1}, InstrumentId{1}, 1});
}

TEST(BinaryExampleV2, LogoutAndItsAck) {
    v2("03020008 00000006 00000006 00000000 00000000 00000001", {6, 6}, Logout{ClientId{1}});
    v2("04020010 00000006 00000007 00000000 00000000 00000001 01000000 00000000", {6, 7},
       LogoutAck{ClientId{1}, 1});
}

// By layout, as the next three.
TEST(BinaryExampleV2, LinkedOrder) {
    v2("1e020040 00000003 00000002 00000000 00000000 00000001 00000000 00000002 00000001 01030001"
       "00000000 0000000a 00000000 00000000 ffffffff ffffffff 00000000 00000384 00000000 00000005",
       {3, 2},
       LinkedOrder{{.client_id = ClientId{1},
                    .client_order_id = ClientOrderId{2},
                    .instrument = InstrumentId{1},
                    .side = 1,
                    .order_type = 3,
                    .quantity = 10,
                    .good_till_us = k_all_ones},
                   900,
                   OrderId{5},
                   1});
}

TEST(BinaryExampleV2, QuoteAndItsAck) {
    v2("1f020038 00000003 00000002 00000000 00000000 00000001 00000000 00000007 00000001 00000000"
       "00000000 00000064 00000000 00000384 00000000 00000062 00000000 0000044c",
       {3, 2},
       Quote{.client_id = ClientId{1},
             .client_order_id = ClientOrderId{7},
             .instrument = InstrumentId{1},
             .bid_quantity = 100,
             .bid_price_e2 = 900,
             .ask_quantity = 98,
             .ask_price_e2 = 1'100});
    v2("20020040 00000003 00000003 00000000 00000000 00000001 00000000 00000007 00000000 00000001"
       "00000000 00000002 00000000 00000064 00000000 0000005b 000005ef 3fcbd64b 00000001 02510000",
       {3, 3},
       QuoteAck{.client_id = ClientId{1},
                .client_order_id = ClientOrderId{7},
                .bid_order_id = OrderId{1},
                .ask_order_id = OrderId{2},
                .bid_quantity = 100,
                .ask_quantity = 91,
                .server_time_us = 0x5ef3fcbd64b,
                .instrument = InstrumentId{1},
                .status = 2,
                .reason = 81});
}

TEST(BinaryExampleV2, QuoteProtectionAndItsAck) {
    v2("21020020 00000002 00000001 00000000 00000000 00000001 00000001 00000000 00000000 0000000a"
       "00000000 000f4240",
       {2, 1}, QuoteProtection{ClientId{1}, InstrumentId{1}, 10, 1'000'000});
    v2("22020010 00000002 00000002 00000000 00000000 00000001 00000001 02520000", {2, 2},
       QuoteProtectionAck{ClientId{1}, InstrumentId{1}, 2, 82});
}

TEST(BinaryExampleV2, OrderChanged) {
    v2("23020038 00000003 00000004 00000000 00000000 00000001 00000000 00000001 00000000 00000007"
       "00000000 0000005b 00000000 00000003 000005ef 3fcbd64b 00000001 01620000",
       {3, 4},
       OrderChanged{.client_id = ClientId{1},
                    .order_id = OrderId{1},
                    .client_order_id = ClientOrderId{7},
                    .lost_quantity = 91,
                    .quantity = 3,
                    .server_time_us = 0x5ef3fcbd64b,
                    .instrument = InstrumentId{1},
                    .change = 1,
                    .reason = 98});
}

}  // namespace
}  // namespace damrak::wire::binary::examples_test
