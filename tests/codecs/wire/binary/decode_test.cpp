// Any bytes are a frame, need more, or a named fault.
#include <damrak/wire/binary/decode.hpp>

#include <limits>
#include <set>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <damrak/wire/binary/encode.hpp>

#include "support/bytes.hpp"

namespace damrak::wire::binary::decode_test {
namespace {

using damrak::testing::Bytes;
using damrak::testing::from_hex;

const Bytes k_logout = from_hex("04010008 00000006 00000005 00000000 00000000 00000001");

Fault fault_of(std::string_view hex) {
    const Bytes bytes = from_hex(hex);
    const Scan found = scan(bytes);
    if (found.fault != Fault::none) return found.fault;
    const auto decoded = decode(found.header, std::span{bytes}.subspan(k_header_length));
    return decoded ? Fault::none : decoded.error().fault;
}

TEST(BinaryScan, NeedsMoreUntilTheLastByteOfTheFrame) {
    for (std::size_t length = 0; length < k_logout.size(); ++length) {
        const Scan found = scan(std::span{k_logout}.first(length));
        EXPECT_FALSE(found.complete) << length;
        EXPECT_EQ(found.fault, Fault::none) << length;
    }
    EXPECT_TRUE(scan(k_logout).complete);
}

TEST(BinaryScan, SeesOneFrameWhenAnotherFollows) {
    Bytes two = k_logout;
    damrak::testing::append(two, k_logout);
    EXPECT_EQ(scan(two).frame_length(), k_logout.size());
}

TEST(BinaryScan, RejectsOtherVersionsOnceTheHeaderIsComplete) {
    for (unsigned version = 0; version < 256; ++version) {
        Bytes bytes = k_logout;
        bytes[k_version_offset] = static_cast<std::byte>(version);
        EXPECT_EQ(scan(bytes).fault == Fault::unknown_version, version != 1 && version != 2);
        EXPECT_EQ(scan(std::span{bytes}.first(k_header_length - 1)).fault, Fault::none);
    }
}

TEST(BinaryScan, RefusesAPayloadLongerThanAnyMessage) {
    EXPECT_EQ(fault_of("040103f1 00000006 00000005 00000000"), Fault::payload_too_long);
    EXPECT_EQ(fault_of("0401ffff 00000006 00000005 00000000"), Fault::payload_too_long);
    const Bytes longest = from_hex("040103f0 00000006 00000005 00000000");
    EXPECT_EQ(scan(longest).fault, Fault::none);
    EXPECT_EQ(scan(longest).frame_length(), k_max_frame_length);
}

TEST(BinaryDecode, IgnoresTheTailOfALongerPayload) {
    EXPECT_EQ(fault_of("0401000c 00000006 00000005 00000000 00000000 00000001 ffffffff"),
              Fault::none);
}

TEST(BinaryDecode, RejectsAShorterPayloadAndSaysWhatIsExpected) {
    const Bytes bytes = from_hex("04010007 00000006 00000005 00000000 00000000 000000");
    const auto decoded = decode(scan(bytes).header, std::span{bytes}.subspan(k_header_length));
    ASSERT_FALSE(decoded.has_value());
    EXPECT_EQ(decoded.error().fault, Fault::payload_too_short);
    EXPECT_EQ(describe(decoded.error()), "a payload of 7 bytes, where type 4 of version 1 has 8");
}

TEST(BinaryDecode, HasTheMessagesOfEachVersionAndNoOthers) {
    const auto types_of = [](unsigned version) {
        std::set<int> types;
        Bytes bytes(k_header_length + 64);
        for (int type = 0; type < 256; ++type) {
            bytes[k_type_offset] = static_cast<std::byte>(type);
            bytes[k_version_offset] = static_cast<std::byte>(version);
            bytes[k_payload_length_offset + 1] = std::byte{64};
            const auto decoded = decode(scan(bytes).header, std::span{bytes}.subspan(16));
            if (decoded)
                types.insert(type);
            else
                EXPECT_EQ(decoded.error().fault, Fault::unknown_type);
        }
        return types;
    };
    EXPECT_EQ(types_of(1), (std::set{1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 20, 100}));
    EXPECT_EQ(types_of(2),
              (std::set{1, 2, 3, 4, 10, 11, 12, 13, 14, 15, 16, 30, 31, 32, 33, 34, 35, 100}));
}

TEST(BinaryDecode, DescribesEveryFault) {
    EXPECT_EQ(describe({.fault = Fault::unknown_version, .header = {.version = Version{7}}}),
              "version byte 7 where 1 or 2 was expected");
    EXPECT_EQ(
        describe({.fault = Fault::unknown_type, .header = {.type = 9, .version = Version::v2}}),
        "version 2 has no message of type 9");
    EXPECT_EQ(describe({.fault = Fault::payload_too_long, .header = {.payload_length = 2'000}}),
              "a payload of 2000 bytes, where at most 1008 are allowed");
}

TEST(BinaryPrice, CountsHundredthsAndIsRejectedOutOfRange) {
    EXPECT_EQ(price_of(10'123), Price{1'012'300});
    EXPECT_EQ(price_e2_of(Price{1'012'300}), 10'123U);
    constexpr std::uint64_t k_largest = std::numeric_limits<std::int64_t>::max() / 100;
    EXPECT_TRUE(price_of(k_largest).has_value());
    EXPECT_FALSE(price_of(k_largest + 1).has_value());
    EXPECT_FALSE(price_of(~std::uint64_t{0}).has_value()) << "version 1 would read -1";
}

TEST(BinaryQuantity, IsRejectedOutOfRange) {
    EXPECT_EQ(quantity_of(5), Quantity{5});
    EXPECT_TRUE(quantity_of(std::uint64_t{1} << 62).has_value());
    EXPECT_FALSE(quantity_of(std::uint64_t{1} << 63).has_value());
}

}  // namespace
}  // namespace damrak::wire::binary::decode_test
