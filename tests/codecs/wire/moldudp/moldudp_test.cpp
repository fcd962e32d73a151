// Any datagram is a packet or a named fault with its offset; packets from the builder decode to the
// same messages.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <set>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/wire/moldudp/decode.hpp>
#include <damrak/wire/moldudp/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::moldudp::moldudp_test {
namespace {

using testing::append;
using testing::Bytes;
using testing::bytes_of;
using testing::from_hex;

// A session observed on a real line: "000010059B".
constexpr std::string_view k_session_hex = "30 30 30 30 31 30 30 35 39 42";
constexpr SessionName k_session{'0', '0', '0', '0', '1', '0', '0', '5', '9', 'B'};

Bytes with_session(std::string_view rest) {
    Bytes bytes = from_hex(k_session_hex);
    append(bytes, from_hex(rest));
    return bytes;
}

Bytes frame(std::size_t length, char c = 'm') {
    Bytes bytes(k_block_header_length + length, static_cast<std::byte>(c));
    store_be(bytes.data(), static_cast<std::uint16_t>(length));
    return bytes;
}

struct Numbered {
    std::uint64_t number;
    Bytes message;
    friend bool operator==(const Numbered&, const Numbered&) = default;
};
std::vector<Numbered> messages_of(const Scan& packet) {
    std::vector<Numbered> all;
    for_each_message(packet, [&](std::uint64_t number, std::span<const std::byte> message) {
        all.push_back({number, Bytes(message.begin(), message.end())});
    });
    return all;
}

TEST(Moldudp, APacketHasItsMessagesAfterItsHeader) {
    const Bytes bytes = with_session(
        "00 00 00 00 00 00 00 07 00 03"
        "00 02 61 62"
        "00 00"
        "00 01 63");
    const Scan found = scan(bytes);
    ASSERT_EQ(found.fault, Fault::none);
    EXPECT_EQ(found.header, (Header{.session = k_session, .sequence = 7, .count = 3}));
    EXPECT_EQ(messages_of(found),
              (std::vector<Numbered>{{7, from_hex("61 62")}, {8, Bytes{}}, {9, from_hex("63")}}));
    PacketBuilder builder{k_session};
    builder.begin(7);
    EXPECT_EQ(builder.add(std::span{bytes}.subspan(20)), 9U);
    EXPECT_EQ(builder.next(), 10U);
    EXPECT_TRUE(std::ranges::equal(builder.packet(), bytes));
}

TEST(Moldudp, HeartbeatAndEndHaveNoMessages) {
    const Bytes heartbeat = with_session("00 00 00 00 00 00 00 0a 00 00");
    const Bytes end = with_session("00 00 00 00 00 00 00 0a ff ff");
    EXPECT_EQ(scan(heartbeat).header.count, k_heartbeat);
    EXPECT_TRUE(scan(end).header.is_end());
    EXPECT_TRUE(messages_of(scan(heartbeat)).empty());
    EXPECT_TRUE(messages_of(scan(end)).empty());
    PacketBuilder builder{k_session};
    builder.begin(10);
    EXPECT_TRUE(builder.empty());
    EXPECT_TRUE(std::ranges::equal(builder.packet(), heartbeat));
    builder.end_session(10);
    EXPECT_TRUE(std::ranges::equal(builder.packet(), end));
}

TEST(Moldudp, ARequestIsTwentyBytes) {
    const Bytes bytes = with_session("00 00 00 00 00 00 00 07 00 03");
    const Request request{.session = k_session, .sequence = 7, .count = 3};
    EXPECT_EQ(decode_request(bytes), request);
    Bytes written(20);
    EXPECT_EQ(encode(request, written), 20U);
    EXPECT_EQ(written, bytes);
}

TEST(Moldudp, FaultsOfPacketsAreNamedWithTheirOffset) {
    const auto fault = [](const Bytes& bytes) {
        const Scan found = scan(bytes);
        EXPECT_TRUE(found.blocks.empty() || found.fault == Fault::none);
        return Error{.fault = found.fault, .offset = found.offset};
    };
    const Bytes whole = with_session(
        "00 00 00 00 00 00 00 07 00 02"
        "00 02 61 62"
        "00 01 63");
    EXPECT_EQ(fault(whole), (Error{Fault::none, 0}));
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const Error found =
            fault(Bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)));
        if (length < 20)
            EXPECT_EQ(found, (Error{Fault::too_short, length}));
        else
            EXPECT_EQ(found, (Error{Fault::truncated, length < 24 ? 20U : 24U}));
    }
    Bytes longer = whole;
    longer.push_back({});
    EXPECT_EQ(fault(longer), (Error{Fault::too_long, 27}));
    EXPECT_EQ(fault(with_session("00 00 00 00 00 00 00 00 00 00")), (Error{Fault::sequence, 10}));
    EXPECT_EQ(fault(with_session("ff ff ff ff ff ff ff ff 00 01 00 00")),
              (Error{Fault::sequence, 10}));
    EXPECT_EQ(fault(with_session("ff ff ff ff ff ff ff fe 00 01 00 00")), (Error{Fault::none, 0}));
}

