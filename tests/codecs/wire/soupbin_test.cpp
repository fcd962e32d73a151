// SoupBinTCP packets: the bytes of the specification, and invalid ones.
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/soupbin/packets.hpp>

namespace damrak::wire::soupbin::soupbin_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}
std::string text_of(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}
using Memory = std::array<std::byte, 128>;

}  // namespace

TEST(SoupBinPacket, HeartbeatsAreThreeBytes) {
    Memory memory{};
    const std::size_t length = encode(PacketType::server_heartbeat, memory);
    EXPECT_EQ(text_of(std::span{memory}.first(length)), (std::string{"\0\1H", 3}));
}

TEST(SoupBinPacket, LoginRequestIsPaddedText) {
    Memory memory{};
    const std::size_t length = encode_login_request("user", "pass", "2026112300", 17, memory);
    const auto bytes = std::span<const std::byte>{memory}.first(length);
    EXPECT_EQ(text_of(bytes),
              (std::string{"\0\x2FL", 3} + "user  pass      2026112300                  17"));
    const auto packet = decode(bytes);
    ASSERT_TRUE(packet);
    EXPECT_EQ(packet->type, PacketType::login_request);
    EXPECT_EQ(packet->bytes, length);
    const auto request = decode_login_request(packet->payload);
    ASSERT_TRUE(request);
    EXPECT_EQ(request->user_text(), "user");
    EXPECT_EQ(request->password_text(), "pass");
    EXPECT_EQ(request->session_text(), "2026112300");
    EXPECT_EQ(request->sequence, 17U);
}

TEST(SoupBinPacket, LoginAcceptedHasTheSessionAndTheNextNumber) {
    Memory memory{};
    const std::size_t length = encode_login_accepted("S1", 1, memory);
    EXPECT_EQ(text_of(std::span{memory}.first(length)),
              (std::string{"\0\x1F", 2} + "A        S1                   1"));
    const auto accepted =
        decode_login_accepted(std::span<const std::byte>{memory}.subspan(3, length - 3));
    ASSERT_TRUE(accepted);
    EXPECT_EQ(accepted->sequence, 1U);
}

TEST(SoupBinPacket, LoginRejectedSaysWhy) {
    Memory memory{};
    const std::size_t length = encode_login_rejected(RejectReason::session_not_available, memory);
    EXPECT_EQ(text_of(std::span{memory}.first(length)), (std::string{"\0\2JS", 4}));
    EXPECT_EQ(decode_login_rejected(bytes_of("A")), RejectReason::not_authorized);
    EXPECT_EQ(decode_login_rejected(bytes_of("B")).error(), Fault::reject_reason);
}

TEST(SoupBinPacket, DataIsArbitrary) {
    Memory memory{};
    const std::size_t length = encode(PacketType::sequenced_data, bytes_of("abc"), memory);
    EXPECT_EQ(text_of(std::span{memory}.first(length)), (std::string{"\0\4Sabc", 6}));
}

TEST(SoupBinPacket, AnIncompletePacketNeedsMore) {
    const std::string whole{"\0\4Sabc", 6};
    for (std::size_t length = 0; length < whole.size(); ++length)
        EXPECT_EQ(decode(bytes_of(whole).first(length))->bytes, 0U);
    EXPECT_EQ(decode(bytes_of(whole + "more"))->bytes, 6U);
}

TEST(SoupBinPacket, FaultsAreNamed) {
    EXPECT_EQ(decode(bytes_of(std::string{"\0\0", 2})).error(), Fault::empty_packet);
    EXPECT_EQ(decode_login_request(bytes_of("short")).error(), Fault::payload_length);
    std::string request(46, ' ');
    EXPECT_EQ(decode_login_request(bytes_of(request)).error(), Fault::sequence) << "no number";
    request.replace(26, 2, "-1");
    EXPECT_EQ(decode_login_request(bytes_of(request)).error(), Fault::sequence);
    request.replace(26, 20, "18446744073709551616");
    EXPECT_EQ(decode_login_request(bytes_of(request)).error(), Fault::sequence) << "too large";
    request.replace(26, 20, "00000000000000000007");
    EXPECT_EQ(decode_login_request(bytes_of(request))->sequence, 7U);
    request[3] = '\x07';
    EXPECT_EQ(decode_login_request(bytes_of(request)).error(), Fault::characters);
    request[3] = ' ';
    request[16] = '\x07';
    EXPECT_EQ(decode_login_request(bytes_of(request)).error(), Fault::session);
    for (int fault = 0; fault <= static_cast<int>(Fault::reject_reason); ++fault)
        EXPECT_NE(text(static_cast<Fault>(fault)), "unknown fault");
}

}  // namespace damrak::wire::soupbin::soupbin_test
