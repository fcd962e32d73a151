// The market-wide breaker by the supervisor over a real engine: docs/rule-book/
// market-wide-breakers.md told as days of two stocks, whose index is one of the first and two of
// the second.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/supervised_market.hpp"

namespace damrak::venue::supervisor_breaker_test {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::SupervisedMarket;

constexpr std::string_view k_day = R"(name = "day"
[[session]]
at = "09:28"
phase = "call"
call = "opening"
auction = "nasdaq"
[[session]]
at = "09:30"
phase = "continuous"
auction = "nasdaq"
[[session]]
at = "15:58"
phase = "call"
call = "closing"
auction = "nasdaq"
[[session]]
at = "16:00"
phase = "continuous"
[[session]]
at = "20:00"
phase = "closed"
[market_breaker]
index = [{ symbol = "S1" }, { symbol = "S2", weight = 2 }]
)";

/// Both opened at 100.00: the index is at 300.
struct Halts : ::testing::Test {
    explicit Halts(std::string_view file = k_day) : market(file, 2) {
        for (const std::uint32_t id : {1U, 2U}) {
            market.go_to(at(9, 29));
            market.buy(10'000, 100, id);
            market.sell(10'000, 100, id);
        }
        market.go_to(at(10));
        market.told();
    }
    SupervisedMarket market;
};

TEST_F(Halts, LevelOneHaltsAllForFifteenMinutesAndReopensByAuction) {
    market.trade(8'000);
    EXPECT_THAT(market.told(), IsEmpty()) << "280 of 300";
    market.trade(9'950, 2);
    EXPECT_THAT(market.told(),
                ElementsAre("10:00:00 S1 call reopening", "10:00:00 S2 call reopening"))
        << "279 is 7 % less";
    EXPECT_EQ(market.instrument(2).cause, HaltCause::market_wide_1);
    market.buy(7'900);
    market.sell(7'900);
    market.go_to(at(11));
    EXPECT_THAT(market.told(),
                ElementsAre("10:15:00 S1 uncross continuous", "10:15:00 S2 uncross continuous"));
    EXPECT_EQ(market.instrument().last_trade, 7'900);
    market.trade(7'800);
    EXPECT_THAT(market.told(), IsEmpty()) << "once a day";
    market.trade(9'150, 2);
    EXPECT_THAT(market.told(),
                ElementsAre("11:00:00 S1 call reopening", "11:00:00 S2 call reopening"))
        << "261 is 13 % less";
    EXPECT_EQ(market.instrument(2).cause, HaltCause::market_wide_2);
}

TEST_F(Halts, LevelThreeClosesForTheDay) {
    market.trade(4'000);
    EXPECT_THAT(market.told(), ElementsAre("10:00:00 S1 halt", "10:00:00 S2 halt"));
    market.go_to(at(24 + 9));
    EXPECT_EQ(market.instrument(2).cause, HaltCause::market_wide_3) << "in the closing call, too";
    EXPECT_THAT(market.told(), ElementsAre("15:58:00 S1 call closing", "15:58:00 S2 call closing"));
    market.go_to(at(24 + 10));
    EXPECT_THAT(market.told(),
                ElementsAre("33:28:00 S1 resume", "33:28:00 S2 resume", "33:28:00 S1 uncross call",
                            "33:28:00 S1 call opening", "33:28:00 S2 uncross call",
                            "33:28:00 S2 call opening", "33:30:00 S1 uncross continuous",
                            "33:30:00 S2 uncross continuous"));
    market.trade(3'500);
    EXPECT_THAT(market.told(), IsEmpty()) << "the index fell from 240 to 235";
}

TEST_F(Halts, TheLevelsOfADayAreToldAsSoonAsTheyAreKnown) {
    const auto levels = market.supervisor->take_levels();
    ASSERT_TRUE(levels);
    EXPECT_THAT(levels->levels, ElementsAre(27'900'000'000, 26'100'000'000, 24'000'000'000));
    market.trade(9'990);
    EXPECT_EQ(market.supervisor->take_levels(), std::nullopt);
    market.go_to(at(24 + 10));
    EXPECT_THAT(market.supervisor->take_levels()->levels[0], 27'890'700'000) << "of 299.90";
    market.restart();
    market.go_to(at(24 + 11));
    EXPECT_TRUE(market.supervisor->take_levels()) << "again";
}

TEST_F(Halts, OnlyLevelThreeHaltsLateInTheDay) {
    market.go_to(at(15, 25));
    market.trade(7'000);
    EXPECT_THAT(market.told(), IsEmpty());
    market.trade(4'000);
    EXPECT_EQ(market.told().size(), 2);
}

TEST_F(Halts, ARestartInTheHaltGoesOnWithIt) {
    market.trade(7'900);
    market.told();
    market.go_to(at(10, 10));
    market.restart();
    market.go_to(at(10, 14, 59));
    EXPECT_THAT(market.told(), IsEmpty());
    market.go_to(at(11));
    EXPECT_THAT(market.told(),
                ElementsAre("10:15:00 S1 uncross continuous", "10:15:00 S2 uncross continuous"));
}

TEST_F(Halts, ARestartOnTheDayOfLevelThreeKeepsItClosed) {
    market.trade(4'000);
    market.told();
    market.restart();
    market.go_to(at(15));
    EXPECT_THAT(market.told(), IsEmpty()) << "the index begins with 240, and still it is closed";
    market.go_to(at(24 + 9, 28));
    EXPECT_EQ(market.instrument().state, TradingState::trading);
}

TEST_F(Halts, ARestartOnTheFirstDayKeepsItClosed) {
    std::string day{k_day};
    const std::string_view auction = "auction = \"nasdaq\"\n";
    day.erase(day.rfind(auction, day.find("15:58")), auction.size());
    SupervisedMarket other{day + "previous_close = 300\n", 2};
    other.stand_still_until(at(10));
    other.restart();
    other.trade(10'000, 2);
    other.trade(4'000);
    other.told();
    ASSERT_EQ(other.instrument().phase_since, Timestamp{}) << "it was continuous from the first";
    other.restart();
    other.go_to(at(15));
    EXPECT_THAT(other.told(), IsEmpty());
}

TEST_F(Halts, ARestartAfterTheDayOfLevelThreeBeginsTheNextDay) {
    SupervisedMarket other{std::string{k_day} + "previous_close = 300\n", 2};
    other.go_to(at(10));
    other.trade(10'000, 2);
    other.trade(4'000);
    other.told();
    other.stand_still_until(at(24 + 12));
    other.restart();
    other.go_to(other.now);
    EXPECT_THAT(other.told(), ElementsAre("36:00:00 S1 resume", "36:00:00 S2 resume"));
    other.trade(3'500);
    EXPECT_THAT(other.told(), IsEmpty()) << "the index fell from 240 to 235";
}

TEST_F(Halts, ARestartInTheMiddleOfLevelThreeHaltsTheOthers) {
    market.set(TradingState::halted, 2);
    market.trade(4'000);
    EXPECT_THAT(market.told(), ElementsAre("10:00:00 S1 halt"));
    market.supervisor.reset();
    Command resume = instrument_command(2);
    resume.kind = CommandKind::set_trading_state;
    resume.trading_state = TradingState::trading;
    market.apply(resume);
    market.restart();
    market.go_to(market.now);
    EXPECT_THAT(market.told(), ElementsAre("10:00:00 S2 halt"));
}

TEST_F(Halts, NobodyTradesOnTheDayOfLevelThree) {
    market.trade(4'000);
    market.told();
    market.set(TradingState::trading, 2);
    EXPECT_THAT(market.told(), ElementsAre("10:00:00 S2 halt"));
}

TEST_F(Halts, AHaltOfTheOperatorOutlastsLevelThree) {
    market.set(TradingState::halted, 2);
    market.trade(4'000);
    market.go_to(at(24 + 10));
    EXPECT_EQ(market.instrument().state, TradingState::trading);
    EXPECT_EQ(market.instrument(2).state, TradingState::halted);
}

TEST_F(Halts, ARestartDoesNotRepeatALevel) {
    SupervisedMarket other{std::string{k_day} + "previous_close = 300\n", 2};
    other.go_to(at(10));
    other.trade(10'000, 2);
    other.trade(7'900);
    other.go_to(at(11));
    EXPECT_EQ(other.told().size(), 10);
    other.restart();
    other.trade(7'850);
    EXPECT_THAT(other.told(), IsEmpty());
    other.trade(6'000);
    EXPECT_EQ(other.told().size(), 2);
}

TEST_F(Halts, TheClosingPricesAreThePreviousCloseOfTheNextDay) {
    for (const std::uint32_t id : {1U, 2U}) {
        market.go_to(at(15, 59));
        market.buy(8'000, 100, id);
        market.sell(8'000, 100, id);
    }
    market.go_to(at(17));
    for (const std::uint32_t id : {1U, 2U}) market.trade(7'600, id);
    market.go_to(at(24 + 10));
    market.told();
    market.trade(7'200);
    EXPECT_THAT(market.told(), IsEmpty()) << "224 of 240";
    market.trade(7'120);
    EXPECT_EQ(market.told().size(), 2) << "223.20 is 7 % less";
}

TEST(SupervisorBreaker, WithoutPartsAllInstrumentsCountOnce) {
    SupervisedMarket market{std::string{k_day.substr(0, k_day.find("index"))}, 2};
    market.go_to(at(10));
    market.trade(10'000);
    market.trade(10'000, 2);
    market.told();
    market.trade(8'601);
    EXPECT_THAT(market.told(), IsEmpty());
    market.trade(8'600);
    EXPECT_EQ(market.told().size(), 2);
}

TEST(SupervisorBreaker, AHaltTakesAPauseOver) {
    SupervisedMarket market{
        std::string{k_day} + "[rules]\nluld = { tier = 2, previous_close = 100 }\n", 2};
    market.go_to(at(10));
    market.trade(10'000);
    market.trade(10'000, 2);
    market.sell(8'000);
    market.go_to(at(10, 1));
    market.told();
    EXPECT_EQ(market.band(), "8550-11000");
    market.go_to(at(10, 2));
    market.trade(9'000, 2);
    market.go_to(at(10, 4));
    market.told();
    market.trade(8'900, 2);
    EXPECT_THAT(market.told(),
                ElementsAre("10:04:00 S1 call reopening", "10:04:00 S2 call reopening",
                            "10:04:00 S1 band 0-0", "10:04:00 S2 band 0-0"));
    market.go_to(at(10, 19));
    EXPECT_THAT(market.told(),
                ElementsAre("10:19:00 S1 uncross continuous", "10:19:00 S2 uncross continuous",
                            "10:19:00 S1 band 9000-11000", "10:19:00 S2 band 8370-10230"));
}

}  // namespace
}  // namespace damrak::venue::supervisor_breaker_test
