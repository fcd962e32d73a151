// The description of a market is a market file of the same market, whatever its names are.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/market_runs/market_file.hpp>

namespace damrak::market_runs::described_market_test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

MarketFile read(std::string_view text) {
    const auto file = parse_market_file(text, "market.toml");
    EXPECT_TRUE(file) << file.error() << text;
    return file.value_or(MarketFile{});
}

MarketFile again(const MarketFile& file) {
    const MarketFile second = read(describe(file));
    EXPECT_EQ(describe(second), describe(file));
    EXPECT_EQ(identity_of(second), identity_of(file));
    return second;
}

TEST(DescribedMarket, KeepsNamesAsTheyAre) {
    const MarketFile file = again(read(R"(
[[place]]
name = "co\"lo"
median = "5us"
[[instrument]]
symbol = "A\"\\"
[[instrument]]
symbol = "B"
basket = ["A\"\\"]
[[participants]]
kind = "noise"
name = "the \"fast\" ones\t\u0001\\"
instruments = ["A\"\\"]
place = "co\"lo"
[[obligation]]
group = "the \"fast\" ones\t\u0001\\"
[[timeline]]
at = "1s"
event = "halt"
instrument = "A\"\\"
[[timeline]]
at = "2s"
event = "disconnect"
group = "the \"fast\" ones\t\u0001\\"
[[timeline]]
at = "3s"
event = "sell_programme"
name = "a \"seller\""
quantity = 100
)"));
    ASSERT_EQ(file.instruments.size(), 2U);
    ASSERT_EQ(file.groups.size(), 2U);
    EXPECT_EQ(file.instruments[0].definition.symbol.view(), "A\"\\");
    EXPECT_EQ(file.groups[0].name, "the \"fast\" ones\t\x01\\");
    EXPECT_EQ(file.groups[0].place, "co\"lo");
    EXPECT_EQ(file.groups[1].name, "a \"seller\"");
}

std::string mistake_of(const std::string& top, const std::string& instrument) {
    const auto file = parse_market_file(top + "[[instrument]]\nsymbol = \"A\"\n" + instrument, "m");
    return file ? "" : file.error();
}

TEST(DescribedMarket, HasTheStepAndTheLatencyOfTheValue) {
    constexpr std::string_view k_plain = R"([[instrument]]
symbol = "A"
[[participants]]
kind = "noise"
)";
    const MarketFile plain = read(k_plain);
    EXPECT_THAT(describe(plain), Not(HasSubstr("value_")));
    EXPECT_EQ(make_setup(plain, 1).value_step_ns, 10'000'000);
    const MarketFile file = again(
        read("value_step = \"1ms\"\n" + std::string{k_plain} + "value_latency = \"250ms\"\n"));
    const auto setup = make_setup(file, 1);
    ASSERT_EQ(setup.seats.size(), 1U);
    EXPECT_EQ(setup.value_step_ns, 1'000'000);
    EXPECT_EQ(setup.seats[0].connection.value_ns, 250'000'000);
    EXPECT_NE(identity_of(file), identity_of(plain));
    EXPECT_THAT(mistake_of("value_step = \"1s\"\n", "jumps_per_s = 2\n"),
                HasSubstr("jumps_per_s is at most 0.5 with a value_step of 1s: give a shorter"));
    EXPECT_THAT(mistake_of("value_step = \"1us\"\n", ""), HasSubstr("a duration from 10us to 1s"));
}

}  // namespace
}  // namespace damrak::market_runs::described_market_test
