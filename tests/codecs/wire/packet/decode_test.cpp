// Any bytes are a message or a named fault, and encoded messages decode to the same values.
#include <damrak/wire/packet/decode.hpp>

#include <algorithm>
#include <cstdint>
#include <set>
#include <span>
#include <string_view>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>
#include <damrak/wire/packet/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::packet::decode_test {
namespace {

using testing::Bytes;
using testing::from_hex;

Bytes extended(std::uint16_t count, Kind kind = Kind::orders) {
    Bytes bytes(HeaderLayout::k_request_length + count * OrderLayout::k_length);
    std::size_t used = encode(Header{.kind = kind, .count = count, .sequence = 1}, bytes);
    for (std::uint16_t i = 0; i < count; ++i)
        used += encode_extended({.name = ClientOrderId{i + 1U}, .price_e2 = 100, .quantity = 1},
                                std::span{bytes}.subspan(used));
    return bytes;
}

Fault fault_of_order(const Bytes& bytes) {
    const Scan found = scan(bytes);
    EXPECT_EQ(found.fault, Fault::none);
    Order order;
    return decode_order(found, bytes, 0, order);
}

TEST(PacketDecode, LengthDeterminesTheFormat) {
    for (std::size_t length = 0; length <= 1'600; ++length) {
        const Scan found = scan(Bytes(length));
        if (length == 18) {
            EXPECT_EQ(found.format, Format::packed);
        } else if (length == 24) {
            EXPECT_EQ(found.format, Format::words);
        } else {
            EXPECT_EQ(found.fault, length < 32 ? Fault::length : Fault::magic) << length;
        }
    }
}

TEST(PacketDecode, AnExtendedDatagramHasAsManyOrdersAsItSays) {
    for (const std::uint16_t count : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{45}}) {
        Bytes bytes = extended(count);
        EXPECT_EQ(scan(bytes).fault, Fault::none);
        EXPECT_EQ(scan(bytes).header.count, count);
        bytes.push_back({});
        EXPECT_EQ(scan(bytes).fault, Fault::count);
        bytes.resize(bytes.size() - 2);
        EXPECT_EQ(scan(bytes).fault, Fault::count);
    }
    EXPECT_EQ(scan(extended(0)).fault, Fault::count);
    EXPECT_EQ(scan(extended(46)).fault, Fault::count);
    EXPECT_EQ(scan(extended(0, Kind::begin)).fault, Fault::none);
    EXPECT_EQ(scan(extended(1, Kind::begin)).fault, Fault::count);
}

TEST(PacketDecode, HeadersOfOtherKindsAndVersionsAreNamed) {
    Bytes bytes = extended(1);
    bytes[HeaderLayout::k_kind] = std::byte{0};
    EXPECT_EQ(scan(bytes).fault, Fault::kind);
    bytes[HeaderLayout::k_kind] = std::byte{3};
    EXPECT_EQ(scan(bytes).fault, Fault::kind);
    bytes[HeaderLayout::k_version_number] = std::byte{2};
    EXPECT_EQ(scan(bytes).fault, Fault::version);
    bytes[0] = std::byte{0};
    EXPECT_EQ(scan(bytes).fault, Fault::magic);
}

TEST(PacketDecode, ValuesOutOfRangeAreNamedAndNumberAndNameAreDecoded) {
    struct Case {
        std::string_view bytes;
        Fault fault;
    };
    const Case cases[]{
        {"00000009 00000005 00000064 00000001 00 01", Fault::action},
        {"00000009 00000005 00000064 00000001 04 01", Fault::action},
        {"00000009 00000005 00000064 00000001 01 02", Fault::side},
        {"09000000 05000000 64000000 01000000 00000000 01000000", Fault::action},
        {"09000000 05000000 64000000 01000000 01010000 01000000", Fault::action},
        {"09000000 05000000 64000000 01000000 01000000 00000001", Fault::side},
    };
    for (const Case& one : cases) {
        const Bytes bytes = from_hex(one.bytes);
        const Scan found = scan(bytes);
        ASSERT_EQ(found.fault, Fault::none);
        Order order;
        EXPECT_EQ(decode_order(found, bytes, 0, order), one.fault) << one.bytes;
        EXPECT_EQ(order.sequence, 9U);
        EXPECT_EQ(order.name.value, 5U);
    }
    const auto with = [](std::size_t at, std::uint8_t value) {
        Bytes bytes = extended(1);
        bytes[HeaderLayout::k_request_length + at] = std::byte{value};
        return fault_of_order(bytes);
    };
    EXPECT_EQ(with(OrderLayout::k_action, 0), Fault::action);
    EXPECT_EQ(with(OrderLayout::k_action, 4), Fault::action);
    EXPECT_EQ(with(OrderLayout::k_side, 2), Fault::side);
    EXPECT_EQ(with(OrderLayout::k_order_type, 11), Fault::order_type);
    EXPECT_EQ(with(OrderLayout::k_time_in_force, 8), Fault::time_in_force);
}

