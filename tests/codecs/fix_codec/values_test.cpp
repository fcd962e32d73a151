// The values of fields: which are exact, which are rejected, and why.
#include <damrak/fix_codec/values.hpp>

#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/detail/formats.hpp>

namespace damrak::fix_codec::values_test {
namespace {

template <class T>
::testing::AssertionResult is(const Value<T>& value, T expected) {
    if (value == Value<T>{expected}) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure()
           << (value ? "another value" : fmt::format("error {}", static_cast<int>(value.error())));
}
template <class T>
::testing::AssertionResult is(const Value<T>& value, ValueError expected) {
    if (!value && value.error() == expected) return ::testing::AssertionSuccess();
    return ::testing::AssertionFailure() << (value ? "a value" : "another error");
}

TEST(FixValues, IntegersHaveDigitsAndAnOptionalMinus) {
    EXPECT_TRUE(is(parse_integer("0"), std::int64_t{0}));
    EXPECT_TRUE(is(parse_integer("-7"), std::int64_t{-7}));
    EXPECT_TRUE(is(parse_integer("00000042"), std::int64_t{42}));
    EXPECT_TRUE(is(parse_integer("12345678"), std::int64_t{12'345'678}));
    EXPECT_TRUE(is(parse_integer("123456789"), std::int64_t{123'456'789}));
    EXPECT_TRUE(is(parse_integer("9223372036854775807"), std::int64_t{9223372036854775807}));
    EXPECT_TRUE(is(parse_integer("9223372036854775808"), ValueError::out_of_range));
    for (const std::string_view text : {"", "-", "+1", "1.0", " 1", "1 ", "0x1", "--1", "1-", ":"})
        EXPECT_TRUE(is(parse_integer(text), ValueError::wrong_format)) << text;
}

TEST(FixValues, DecimalsAreExactOrRejected) {
    EXPECT_TRUE(is(parse_decimal("10000.5", 4), std::int64_t{100'005'000}));
    EXPECT_TRUE(is(parse_decimal("10", 4), std::int64_t{100'000}));
    EXPECT_TRUE(is(parse_decimal("-0.0001", 4), std::int64_t{-1}));
    EXPECT_TRUE(is(parse_decimal(".5", 1), std::int64_t{5}));
    EXPECT_TRUE(is(parse_decimal("5.", 1), std::int64_t{50}));
    EXPECT_TRUE(is(parse_decimal("1.5000000000000", 1), std::int64_t{15}));
    EXPECT_TRUE(is(parse_decimal("123456789.25", 2), std::int64_t{12'345'678'925}));
    EXPECT_TRUE(is(parse_decimal("1.55", 1), ValueError::inexact));
    EXPECT_TRUE(is(parse_decimal("0.00001", 4), ValueError::inexact));
    EXPECT_TRUE(is(parse_decimal("922337203685477580", 4), ValueError::out_of_range));
    EXPECT_TRUE(is(parse_decimal("1", 19), ValueError::out_of_range));
    for (const std::string_view text :
         {"", ".", "-", "-.", "+1", "1..2", "1.2.3", "1e5", "1,5", "."})
        EXPECT_TRUE(is(parse_decimal(text, 4), ValueError::wrong_format)) << text;
}

// Short and long numbers take different paths: the same digits with and without leading zeros
// agree.
TEST(FixValues, DecimalsOfAnyLengthAgree) {
    for (const std::string_view text :
         {"0", "7", "1.5", "12.25", "123.456", "99999999", ".25", "8."})
        for (int digits = 0; digits < 9; ++digits)
            EXPECT_EQ(parse_decimal(text, digits),
                      parse_decimal(fmt::format("000000000{}", text), digits))
                << text << " to " << digits;
}

TEST(FixValues, TimestampsAreExactToTheNanosecond) {
    constexpr std::int64_t k_day_ns = 86'400'000'000'000;
    EXPECT_TRUE(is(parse_timestamp("19700101-00:00:00"), Timestamp{0}));
    EXPECT_TRUE(is(parse_timestamp("19700102-00:00:01.5"), Timestamp{k_day_ns + 1'500'000'000}));
    EXPECT_TRUE(
        is(parse_timestamp("20251231-18:21:36.457245600"), Timestamp{1'767'205'296'457'245'600}));
    EXPECT_TRUE(is(parse_timestamp("20240229-00:00:00.000"), Timestamp{19'782 * k_day_ns}));
    // A leap second is the first of the next minute.
    EXPECT_EQ(parse_timestamp("20161231-23:59:60"), parse_timestamp("20170101-00:00:00"));
    EXPECT_TRUE(is(parse_timestamp("99991231-00:00:00"), ValueError::out_of_range));
    for (const std::string_view text :
         {"", "20251231", "20251231-", "20251231-18:21", "20251231-18:21:36.", "20251331-00:00:00",
          "20250229-00:00:00", "20251231-24:00:00", "20251231-00:60:00", "20251231-00:00:61",
          "2025-12-31-00:00:00", "20251231 00:00:00", "20251231-00:00:00,5",
          "20251231-00:00:00.1234567890", "20251231-00:00:00Z"})
        EXPECT_TRUE(is(parse_timestamp(text), ValueError::wrong_format)) << text;
}

TEST(FixValues, LettersAndYesOrNo) {
    EXPECT_TRUE(is(parse_char("x"), 'x'));
    EXPECT_TRUE(is(parse_char("xy"), ValueError::wrong_format));
    EXPECT_TRUE(is(parse_boolean("Y"), true));
    EXPECT_TRUE(is(parse_boolean("N"), false));
    EXPECT_TRUE(is(parse_boolean("y"), ValueError::wrong_format));
}

TEST(FixFormats, MatchTheTypes) {
    EXPECT_EQ(parse_format("QTY", false), Format::decimal);
    EXPECT_EQ(parse_format("CHAR", false), Format::character);
    EXPECT_EQ(parse_format("CHAR", true), Format::text) << "of FIX.4.0 and 4.1";
    EXPECT_EQ(parse_format("WORD", false), std::nullopt);
    EXPECT_TRUE(well_formed(Format::month_year, "202512"));
    EXPECT_TRUE(well_formed(Format::month_year, "20251231"));
    EXPECT_TRUE(well_formed(Format::month_year, "202512w5"));
    EXPECT_FALSE(well_formed(Format::month_year, "202512w6"));
    EXPECT_FALSE(well_formed(Format::month_year, "202513"));
    EXPECT_TRUE(well_formed(Format::day_of_month, "31"));
    EXPECT_FALSE(well_formed(Format::day_of_month, "32"));
    EXPECT_FALSE(well_formed(Format::count, "-1"));
    EXPECT_TRUE(well_formed(Format::list, "1 6 G"));
    EXPECT_FALSE(well_formed(Format::list, "1  6"));
    EXPECT_FALSE(well_formed(Format::date, "20250230"));
    EXPECT_TRUE(well_formed(Format::timestamp, "99991231-00:00:00"));
}

}  // namespace
}  // namespace damrak::fix_codec::values_test
