// Frames of Ethernet, IPv4 and UDP as they are on the wire.
#include <damrak/net/detail/udp_frame.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "support/bytes.hpp"

namespace damrak::net::detail::udp_frame_test {
namespace {

constexpr Endpoint k_server{
    .link = {0x02, 0, 0, 0, 0, 0x01}, .address = {10, 0, 0, 1}, .port = 26'402};
constexpr Endpoint k_client{
    .link = {0x02, 0, 0, 0, 0, 0x02}, .address = {10, 0, 0, 2}, .port = 0xabcd};

using Frame = std::vector<std::byte>;

Frame frame_with(const Endpoint& from, const Endpoint& to, std::string_view payload) {
    Frame frame(k_frame_header_bytes + payload.size());
    const UdpFrameWriter writer{from};
    writer.begin(frame.data(), to);
    std::ranges::copy(std::as_bytes(std::span{payload}), frame.begin() + k_frame_header_bytes);
    frame.resize(UdpFrameWriter::finish(frame.data(), payload.size()));
    return frame;
}

Frame question() { return frame_with(k_client, k_server, "hello"); }

void put(Frame& frame, std::size_t at, std::uint8_t value) { frame[at] = std::byte{value}; }

// Makes the checksum valid, so that another fault is found.
void correct_checksum(Frame& frame) {
    store_be<std::uint16_t>(frame.data() + k_ip_checksum_at, 0);
    const auto sum = static_cast<std::uint16_t>(~sum_of_ip_header(frame.data() + k_ip_at));
    store_be(frame.data() + k_ip_checksum_at, sum);
}

const FrameRules k_rules{.self = k_server, .nobody = {0x0a000001, 0x0a0000ff}};

bool read(const Frame& frame) { return read_udp_frame(frame, k_rules).has_value(); }

/// Why the frame is rejected; `too_long` if it is accepted.
Unusable refusal(const Frame& frame, const FrameRules& rules = k_rules) {
    const auto datagram = read_udp_frame(frame, rules);
    return datagram ? Unusable::too_long : datagram.error();
}

// Computed by hand from RFC 768: the words of the pseudo header, of UDP and of "hello".
constexpr std::uint16_t k_pseudo_sum = 0x0a00 + 0x0002 + 0x0a00 + 0x0001 + 0x0011 + 0x000d;
constexpr std::uint32_t k_sum = k_pseudo_sum + 0xabcd + 0x6722 + 0x000d + 0x6865 + 0x6c6c + 0x6f00;

void put_checksum(Frame& frame, std::uint16_t value) {
    store_be(frame.data() + k_udp_at + 6, value);
}
std::uint16_t right_checksum() {
    return static_cast<std::uint16_t>(~((k_sum & 0xffff) + (k_sum >> 16)));
}

// Computed by hand from RFC 791 and RFC 768.
TEST(UdpFrame, IsWrittenByteForByte) {
    const std::array<std::uint8_t, 47> expected{
        0x02, 0,    0,    0,    0,  0x01,              // to this card
        0x02, 0,    0,    0,    0,  0x02, 0x08, 0x00,  // from that one; IPv4
        0x45, 0,    0,    33,   0,  0,    0x40, 0,     // 33 bytes; not to be cut
        64,   17,   0x26, 0xca, 10, 0,    0,    2,     // UDP; the checksum
        10,   0,    0,    1,                           //
        0xab, 0xcd, 0x67, 0x22, 0,  13,   0,    0,     // 13 bytes, no checksum
        'h',  'e',  'l',  'l',  'o'};
    const Frame frame = question();
    ASSERT_EQ(frame.size(), expected.size());
    for (std::size_t i = 0; i < frame.size(); ++i)
        EXPECT_EQ(std::to_integer<int>(frame[i]), expected[i]) << "byte " << i;
}

TEST(UdpFrame, CarriesAreAddedAtTheEnd) {
    // A header including its checksum sums to all ones.
    const auto header =
        damrak::testing::from_hex("4500 0073 0000 4000 4011 b861 c0a8 0001 c0a8 00c7");
    EXPECT_EQ(sum_of_ip_header(header.data()), 0xffff);
    // The carry causes another one.
    const auto twice =
        damrak::testing::from_hex("ffff ffff 0001 0000 0000 0000 0000 0000 0000 0000");
    EXPECT_EQ(sum_of_ip_header(twice.data()), 1);
}

TEST(UdpFrame, IsReadAsItWasWritten) {
    const Frame frame = question();
    const auto datagram = read_udp_frame(frame, k_rules);
    ASSERT_TRUE(datagram);
    EXPECT_EQ(datagram->source, k_client);
    EXPECT_EQ(datagram->source.link, k_client.link);
    EXPECT_EQ(datagram->bytes.size(), 5U);
    EXPECT_EQ(datagram->bytes.data(), frame.data() + k_frame_header_bytes);
}

TEST(UdpFrame, PaddingOfAShortFrameIsNotPartOfTheDatagram) {
    Frame frame = question();
    frame.resize(60, std::byte{0xff});
    const auto datagram = read_udp_frame(frame, k_rules);
    ASSERT_TRUE(datagram);
    EXPECT_EQ(datagram->bytes.size(), 5U);
}

TEST(UdpFrame, AWrongUdpChecksumIsRejectedUnlessTheCardChecksIt) {
    Frame frame = question();
    put_checksum(frame, right_checksum());
    EXPECT_TRUE(read(frame));
    put_checksum(frame, right_checksum() + 1);
    EXPECT_EQ(refusal(frame), Unusable::checksum);
    EXPECT_EQ(refusal(frame, {.self = k_server, .verify_checksum = false}), Unusable::too_long);
    put_checksum(frame, 0);
    EXPECT_TRUE(read(frame)) << "there is none";
}

TEST(UdpFrame, AnyWrongBitIsFoundByTheChecksum) {
    Frame right = question();
    put_checksum(right, right_checksum());
    for (std::size_t at = k_udp_at; at < right.size(); ++at) {
        if (at == k_udp_target_at || at == k_udp_target_at + 1) continue;  // not to us
        if (at == k_udp_length_at || at == k_udp_length_at + 1) continue;  // lengths disagree
        for (unsigned bit = 0; bit < 8; ++bit) {
            Frame frame = right;
            frame[at] ^= std::byte{1} << bit;
            EXPECT_EQ(refusal(frame), Unusable::checksum) << at << ", bit " << bit;
        }
    }
}

// Local senders leave the checksum to the card; a virtual card never completes it.
TEST(UdpFrame, AnIncompleteChecksumIsAcceptedIfAllowed) {
    Frame frame = question();
    put_checksum(frame, k_pseudo_sum);
    EXPECT_EQ(refusal(frame), Unusable::checksum);
    FrameRules rules = k_rules;
    rules.begun_checksum = true;
    EXPECT_EQ(refusal(frame, rules), Unusable::too_long);
    put_checksum(frame, k_pseudo_sum + 1);
    EXPECT_EQ(refusal(frame, rules), Unusable::checksum);
}

TEST(UdpFrame, ImpossibleSourcesAreRejected) {
    using Address = std::array<std::uint8_t, 4>;
    const auto from = [](const Address& address) {
        return refusal(frame_with({.address = address, .port = 1}, k_server, "hello"));
    };
    for (const Address& address :
         {Address{0, 0, 0, 0}, Address{0, 1, 2, 3}, Address{127, 0, 0, 1}, Address{224, 0, 0, 1},
          Address{239, 255, 255, 255}, Address{255, 255, 255, 255}, Address{10, 0, 0, 1},
          Address{10, 0, 0, 255}})
        EXPECT_EQ(from(address), Unusable::source) << int{address[0]} << "." << int{address[3]};
    for (const Address& address : {Address{10, 0, 0, 2}, Address{1, 0, 0, 0}, Address{128, 0, 0, 1},
                                   Address{223, 255, 255, 255}, Address{240, 0, 0, 1}})
        EXPECT_EQ(from(address), Unusable::too_long) << int{address[0]} << "." << int{address[3]};
}

TEST(UdpFrame, TruncatedFramesAreRejected) {
    const Frame whole = question();
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_FALSE(read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length)}))
            << length;
}

