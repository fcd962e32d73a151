// Prices as text: exact in both directions, with the decimals of the instrument.
#include <damrak/domain/price_text.hpp>

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <system_error>

#include <gtest/gtest.h>

namespace damrak::price_text_test {
namespace {

constexpr std::int64_t k_largest = std::numeric_limits<std::int64_t>::max();

InstrumentDefinition with_decimals(unsigned decimals) {
    return {.price_decimals = static_cast<std::uint8_t>(decimals)};
}

TEST(PriceText, HasAsManyDecimalsAsItNeedsButTwoWhereThereAreTwo) {
    const InstrumentDefinition stock = with_decimals(4);
    EXPECT_EQ(price_text(Price{100'100}, stock), "10.01");
    EXPECT_EQ(price_text(Price{100'000}, stock), "10.00");
    EXPECT_EQ(price_text(Price{100'050}, stock), "10.005");
    EXPECT_EQ(price_text(Price{1}, stock), "0.0001");
    EXPECT_EQ(price_text(Price{0}, stock), "0.00");
    EXPECT_EQ(price_text(Price{-12'500}, stock), "-1.25");
    EXPECT_EQ(price_text(Price{1'013}, with_decimals(1)), "101.3");
    EXPECT_EQ(price_text(Price{1'013}, with_decimals(0)), "1013");
    EXPECT_EQ(price_text(Price{std::numeric_limits<std::int64_t>::min()}, stock),
              "-922337203685477.5808");
}

TEST(PriceText, IsReadBackExactly) {
    for (const unsigned decimals : {0U, 1U, 2U, 4U, 9U})
        for (const std::int64_t units : {-k_largest, -100'050L, -1L, 0L, 7L, 1'000L, k_largest}) {
            const InstrumentDefinition in = with_decimals(decimals);
            EXPECT_EQ(parse_price(price_text(Price{units}, in), in), Price{units});
        }
}

TEST(PriceText, MayLeaveOutDecimals) {
    const InstrumentDefinition stock = with_decimals(4);
    EXPECT_EQ(parse_price("10", stock), Price{100'000});
    EXPECT_EQ(parse_price("10.5", stock), Price{105'000});
    EXPECT_EQ(parse_price("-0.5", stock), Price{-5'000});
}

TEST(PriceText, IsRefusedIfItIsNoNumberWithTheDecimalsOfTheInstrument) {
    for (const std::string_view text : {"", "-", ".", ".5", "-.5", "10.", "10.00001", "1e3", "+1",
                                        " 1", "1 ", "1,000", "1.-5", "10.0.1", "nan"})
        EXPECT_EQ(parse_price(text, with_decimals(4)), std::nullopt) << text;
    EXPECT_EQ(parse_price("10.0", with_decimals(0)), std::nullopt);
}

TEST(PriceText, OutOfRangeIsAnErrorOfItsOwn) {
    EXPECT_EQ(parse_decimal("922337203685477.5807", 4), k_largest);
    EXPECT_EQ(parse_decimal("922337203685477.5808", 4).error(), std::errc::result_out_of_range);
    EXPECT_EQ(parse_decimal("-922337203685477.5808", 4).error(), std::errc::result_out_of_range);
    EXPECT_EQ(parse_decimal("x", 4).error(), std::errc::invalid_argument);
}

}  // namespace
}  // namespace damrak::price_text_test
