// Output of the encoder, byte for byte; the decoder must read it back.
#include <damrak/fix_codec/encode.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/fix_codec/decode.hpp>

#include "support/fix_text.hpp"

namespace damrak::fix_codec::encode_test {
namespace {

constexpr Timestamp k_new_years_eve{1'767'205'296'457'245'600};

std::string with_bars(std::span<const char> message) {
    return testing::with_bars({message.data(), message.size()});
}

class EncodeTest : public ::testing::Test {
  protected:
    MessageWriter writer(std::size_t bytes = 4'096) {
        memory_.assign(bytes + k_guard, '#');
        return MessageWriter{std::span{memory_}.first(bytes), times_};
    }
    [[nodiscard]] bool stayed_inside() const {
        return std::ranges::all_of(std::span{memory_}.last(k_guard),
                                   [](char c) { return c == '#'; });
    }
    /// Text between MsgType and CheckSum after `put(writer)`.
    template <class F>
    std::string fields(F&& put) {
        MessageWriter made = writer();
        made.begin(BeginString::fix44, "0");
        put(made);
        const std::string text = with_bars(made.finish());
        const std::size_t begin = text.find("|35=0|") + 6;
        return text.substr(begin, text.rfind("10=") - begin);
    }

    static constexpr std::size_t k_guard = 64;
    std::vector<char> memory_;
    TimestampCache times_;
};

TEST_F(EncodeTest, AMessageOfEachVersionHasItsLengthAndChecksum) {
    MessageWriter made = writer();
    made.begin(BeginString::fix42, "0");
    made.put(tag::sender_comp_id, "A").put(tag::target_comp_id, "B").put(tag::msg_seq_num, 1);
    // 5+5+5+5 bytes after 9=; the checksum was computed independently.
    EXPECT_EQ(with_bars(made.finish()), "8=FIX.4.2|9=20|35=0|49=A|56=B|34=1|10=123|");
    Decoder decoder;
    Message message;
    for (const auto version : {BeginString::fix40, BeginString::fix41, BeginString::fix42,
                               BeginString::fix43, BeginString::fix44, BeginString::fixt11}) {
        made.begin(version, "AE");
        made.put(tag::text, "x");
        const auto bytes = made.finish();
        ASSERT_EQ(decoder.scan(bytes, message).status, Scan::Status::message) << text(version);
        EXPECT_EQ(message.begin_string(), version);
        EXPECT_EQ(message.msg_type(), "AE");
    }
}

TEST_F(EncodeTest, WholeNumbersOfEveryLengthAreWrittenWithoutLeadingZeros) {
    EXPECT_EQ(fields([](auto& w) { w.put(34, 0).put(34, 7).put(34, -7).put(34, 10U); }),
              "34=0|34=7|34=-7|34=10|");
    EXPECT_EQ(fields([](auto& w) { w.put(34, INT64_MIN).put(34, INT64_MAX).put(34, UINT64_MAX); }),
              "34=-9223372036854775808|34=9223372036854775807|34=18446744073709551615|");
    std::uint64_t power = 1;
    for (int digits = 1; digits < 20; ++digits, power *= 10) {
        for (const std::uint64_t value : {power, power * 10 - 1, power + power / 7}) {
            EXPECT_EQ(fields([&](auto& w) { w.put(34, value); }),
                      "34=" + std::to_string(value) + "|");
        }
    }
}

TEST_F(EncodeTest, DecimalsAreExactWithoutTrailingZeros) {
    const auto decimal = [&](std::int64_t count, unsigned digits) {
        return fields([&](auto& w) { w.put_decimal(44, count, digits); });
    };
    EXPECT_EQ(decimal(100'000'000, 4), "44=10000|");
    EXPECT_EQ(decimal(1'002'500, 4), "44=100.25|");
    EXPECT_EQ(decimal(5, 4), "44=0.0005|");
    EXPECT_EQ(decimal(-5, 4), "44=-0.0005|");
    EXPECT_EQ(decimal(0, 4), "44=0|");
    EXPECT_EQ(decimal(42, 0), "44=42|");
    EXPECT_EQ(decimal(123'456'789'012'345'678, 18), "44=0.123456789012345678|");
    EXPECT_EQ(decimal(1'000'000'000'000'000'000, 18), "44=1|");
    EXPECT_EQ(decimal(1'000'000'000'000'000'001, 18), "44=1.000000000000000001|");
    EXPECT_EQ(decimal(INT64_MIN, 9), "44=-9223372036.854775808|");
}

/// A price by the plain algorithm.
std::string plain_decimal(std::int64_t count, unsigned digits) {
    std::string text = std::to_string(count);
    if (text.size() <= digits) text.insert(0, digits + 1 - text.size(), '0');
    std::string fraction = text.substr(text.size() - digits);
    while (fraction.ends_with('0')) fraction.pop_back();
    text.resize(text.size() - digits);
    return "44=" + text + (fraction.empty() ? "" : "." + fraction) + "|";
}

TEST_F(EncodeTest, EveryFractionOfAPriceIsWrittenWithoutTrailingZeros) {
    const auto written = [&](std::int64_t count, unsigned digits) {
        return fields([&](auto& w) { w.put_decimal(44, count, digits); });
    };
    for (std::int64_t i = 0; i < 10'000; ++i) {
        ASSERT_EQ(written(120'000 + i, 4), plain_decimal(120'000 + i, 4));
        ASSERT_EQ(written(i, 2), plain_decimal(i, 2));
        ASSERT_EQ(written(i * 37, 6), plain_decimal(i * 37, 6));
    }
}

TEST_F(EncodeTest, PricesOfEveryLengthAndPrecisionKeepTheirChecksum) {
    Decoder decoder;
    Message message;
    for (unsigned digits = 0; digits <= 12; ++digits) {
        std::int64_t power = 1;
        for (int length = 1; length < 19; ++length, power *= 10)
            for (const std::int64_t count :
                 {power - 1, power, power + 1, power * 10 - power / 10}) {
                MessageWriter made = writer();
                made.begin(BeginString::fix44, "0");
                const auto bytes = made.put_decimal(44, count, digits).put(58, "x").finish();
                EXPECT_NE(with_bars(bytes).find("|" + plain_decimal(count, digits) + "58=x|"),
                          std::string::npos)
                    << with_bars(bytes) << " for " << count << " of " << digits;
                EXPECT_EQ(decoder.scan(bytes, message).status, Scan::Status::message)
                    << with_bars(bytes);
            }
    }
}

TEST_F(EncodeTest, NumbersOfEachLengthAreComplete) {
    const auto written = [&](std::uint64_t number) {
        return fields([&](auto& w) { w.put(38, number); });
    };
    std::uint64_t power = 1;
    for (int digits = 1; digits < 20; ++digits, power *= 10)
        for (const std::uint64_t number : {power - 1, power, power + 1, 9 * power})
            ASSERT_EQ(written(number), "38=" + std::to_string(number) + "|");
    EXPECT_EQ(written(UINT64_MAX), "38=18446744073709551615|");
}

TEST_F(EncodeTest, EveryNumberUpToFiveDigitsIsWrittenWithItsChecksum) {
    Decoder decoder;
    Message message;
    for (std::uint32_t number = 0; number <= 11'000; ++number) {
        MessageWriter made = writer(256);
        made.begin(BeginString::fix44, "0");
        made.put(tag::order_qty, number);
        const auto bytes = made.finish();
        // A wrong checksum would be garbled.
        ASSERT_EQ(decoder.scan(bytes, message).status, Scan::Status::message) << number;
        ASSERT_EQ(message.text_or_empty(tag::order_qty), std::to_string(number));
    }
}

TEST_F(EncodeTest, TwoNumbersFormOneIdentifier) {
    const auto written = [&](std::uint64_t first, std::uint32_t second) {
        return fields([&](auto& w) { w.put_pair(17, first, second); });
    };
    EXPECT_EQ(written(1'042, 3), "17=1042-3|");
    EXPECT_EQ(written(1'042, 9), "17=1042-9|");
    EXPECT_EQ(written(1'042, 10), "17=1042-10|");
    EXPECT_EQ(written(UINT64_MAX, UINT32_MAX), "17=18446744073709551615-4294967295|");
}

TEST_F(EncodeTest, TimesAreWrittenInFourPrecisions) {
    const auto time = [&](Timestamp value, TimePrecision precision) {
        return fields([&](auto& w) { w.put_timestamp(52, value, precision); });
    };
    EXPECT_EQ(time(k_new_years_eve, TimePrecision::seconds), "52=20251231-18:21:36|");
    EXPECT_EQ(time(k_new_years_eve, TimePrecision::milliseconds), "52=20251231-18:21:36.457|");
    EXPECT_EQ(time(k_new_years_eve, TimePrecision::microseconds), "52=20251231-18:21:36.457245|");
    EXPECT_EQ(time(k_new_years_eve, TimePrecision::nanoseconds), "52=20251231-18:21:36.457245600|");
    EXPECT_EQ(time({0}, TimePrecision::nanoseconds), "52=19700101-00:00:00.000000000|");
    EXPECT_EQ(time({-1}, TimePrecision::nanoseconds), "52=19691231-23:59:59.999999999|");
    EXPECT_EQ(time({INT64_MAX}, TimePrecision::nanoseconds), "52=22620411-23:47:16.854775807|");
    EXPECT_EQ(time({1}, TimePrecision::nanoseconds), "52=19700101-00:00:00.000000001|");
    EXPECT_EQ(time({INT64_MIN}, TimePrecision::nanoseconds), "52=16770921-00:12:43.145224192|");
}

TEST_F(EncodeTest, ARepeatedTimeIsTheSameInEachPrecision) {
    Decoder decoder;
    Message message;
    const auto told = [&](std::initializer_list<TimePrecision> precisions, Timestamp time) {
        times_ = {};
        MessageWriter made = writer();
        made.begin(BeginString::fix44, "0");
        for (const TimePrecision precision : precisions) made.put_timestamp(60, time, precision);
        const auto bytes = made.finish();
        EXPECT_EQ(decoder.scan(bytes, message).status, Scan::Status::message) << with_bars(bytes);
        std::string all;
        for (const Field& field : message.fields())
            if (field.tag == 60) (all += message.value(field)) += '|';
        return all;
    };
    using enum TimePrecision;
    EXPECT_EQ(told({nanoseconds, nanoseconds, milliseconds, milliseconds}, k_new_years_eve),
              "20251231-18:21:36.457245600|20251231-18:21:36.457245600|"
              "20251231-18:21:36.457|20251231-18:21:36.457|");
    EXPECT_EQ(told({seconds, microseconds, microseconds, seconds, seconds}, k_new_years_eve),
              "20251231-18:21:36|20251231-18:21:36.457245|20251231-18:21:36.457245|"
              "20251231-18:21:36|20251231-18:21:36|");
    EXPECT_EQ(told({seconds, nanoseconds}, {0}), "19700101-00:00:00|19700101-00:00:00.000000000|");
}

TEST_F(EncodeTest, TheCachedSecondChangesInBothDirections) {
    constexpr std::int64_t k_second = 1'000'000'000;
    EXPECT_EQ(fields([](auto& w) {
                  for (const std::int64_t at :
                       {k_second, 2 * k_second - 1, 2 * k_second, k_second + 5, std::int64_t{0}})
                      w.put_timestamp(60, {at}, TimePrecision::nanoseconds);
              }),
              "60=19700101-00:00:01.000000000|60=19700101-00:00:01.999999999|"
              "60=19700101-00:00:02.000000000|60=19700101-00:00:01.000000005|"
              "60=19700101-00:00:00.000000000|");
}

TEST_F(EncodeTest, TextsOfEveryLengthKeepTheirChecksum) {
    Decoder decoder;
    Message message;
    for (std::size_t length = 1; length < 100; ++length) {
        std::string text(length, '\0');
        for (std::size_t i = 0; i < length; ++i) text[i] = static_cast<char>('\x7F' + i);
        MessageWriter made = writer();
        made.begin(BeginString::fix44, "B");
        made.put(tag::text, text);
        ASSERT_EQ(decoder.scan(made.finish(), message).status, Scan::Status::message) << length;
        EXPECT_EQ(message.text_or_empty(tag::text), text);
    }
}

TEST_F(EncodeTest, TagsOfEveryLengthFlagsAndRawDataAreWritten) {
    EXPECT_EQ(fields([](auto& w) {
                  w.put(1, "a").put(58, "").put(2'047, "b").put(2'048, "c").put(99'999, "d");
              }),
              "1=a|58=|2047=b|2048=c|99999=d|");
    EXPECT_EQ(fields([](auto& w) { w.put_char(54, '1').put_bool(43, true).put_bool(43, false); }),
              "54=1|43=Y|43=N|");
    EXPECT_EQ(fields([](auto& w) { w.put_data(95, 96, std::string_view{"a\x01|b", 4}); }),
              "95=4|96=a||b|");
}

TEST_F(EncodeTest, AMessageThatDoesNotFitIsEmptyAndStaysWithinTheMemory) {
    bool fitted_before = false;
    for (std::size_t bytes = 0; bytes < 300; ++bytes) {
        MessageWriter made = writer(bytes);
        made.begin(BeginString::fixt11, "D");
        made.put(tag::cl_ord_id, "order-1").put(tag::msg_seq_num, 123).put(55, "NOKIA.HE");
        made.put_timestamp(52, k_new_years_eve, TimePrecision::nanoseconds);
        const auto message = made.finish();
        EXPECT_TRUE(stayed_inside()) << bytes;
        EXPECT_FALSE(fitted_before && message.empty()) << bytes;
        fitted_before = !message.empty();
    }
    EXPECT_TRUE(fitted_before);
}

TEST_F(EncodeTest, AWriterThatOverflowedCanBeginANewMessage) {
    MessageWriter made = writer(160);
    made.begin(BeginString::fix44, "B");
    made.put(tag::text, std::string(200, 'x')).put(tag::text, "short");
    EXPECT_TRUE(made.finish().empty());
    made.begin(BeginString::fix44, "0");
    EXPECT_EQ(with_bars(made.finish()), "8=FIX.4.4|9=5|35=0|10=163|");
}

}  // namespace
}  // namespace damrak::fix_codec::encode_test