TEST(UdpFrame, OtherFramesAreRejected) {
    struct Case {
        const char* what;
        std::size_t at;
        std::uint8_t value;
    };
    for (const Case& one :
         {Case{"another protocol of Ethernet", k_ethertype_at + 1, 0x06},
          Case{"options", k_ip_at, 0x46}, Case{"version 6", k_ip_at, 0x65},
          Case{"a first fragment", k_ip_fragment_at, 0x20},
          Case{"a later fragment", k_ip_fragment_at + 1, 0x01}, Case{"TCP", k_ip_protocol_at, 6},
          Case{"to another address", k_ip_target_at + 3, 9},
          Case{"to another port", k_udp_target_at, 0},
          Case{"an IP length that is too short", k_ip_length_at + 1, 32},
          Case{"an IP length that is too long", k_ip_length_at + 1, 34},
          Case{"a UDP length that is too short", k_udp_length_at + 1, 7},
          Case{"a UDP length that is too long", k_udp_length_at + 1, 14}}) {
        Frame frame = question();
        put(frame, one.at, one.value);
        correct_checksum(frame);
        EXPECT_FALSE(read(frame)) << one.what;
    }
    Frame frame = question();
    put(frame, k_ip_ttl_at, 63);
    EXPECT_FALSE(read(frame)) << "a wrong checksum";
    correct_checksum(frame);
    EXPECT_TRUE(read(frame));
}

TEST(UdpFrame, AnyBytesAreReadOrRefused) {
    EXPECT_TRUE(rc::check("any change of a few bytes", [](const std::vector<std::uint8_t>& noise) {
        Frame frame = question();
        for (std::size_t i = 0; i + 1 < noise.size(); i += 2)
            put(frame, noise[i] % frame.size(), noise[i + 1]);
        const auto datagram = read_udp_frame(frame, k_rules);
        if (datagram) RC_ASSERT(datagram->bytes.size() == 5U);
    }));
}

}  // namespace
}  // namespace damrak::net::detail::udp_frame_test
