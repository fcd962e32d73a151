// Compared with the standard library at every length and on both sides of each change of length.

#include <damrak/base/decimal_digits.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace damrak::decimal_digits_test {
namespace {

std::string text_of(std::uint64_t digits, unsigned count) {
    std::string text;
    for (unsigned i = 0; i < count; ++i)
        text += static_cast<char>((digits | k_zeros_text) >> 8 * i & 0xFF);
    return text;
}

std::string whole(std::uint64_t value) {
    std::string text;
    each_eight_digits(value, [&](std::uint64_t digits, unsigned count) {
        EXPECT_LE(count, 8U);
        text += text_of(digits, count);
    });
    return text;
}

// 0, 1, 9, 10, 11, 99, …, and the largest.
std::vector<std::uint64_t> edges() {
    std::vector<std::uint64_t> found{0, std::numeric_limits<std::uint64_t>::max()};
    for (std::uint64_t power = 1;; power *= 10) {
        for (const std::uint64_t value : {power - 1, power, power + 1}) found.push_back(value);
        if (power > std::numeric_limits<std::uint64_t>::max() / 10) return found;
    }
}

TEST(DecimalDigits, AgreeWithTheStandardLibraryAtEveryLength) {
    for (const std::uint64_t value : edges()) EXPECT_EQ(whole(value), std::to_string(value));
}

TEST(DecimalDigits, HaveLeadingZerosAtFixedLength) {
    EXPECT_EQ(text_of(eight_digits(0), 8), "00000000");
    EXPECT_EQ(text_of(eight_digits(1'203'040), 8), "01203040");
    EXPECT_EQ(text_of(eight_digits(99'999'999), 8), "99999999");
    for (std::uint32_t value = 0; value < 10'000; ++value)
        ASSERT_EQ(text_of(four_digits(value), 4), std::to_string(10'000 + value).substr(1));
}

TEST(DecimalDigits, AreCountedAtEveryLengthOf32Bits) {
    for (const std::uint64_t value : edges()) {
        if (value > std::numeric_limits<std::uint32_t>::max()) continue;
        EXPECT_EQ(digit_count(static_cast<std::uint32_t>(value)), std::to_string(value).size());
    }
    EXPECT_EQ(digit_count(std::numeric_limits<std::uint32_t>::max()), 10U);
}

TEST(DecimalDigits, OfANegativeNumberEqualThoseOfItsMagnitude) {
    EXPECT_EQ(magnitude(-17), 17U);
    EXPECT_EQ(magnitude(std::numeric_limits<std::int64_t>::min()), 9'223'372'036'854'775'808U);
    EXPECT_EQ(magnitude(std::numeric_limits<std::int64_t>::max()), 9'223'372'036'854'775'807U);
}

}  // namespace
}  // namespace damrak::decimal_digits_test