TEST(Moldudp, FaultsOfRequestsAreNamedWithTheirOffset) {
    const auto fault = [](const Bytes& bytes) {
        const auto request = decode_request(bytes);
        return request ? Error{} : request.error();
    };
    EXPECT_EQ(fault(Bytes(19)), (Error{Fault::too_short, 19}));
    EXPECT_EQ(fault(with_session("00 00 00 00 00 00 00 07 00 03 00")),
              (Error{Fault::too_long, 20}));
    EXPECT_EQ(fault(with_session("00 00 00 00 00 00 00 07 00 00")), (Error{Fault::count, 18}));
    EXPECT_EQ(fault(with_session("00 00 00 00 00 00 00 00 00 01")), (Error{Fault::sequence, 10}));
    EXPECT_EQ(fault(with_session("ff ff ff ff ff ff ff ff 00 01")), (Error{Fault::sequence, 10}));
}

TEST(Moldudp, ThePacketIsFullAtFourteenHundredBytes) {
    PacketBuilder builder{k_session};
    builder.begin(1);
    Bytes frames;
    for (int i = 0; i < 60; ++i) append(frames, frame(34));
    EXPECT_EQ(builder.add(frames), 38 * 36U);  // 39 would be 1,424 bytes
    EXPECT_EQ(builder.messages(), 38U);
    EXPECT_EQ(builder.packet().size(), 1'388U);
    EXPECT_EQ(builder.add(frame(10)), 12U);  // exactly to the end
    EXPECT_EQ(builder.packet().size(), k_packet_bytes);
    EXPECT_EQ(builder.add(frame(0)), 0U);
    EXPECT_EQ(messages_of(scan(builder.packet())).size(), 39U);

    builder.begin(40);
    EXPECT_EQ(builder.add(frame(k_longest_message + 1)), 0U);
    EXPECT_EQ(builder.add(frame(k_longest_message)), k_longest_message + 2);
    EXPECT_TRUE(builder.room().empty());
}

TEST(Moldudp, ThePacketTakesOnlyWholeFramesUpToTheGivenCount) {
    PacketBuilder builder{k_session};
    builder.begin(5);
    Bytes frames = frame(3, 'a');
    append(frames, frame(4, 'b'));
    EXPECT_EQ(builder.add(std::span{frames}.first(10)), 5U);
    EXPECT_EQ(builder.add(std::span{frames}.subspan(5), 1), 0U);
    EXPECT_EQ(builder.add(std::span{frames}.subspan(5), 2), 6U);
    EXPECT_EQ(builder.next(), 7U);
    // These frames are read directly into room().
    const Bytes more = frame(2, 'c');
    std::ranges::copy(more, builder.room().begin());
    EXPECT_EQ(builder.add(builder.room().first(more.size())), more.size());
    const auto all = messages_of(scan(builder.packet()));
    ASSERT_EQ(all.size(), 3U);
    EXPECT_EQ(all[2], (Numbered{7, from_hex("63 63")}));
}

TEST(Moldudp, EveryFaultHasANameAndASentence) {
    std::set<std::string_view> names;
    for (std::size_t i = 0; i < k_faults; ++i) {
        EXPECT_NE(text(static_cast<Fault>(i)), "unknown");
        names.insert(name(static_cast<Fault>(i)));
    }
    EXPECT_EQ(names.size(), k_faults);
    EXPECT_FALSE(names.contains("unknown"));
}

}  // namespace
}  // namespace damrak::wire::moldudp::moldudp_test
