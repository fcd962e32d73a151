// Byte streams: split, merged, malformed, too fast; and answers that nobody reads.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/binary_exchange.hpp"

namespace damrak::testing::binary_stream_test {
namespace {

using session::Disconnect;
using ::testing::ElementsAre;
using wire::binary::Version;

constexpr std::string_view k_hello =
    "01010010 00000001 00000000 00000000 22222222 22222222 22222222 22222222";
constexpr std::string_view k_order =
    "0a010028 00000002 00000001 00000000 00000000 00000001 00000001 00000000 00000000 00000064"
    "00000000 0000278b ffffffff ffffffff";
constexpr std::string_view k_cancel =
    "0c010010 00000003 00000004 00000000 00000000 00000001 00000000 00000001";

Bytes whole_day() {
    Bytes bytes = from_hex(k_hello);
    append(bytes, from_hex(k_order));
    append(bytes, from_hex(k_cancel));
    return bytes;
}

struct BinaryStream : ::testing::Test {
    BinaryExchange exchange;
    BinaryClient& client = exchange.connect();
};

TEST_F(BinaryStream, AllInOnePacket) {
    client.send_bytes(whole_day());
    EXPECT_THAT(client.heard(),
                ElementsAre("hello_ack 1", "order_ack 1 #1 100@10123", "cancel_ack 1 #1"));
}

TEST_F(BinaryStream, AByteAtATime) {
    for (const std::byte byte : whole_day()) client.send_bytes(std::span{&byte, 1});
    EXPECT_THAT(client.heard(),
                ElementsAre("hello_ack 1", "order_ack 1 #1 100@10123", "cancel_ack 1 #1"));
    EXPECT_EQ(client.waiting_bytes(), 0U);
}

TEST_F(BinaryStream, CutAnywhere) {
    const Bytes bytes = whole_day();
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        BinaryExchange fresh;
        BinaryClient& cutter = fresh.connect();
        cutter.send_bytes(std::span{bytes}.first(cut));
        cutter.send_bytes(std::span{bytes}.subspan(cut));
        ASSERT_EQ(cutter.heard().size(), 3U) << cut;
    }
}

TEST_F(BinaryStream, AnUnknownTypeIsReportedAndSkipped) {
    client.send_hex(k_hello);
    client.send_hex("63010004 00000002 00000000 00000000 ffffffff");
    client.send_hex("0b010000 00000002 00000000 00000000");
    client.send_hex(k_order);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "1/2 error 1", "1/3 error 1",
                            "2/4 order_ack 1 #1 100@10123"))
        << "the same for an answer type sent by a client";
}

TEST_F(BinaryStream, InVersion2AnUnknownTypeUsesItsNumber) {
    client.send_hex("01020008 00000001 00000000 00000000 00000000 00000000");
    client.send_hex("63020004 00000002 00000000 00000000 ffffffff");
    client.send_hex("63020004 00000002 00000000 00000000 ffffffff");
    client.send_hex("03020008 00000003 00000000 00000000 00000000 00000001");
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "2/2 error 1", "3/3 logout_ack 1"));
}

TEST_F(BinaryStream, AShortPayloadIsReportedAndALongOneIsRead) {
    client.send_hex(k_hello);
    client.send_hex("0c01000f 00000002 00000000 00000000 00000000 00000001 00000000 000000");
    client.send_hex("0401000c 00000002 00000000 00000000 00000000 00000001 ffffffff");
    EXPECT_THAT(client.heard(), ElementsAre("hello_ack 1", "error 2", "logout_ack 1"));
}

TEST_F(BinaryStream, CancelsOfOtherLengthsAreAnsweredInThePublishedLength) {
    client.send_hex(k_hello);
    client.heard_bytes();
    client.send_hex(
        "0c010018 00000002 00000000 00000000 00000000 00000001 00000000 00000007"
        "00000000 00000000");
    EXPECT_EQ(client.heard_bytes().size(), 40U);
    client.send_hex(
        "0c010028 00000003 00000000 00000000 00000000 00000001 00000000 00000007"
        "00000000 00000000 00000000 00000000 00000000 00000000");
    EXPECT_EQ(client.heard_bytes().size(), 48U);
    client.send_hex(
        "0c010020 00000003 00000000 00000000 00000000 00000009 00000000 00000007"
        "00000000 00000000 00000000 00000000");
    EXPECT_EQ(client.heard_bytes().size(), 48U) << "rejected by the session itself";
}

TEST_F(BinaryStream, AnotherVersionEndsTheConnectionWithAReason) {
    client.send_hex(k_hello);
    client.send_hex("01030010 00000001 00000000 00000000 22222222 22222222 22222222 22222222");
    client.send_hex(k_order);
    EXPECT_THAT(client.heard(), ElementsAre("hello_ack 1", "error 4"));
    EXPECT_EQ(client.session().disconnect(), Disconnect::wrong_version);
    EXPECT_EQ(name(client.session().disconnect()), "wrong_version");
}