TEST(PacketDecode, AnyBytesAreAMessageOrANamedFault) {
    RandomStream random{5};
    std::set<Fault> seen;
    const Bytes sound = extended(1);
    for (int round = 0; round < 200'000; ++round) {
        Bytes bytes(random.next() % 120);
        for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
        if (round % 2 == 0 && bytes.size() >= 32)
            std::ranges::copy(std::span{sound}.first(6), bytes.begin());
        const Scan found = scan(bytes);
        seen.insert(found.fault);
        EXPECT_NE(name(found.fault), "unknown");
        EXPECT_NE(text(found.fault), "unknown");
        if (found.fault != Fault::none) continue;
        for (std::size_t i = 0; i < found.header.count; ++i) {
            Order order;
            const Fault fault = decode_order(found, bytes, i, order);
            seen.insert(fault);
            EXPECT_NE(name(fault), "unknown");
        }
    }
    EXPECT_TRUE(seen.contains(Fault::none));
    EXPECT_TRUE(seen.contains(Fault::action));
}

TEST(PacketDecode, EncodedMessagesDecodeToTheSameValues) {
    RandomStream random{9};
    const auto word = [&random] { return static_cast<std::uint32_t>(random.next()); };
    for (int round = 0; round < 10'000; ++round) {
        Order order{.sequence = word(),
                    .name = ClientOrderId{word()},
                    .price_e2 = word(),
                    .quantity = word(),
                    .action = static_cast<Action>(1 + word() % 3),
                    .side = word() % 2 == 0 ? Side::buy : Side::sell};
        for (const Format format : {Format::packed, Format::words}) {
            Bytes bytes(format == Format::packed ? Packed::k_length : Words::k_length);
            encode_public(format, order, bytes);
            const Scan found = scan(bytes);
            Order again;
            ASSERT_EQ(decode_order(found, bytes, 0, again), Fault::none);
            ASSERT_EQ(again, order);
        }
        order.name.value = random.next();
        order.instrument.value = word();
        order.stop_price_e2 = word();
        order.expire_s = word();
        order.type = static_cast<OrderType>(word() % 4);
        order.time_in_force = static_cast<TimeInForce>(word() % 8);
        if (word() % 2 == 0) {
            order.type = OrderType::limit;
            order.terms = static_cast<Terms>(4 + word() % 7);
        }
        Bytes bytes(HeaderLayout::k_request_length + OrderLayout::k_length);
        const std::size_t used = encode(Header{.count = 1, .sequence = order.sequence}, bytes);
        encode_extended(order, std::span{bytes}.subspan(used));
        Order again;
        ASSERT_EQ(decode_order(scan(bytes), bytes, 0, again), Fault::none);
        ASSERT_EQ(again, order);
    }
}

TEST(PacketDecode, RepliesOfOtherLengthsAndKindsAreNamed) {
    Bytes bytes(HeaderLayout::k_reply_length + ReplyLayout::k_length);
    const std::size_t used = encode(Header{.kind = Kind::replies, .count = 1}, bytes);
    encode(Reply{}, std::span{bytes}.subspan(used));
    EXPECT_EQ(scan_replies(bytes).fault, Fault::none);
    EXPECT_EQ(scan_replies(std::span{bytes}.first(bytes.size() - 1)).fault, Fault::count);
    EXPECT_EQ(scan_replies(std::span{bytes}.first(15)).fault, Fault::length);
    Reply reply;
    bytes[used] = std::byte{0};
    EXPECT_EQ(decode_reply(bytes, 0, reply), Fault::reply_kind);
    bytes[used] = std::byte{7};
    EXPECT_EQ(decode_reply(bytes, 0, reply), Fault::reply_kind);
    bytes[HeaderLayout::k_kind] = std::byte{1};
    EXPECT_EQ(scan_replies(bytes).fault, Fault::kind);
    Trade trade;
    EXPECT_EQ(decode_trade(Bytes(15), trade), Fault::length);
    EXPECT_EQ(decode_trade(Bytes(17), trade), Fault::length);
}

}  // namespace
}  // namespace damrak::wire::packet::decode_test
