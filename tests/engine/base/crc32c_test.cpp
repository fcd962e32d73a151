// The checksum against its published check values, and the instruction against the definition.
#include <damrak/base/crc32c.hpp>

#include <array>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::crc32c_test {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
    return std::as_bytes(std::span{text});
}

// The remainder of the division by the polynomial, bit by bit.
std::uint32_t by_definition(std::span<const std::byte> bytes, std::uint32_t before = 0) {
    std::uint32_t state = ~before;
    for (const std::byte byte : bytes) {
        state ^= static_cast<std::uint32_t>(byte);
        for (int bit = 0; bit < 8; ++bit)
            state = state >> 1U ^ ((state & 1U) != 0 ? 0x82F63B78U : 0);
    }
    return ~state;
}

TEST(Crc32c, GivesTheCheckValueOfTheCatalogue) {
    EXPECT_EQ(crc32c(bytes_of("123456789")), 0xE3069283U);
    EXPECT_EQ(by_definition(bytes_of("123456789")), 0xE3069283U);
}

TEST(Crc32c, GivesTheValuesOfTheIscsiStandard) {
    std::vector<std::byte> bytes(32);
    EXPECT_EQ(crc32c(bytes), 0x8A9136AAU);  // 32 bytes of zeros
    bytes.assign(32, std::byte{0xFF});
    EXPECT_EQ(crc32c(bytes), 0x62A8AB43U);
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::byte>(i);
    EXPECT_EQ(crc32c(bytes), 0x46DD794EU);
}

TEST(Crc32c, OfNothingIsZero) { EXPECT_EQ(crc32c({}), 0U); }

TEST(Crc32c, InstructionAndDefinitionAgreeOnEveryLengthAndAlignment) {
    RandomStream random{7};
    std::vector<std::byte> bytes(420);  // two rounds of three lanes, and a rest
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.below(256));
    for (std::size_t from = 0; from < 9; ++from)
        for (std::size_t length = 0; from + length <= bytes.size(); ++length) {
            const auto part = std::span{bytes}.subspan(from, length);
            ASSERT_EQ(crc32c(part), by_definition(part)) << from << " " << length;
        }
}

TEST(Crc32c, OfTwoPartsIsThatOfTheWhole) {
    const auto whole = bytes_of("price-time priority and conservation");
    for (std::size_t cut = 0; cut <= whole.size(); ++cut) {
        const std::uint32_t first = crc32c(whole.first(cut));
        EXPECT_EQ(crc32c(whole.subspan(cut), first), crc32c(whole));
        EXPECT_EQ(by_definition(whole.subspan(cut), first), crc32c(whole));
    }
}

TEST(Crc32c, ByStepsIsTheSame) {
    const std::uint64_t word = 0x0123456789ABCDEF;
    const std::uint32_t half = 0x76543210;
    std::uint64_t state = crc32c_step(k_crc32c_start, half);
    state = crc32c_step(state, word);
    std::array<std::byte, 12> bytes{};
    std::memcpy(bytes.data(), &half, sizeof half);
    std::memcpy(bytes.data() + sizeof half, &word, sizeof word);
    EXPECT_EQ(crc32c_finish(state), crc32c(bytes));
}

}  // namespace
}  // namespace damrak::crc32c_test
