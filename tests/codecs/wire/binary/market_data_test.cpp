// Datagrams of the market data feed, byte for byte as captured from the original server, and
// invalid ones. A group is four bytes.
#include <damrak/wire/binary/market_data.hpp>

#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "support/bytes.hpp"

namespace damrak::wire::binary::market_data_test {
namespace {

using damrak::testing::Bytes;
using damrak::testing::from_hex;

using Levels = std::vector<FeedLevel>;

constexpr std::string_view k_add =
    "00000000 00000001 00000001 00180001 00000000 00000064 00000000 00000005 00000000 00000000";
constexpr std::string_view k_reduce =
    "00000000 00000007 00000001 00180001 00000000 00000064 00000000 00000005 01000000 00000000";
constexpr std::string_view k_empty = "00000000 00000000 00000001 00080101 00000000 00000000";
constexpr std::string_view k_book =
    "00000000 00000008 00000001 00580101 00020003 00000000 00000000 00000065 00000000 00000007"
    "00000000 00000063 00000000 00000006 00000000 0000006e 00000000 00000008 00000000 0000006f"
    "00000000 00000001 00000000 00000070 00000000 00000009";

void expect_delta(std::string_view hex, const FeedHeader& header, const FeedDelta& delta) {
    const Bytes bytes = from_hex(hex);
    const auto message = decode_feed(bytes);
    ASSERT_TRUE(message) << describe(message.error());
    EXPECT_EQ(message->header, header);
    ASSERT_TRUE(std::holds_alternative<FeedDelta>(message->body));
    EXPECT_EQ(std::get<FeedDelta>(message->body), delta);
    // Padding is written as zeros, whatever the memory contained.
    Bytes encoded(bytes.size(), std::byte{0xEE});
    EXPECT_EQ(encode_feed(header, delta, encoded), bytes.size());
    EXPECT_EQ(encoded, bytes);
}

Levels all_of(const FeedLevels& from) {
    Levels levels;
    for (std::size_t i = 0; i < from.size(); ++i) levels.push_back(from[i]);
    return levels;
}

void expect_snapshot(std::string_view hex, const FeedHeader& header, const Levels& bids,
                     const Levels& asks) {
    const Bytes bytes = from_hex(hex);
    const auto message = decode_feed(bytes);
    ASSERT_TRUE(message) << describe(message.error());
    EXPECT_EQ(message->header, header);
    ASSERT_TRUE(std::holds_alternative<FeedSnapshot>(message->body));
    EXPECT_EQ(all_of(std::get<FeedSnapshot>(message->body).bids), bids);
    EXPECT_EQ(all_of(std::get<FeedSnapshot>(message->body).asks), asks);
    Bytes encoded(bytes.size(), std::byte{0xEE});
    EXPECT_EQ(encode_feed(header, bids, asks, encoded), bytes.size());
    EXPECT_EQ(encoded, bytes);
}

TEST(FeedExample, AnAddedQuantity) {
    expect_delta(k_add, {1, InstrumentId{1}},
                 {.price_e2 = 100, .quantity = 5, .reduce = false, .side = Side::buy});
}

TEST(FeedExample, AReducedQuantity) {
    expect_delta(k_reduce, {7, InstrumentId{1}},
                 {.price_e2 = 100, .quantity = 5, .reduce = true, .side = Side::buy});
}

TEST(FeedExample, TheSnapshotOfAnEmptyBook) {
    expect_snapshot(k_empty, {0, InstrumentId{1}}, {}, {});
}

TEST(FeedExample, ASnapshot) {
    expect_snapshot(k_book, {8, InstrumentId{1}}, {{101, 7}, {99, 6}},
                    {{110, 8}, {111, 1}, {112, 9}});
}

FeedFault fault_of(const Bytes& bytes) {
    const auto message = decode_feed(bytes);
    EXPECT_FALSE(message.has_value());
    return message ? FeedFault{} : message.error();
}

Bytes with(std::string_view hex, std::size_t offset, std::uint8_t value) {
    Bytes bytes = from_hex(hex);
    bytes[offset] = std::byte{value};
    return bytes;
}

TEST(FeedFault, EveryShorterDatagramIsTooShort) {
    const Bytes whole = from_hex(k_book);
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_EQ(
            fault_of(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))),
            FeedFault::too_short)
            << length;
}

TEST(FeedFault, ATailIsIgnored) {
    Bytes longer = from_hex(k_add);
    longer.resize(longer.size() + 7);
    EXPECT_TRUE(decode_feed(longer));
}

TEST(FeedFault, EachIsDetected) {
    EXPECT_EQ(fault_of(with(k_add, 15, 2)), FeedFault::unknown_version);
    EXPECT_EQ(fault_of(with(k_add, 14, 2)), FeedFault::unknown_type);
    EXPECT_EQ(fault_of(with(k_add, 13, 23)), FeedFault::wrong_length);
    EXPECT_EQ(fault_of(with(k_add, 32, 2)), FeedFault::wrong_value) << "action";
    EXPECT_EQ(fault_of(with(k_add, 33, 2)), FeedFault::wrong_value) << "side";
    EXPECT_EQ(fault_of(with(k_book, 17, 3)), FeedFault::wrong_length) << "too many bids";
    EXPECT_EQ(fault_of(with(k_empty, 13, 7)), FeedFault::wrong_length);
    for (const auto fault :
         {FeedFault::too_short, FeedFault::unknown_version, FeedFault::unknown_type,
          FeedFault::wrong_length, FeedFault::wrong_value})
        EXPECT_NE(describe(fault), "not understood");
}

}  // namespace
}  // namespace damrak::wire::binary::market_data_test