TEST_F(BinaryStream, AChangeOfVersionEndsTheConnection) {
    client.send_hex(k_hello);
    client.send_hex(
        "0c020020 00000002 00000004 00000000 00000000 00000001 00000000 00000002"
        "00000000 00000001 00000001 00000000");
    EXPECT_THAT(client.heard(), ElementsAre("hello_ack 1", "error 4"));
    EXPECT_EQ(client.session().disconnect(), Disconnect::wrong_version);
}

TEST_F(BinaryStream, NoiseFromTheStartIsAnsweredInVersion1) {
    client.send_bytes(bytes_of("GET / HTTP/1.1\r\n"));
    EXPECT_THAT(client.heard_hex(), ElementsAre("64010010 00000000 00000001 00000000 "
                                                "00040000 00000000 00000000 00000000"));
    EXPECT_EQ(client.session().disconnect(), Disconnect::wrong_version);
}

TEST_F(BinaryStream, APayloadLongerThanAnyMessageEndsTheConnection) {
    client.send_hex("01010400 00000001 00000000 00000000");
    EXPECT_THAT(client.heard(), ElementsAre("error 3"));
    EXPECT_EQ(client.session().disconnect(), Disconnect::message_too_long);
}

TEST_F(BinaryStream, EveryDisconnectHasANameAndAText) {
    for (int i = 0; i <= static_cast<int>(Disconnect::timed_out); ++i) {
        EXPECT_NE(name(Disconnect(i)), "unknown") << i;
        EXPECT_NE(text(Disconnect(i)), "unknown") << i;
    }
}

TEST(BinarySlowReader, IsDisconnectedWhenItsBufferIsFull) {
    BinaryExchange exchange{{.output_bytes = 200}};
    BinaryClient& client = exchange.connect();
    client.hello();
    client.buy(1, 100);
    client.buy(1, 100);
    EXPECT_EQ(client.session().disconnect(), Disconnect::none);
    client.buy(1, 100);
    EXPECT_EQ(client.session().disconnect(), Disconnect::slow_reader);
    EXPECT_EQ(client.heard().size(), 3U) << "whole messages only";
}

TEST(BinarySlowReader, IsDisconnectedInVersion2WhileAnAcknowledgementIsHeld) {
    BinaryExchange exchange{{.output_bytes = 32 + 72 + 10}};
    BinaryClient& client = exchange.connect(Version::v2);
    BinaryClient& seller = exchange.connect(Version::v2);
    seller.hello();
    seller.heard_bytes();
    seller.sell(1, 100);
    client.hello();
    client.buy(1, 100);
    EXPECT_EQ(client.session().disconnect(), Disconnect::slow_reader);
    EXPECT_THAT(client.heard(), ElementsAre("hello_ack 1", "order_ack 4 #2 0@100 named 1"));
    BinaryExchange smaller{{.output_bytes = 32 + 10}};
    BinaryClient& tight = smaller.connect(Version::v2);
    tight.hello();
    tight.buy(1, 100);
    EXPECT_EQ(tight.session().disconnect(), Disconnect::slow_reader);
    EXPECT_THAT(tight.heard(), ElementsAre("hello_ack 1"));
}

TEST(BinaryThrottle, RejectsMessagesAboveTheRateAndRecovers) {
    BinaryExchange exchange{{.rules = {.messages_per_second = 10, .burst_messages = 3}}};
    BinaryClient& client = exchange.connect();
    client.hello();
    for (int i = 0; i < 4; ++i) client.buy(1, 100);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "2/2 order_ack 1 #1 1@100",
                            "3/3 order_ack 1 #2 1@100", "3/4 error 5", "3/5 error 5"));
    exchange.now += Timestamp{100'000'000};
    client.buy(1, 100);
    client.buy(1, 100);
    EXPECT_THAT(client.heard(), ElementsAre("order_ack 1 #3 1@100", "error 5"));
}

TEST(BinaryThrottle, InVersion2ARejectedMessageUsesItsNumber) {
    BinaryExchange exchange{{.rules = {.messages_per_second = 10, .burst_messages = 1}}};
    BinaryClient& client = exchange.connect(Version::v2);
    client.hello();
    client.buy(1, 100);
    exchange.now += Timestamp{100'000'000};
    client.buy(1, 100);
    EXPECT_THAT(client.heard_with_numbers(),
                ElementsAre("1/1 hello_ack 1", "2/2 error 5", "3/3 order_ack 1 #1 1@100 named 2"));
}

TEST(BinaryThrottle, CountsAMessageOnceAlthoughItHasToWait) {
    BinaryExchange exchange{
        {.rules = {.messages_per_second = 1, .burst_messages = 3}, .deferred = true}};
    BinaryClient& client = exchange.connect();
    client.hello();
    client.buy(0, 100);
    client.feed();
    client.feed();
    exchange.run();
    client.buy(1, 100);
    exchange.run();
    EXPECT_THAT(client.heard(),
                ElementsAre("hello_ack 1", "order_ack 2 #0 0@0", "order_ack 1 #1 1@100"));
}

}  // namespace
}  // namespace damrak::testing::binary_stream_test
