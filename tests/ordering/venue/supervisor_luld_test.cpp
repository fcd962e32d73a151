// Limit up, limit down, by the supervisor over a real engine: docs/rule-book/limit-up-limit-down.md
// told as days of one stock.
#include <string>
#include <string_view>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/supervised_market.hpp"

namespace damrak::venue::supervisor_luld_test {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::SupervisedMarket;

constexpr std::string_view k_day = R"(name = "day"
[[session]]
at = "04:00"
phase = "continuous"
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
[rules]
)";

std::string with_luld(std::string_view luld) {
    return std::string{k_day}.append("luld = ").append(luld).append("\n");
}

/// Opened by an auction at 100.00.
struct Opened : ::testing::Test {
    Opened() {
        market.go_to(at(9, 29));
        market.buy(10'000);
        market.sell(10'000);
        market.go_to(at(9, 30));
        EXPECT_THAT(market.told(),
                    ElementsAre("00:00:00 S1 closed", "04:00:00 S1 call intraday",
                                "04:00:00 S1 uncross continuous", "09:28:00 S1 call opening",
                                "09:30:00 S1 uncross continuous", "09:30:00 S1 band 9500-10500"));
    }
    /// Sellers at the lower band, whom nobody meets.
    void fall(Timestamp time) {
        market.go_to(time);
        market.sell(9'400);
    }
    SupervisedMarket market{with_luld("{ tier = 1, previous_close = 50 }")};
};

TEST_F(Opened, BandsFollowTheMeanPriceOfFiveMinutes) {
    market.go_to(at(10));
    market.trade(10'090);
    EXPECT_THAT(market.told(), IsEmpty()) << "0.9 %";
    market.go_to(at(10, 0, 1));
    market.trade(10'130);
    EXPECT_THAT(market.told(), ElementsAre("10:00:01 S1 band 9605-10616")) << "101.10";
    EXPECT_EQ(market.instrument().rules.price_band.reference, Price{1'011'000});
    market.go_to(at(10, 0, 11));
    market.trade(10'500);
    EXPECT_THAT(market.told(), IsEmpty()) << "it has not stood for 30 seconds";
    market.go_to(at(10, 0, 31));
    EXPECT_THAT(market.told(), ElementsAre("10:00:31 S1 band 9728-10752")) << "102.40";
}

TEST_F(Opened, NoTradeTakesPlaceOutsideTheBands) {
    market.go_to(at(10));
    market.buy(11'000);
    EXPECT_EQ(market.instrument().book.best(market.engine->store(), Side::buy).tick, 10'500)
        << "it stands at the band";
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{1}), auction::LuldPhase::limit);
}

TEST_F(Opened, BandsAreDoubledLateInTheDay) {
    market.go_to(at(15, 35));
    EXPECT_THAT(market.told(), ElementsAre("15:35:00 S1 band 9000-11000"));
    market.go_to(at(16));
    EXPECT_THAT(market.told(), ElementsAre("15:58:00 S1 call closing", "15:58:00 S1 band 0-0",
                                           "16:00:00 S1 uncross continuous"));
}

TEST_F(Opened, ALimitStateThatEndsInTimeIsForgotten) {
    fall(at(11));
    market.go_to(at(11, 0, 14));
    market.buy(9'500);
    market.go_to(at(11, 2));
    EXPECT_THAT(market.told(), ElementsAre("11:00:14 S1 band 9025-9975"));
}

TEST_F(Opened, ReferenceAndBandsStayInALimitState) {
    fall(at(11));
    market.buy(9'500, 10);
    market.go_to(at(11, 0, 14));
    EXPECT_THAT(market.told(), IsEmpty());
    market.cancel_all();
    EXPECT_THAT(market.told(), ElementsAre("11:00:14 S1 band 9025-9975"));
}

// The events of one command may come in several slices.
TEST_F(Opened, ATradeHeardBeforeALimitStateMovesNoBandsInIt) {
    market.go_to(at(11));
    Event trade{};
    trade.kind = EventKind::executed;
    trade.instrument = InstrumentId{1};
    trade.price = Price{98'0000};
    trade.quantity = Quantity{10};
    market.supervisor->on_event(trade, at(11), *market.engine);
    market.sell(9'500);
    market.go_to(at(11, 0, 5));
    EXPECT_THAT(market.told(), IsEmpty());
    market.cancel_all();
    EXPECT_THAT(market.told(), ElementsAre("11:00:05 S1 band 9310-10290")) << "around 98.00";
}

TEST_F(Opened, TheMeanAtTheEndOfALimitStateIsTheReference) {
    market.go_to(at(11));
    market.trade(10'000);
    market.go_to(at(11, 0, 5));
    market.sell(9'500, 900);
    market.go_to(at(11, 0, 6));
    market.buy(9'500, 10);
    market.go_to(at(11, 0, 8));
    market.buy(9'500, 10);
    EXPECT_THAT(market.told(), IsEmpty());
    market.go_to(at(11, 0, 10));
    market.cancel_all();
    EXPECT_THAT(market.told(), ElementsAre("11:00:10 S1 band 9183-10150")) << "around 96.6667";
    market.trade(9'200);
    market.go_to(at(11, 0, 39));
    EXPECT_THAT(market.told(), IsEmpty());
    market.go_to(at(11, 0, 40));
    EXPECT_THAT(market.told(), ElementsAre("11:00:40 S1 band 9073-10028"))
        << "around 95.50, 30 seconds after the end";
}

TEST_F(Opened, TradesOfTheCommandThatBeginsALimitStateChangeTheReferenceAtItsEnd) {
    market.go_to(at(11));
    market.buy(9'800, 10);
    market.go_to(at(11, 0, 5));
    market.sell(9'500, 100);
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{1}), auction::LuldPhase::limit);
    market.go_to(at(11, 0, 15));
    EXPECT_THAT(market.told(), IsEmpty());
    market.cancel_all();
    EXPECT_THAT(market.told(), ElementsAre("11:00:15 S1 band 9310-10290")) << "around 98.00";
    market.trade(9'500);
    market.go_to(at(11, 0, 44));
    EXPECT_THAT(market.told(), IsEmpty());
    market.go_to(at(11, 0, 45));
    EXPECT_THAT(market.told(), ElementsAre("11:00:45 S1 band 9168-10133")) << "around 96.50";
}

TEST_F(Opened, AnOrderLeftAtTheEdgeOfTheCollarIsNoLimitState) {
    fall(at(11));
    market.go_to(at(11, 1));
    market.cancel_all();
    market.buy(9'025);
    market.sell(9'025, 200);
    market.told();
    market.go_to(at(11, 6));
    EXPECT_THAT(market.told(),
                ElementsAre("11:05:15 S1 uncross continuous", "11:05:15 S1 band 8574-9476"));
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{1}), auction::LuldPhase::normal);
}

TEST_F(Opened, AfterAnAuctionLimitStatesAreThoseOfTheNewBands) {
    // The call is over before anything is due, so the band of the instrument stays.
    const auto call_with = [&](const Command& order) {
        Command command = instrument_command(1);
        command.kind = CommandKind::set_phase;
        command.phase = {.phase = Phase::call};
        market.apply(command);
        EXPECT_EQ(market.apply(order), Reason::none);
        command.kind = CommandKind::uncross;
        command.phase = {.phase = Phase::continuous};
        market.apply(command);
        market.go_to(market.now);
    };
    market.go_to(at(11));
    call_with(order_command(1, 2, Side::sell, 950'000, 100));
    EXPECT_THAT(market.told(), IsEmpty()) << "without an auction price";
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{1}), auction::LuldPhase::limit);
    market.go_to(at(11, 0, 1));
    call_with(order_command(1, 1, Side::buy, 950'000, 10));
    EXPECT_THAT(market.told(), ElementsAre("11:00:01 S1 band 9025-9975"));
    EXPECT_EQ(market.supervisor->luld_phase(InstrumentId{1}), auction::LuldPhase::normal);
}

TEST_F(Opened, ALimitStateOfFifteenSecondsIsAPauseWithACollar) {
    fall(at(11));
    market.go_to(at(11, 5, 14));
    EXPECT_THAT(market.told(),
                ElementsAre("11:00:15 S1 call reopening", "11:00:15 S1 band 9025-10500"))
        << "5 % below the lower band";
    EXPECT_EQ(market.instrument().cause, HaltCause::limit_up_limit_down);
    EXPECT_EQ(market.instrument().collar, 1);
    market.buy(9'400, 200);
    market.sell(9'400);
    market.go_to(at(11, 6));
    EXPECT_THAT(market.told(),
                ElementsAre("11:05:15 S1 uncross continuous", "11:05:15 S1 band 8930-9870"))
        << "around the price of the reopening, 94.00";
}

TEST_F(Opened, APauseAfterARiseHasItsCollarAbove) {
    market.go_to(at(11));
    market.buy(10'600);
    market.go_to(at(11, 1));
    EXPECT_THAT(market.told(),
                ElementsAre("11:00:15 S1 call reopening", "11:00:15 S1 band 9500-11025"));
}

TEST_F(Opened, WithThePriceOutsideTheCollarThePauseIsExtendedOnTheSideOfTheSurplus) {
    fall(at(11));
    market.go_to(at(11, 1));
    market.buy(8'700);
    market.sell(8'700);
    market.go_to(at(11, 6));
    EXPECT_THAT(market.told(),
                ElementsAre("11:00:15 S1 call reopening", "11:00:15 S1 band 9025-10500",
                            "11:05:15 S1 uncross continuous: no_auction_price",
                            "11:05:15 S1 call reopening", "11:05:15 S1 band 8550-10500"));
    EXPECT_EQ(market.instrument().collar, 2) << "one extension";
    market.go_to(at(11, 11));
    EXPECT_THAT(market.told(),
                ElementsAre("11:10:15 S1 uncross continuous", "11:10:15 S1 band 8265-9135"));
}

TEST_F(Opened, MarketOrdersThatWouldBeLeftExtendThePauseOnTheSideOfTheLimitState) {
    fall(at(11));
    market.go_to(at(11, 1));
    Command order = order_command(1, 2, Side::sell, 0, 100);
    order.order_type = OrderType::market;
    order.time_in_force = TimeInForce::day;
    EXPECT_EQ(market.apply(order), Reason::none);
    market.told();
    market.go_to(at(11, 6));
    EXPECT_THAT(market.told(),
                ElementsAre("11:05:15 S1 uncross continuous: market_orders_left",
                            "11:05:15 S1 call reopening", "11:05:15 S1 band 8550-10500"));
}

TEST_F(Opened, AfterAPauseWithoutAnAuctionTheReferenceStaysForThirtySeconds) {
    fall(at(11));
    market.go_to(at(11, 1));
    market.cancel_all();
    market.told();
    market.go_to(at(11, 5, 20));
    EXPECT_THAT(market.told(),
                ElementsAre("11:05:15 S1 uncross continuous", "11:05:15 S1 band 9500-10500"));
    market.trade(9'800);
    market.go_to(at(11, 6));
    EXPECT_THAT(market.told(), ElementsAre("11:05:45 S1 band 9310-10290"));
}

TEST_F(Opened, ARestartInThePauseGoesOnWithIt) {
    fall(at(11));
    market.go_to(at(11, 3));
    market.told();
    market.restart();
    market.go_to(at(11, 5, 14));
    EXPECT_THAT(market.told(), IsEmpty());
    market.restart();
    market.buy(8'700);
    market.sell(8'700);
    market.go_to(at(11, 6));
    EXPECT_THAT(market.told(),
                ElementsAre("11:05:15 S1 uncross continuous: no_auction_price",
                            "11:05:15 S1 call reopening", "11:05:15 S1 band 8550-10500"));
    EXPECT_EQ(market.instrument().collar, 2) << "one extension";
    market.restart();
    market.stand_still_until(at(11, 30));
    market.go_to(at(11, 30));
    EXPECT_THAT(market.told(),
                ElementsAre("11:30:00 S1 uncross continuous", "11:30:00 S1 band 8265-9135"))
        << "it ended while nobody was there";
}

TEST_F(Opened, ARestartKeepsTheReferencePrice) {
    market.go_to(at(10));
    market.trade(10'200);
    EXPECT_THAT(market.told(), ElementsAre("10:00:00 S1 band 9690-10710"));
    market.trade(10'150);
    market.restart();
    market.go_to(at(15));
    EXPECT_THAT(market.told(), IsEmpty());
}

TEST_F(Opened, APauseInTheLastTenMinutesLastsUntilTheClosingAuction) {
    fall(at(15, 34, 40));
    market.cancel_all();
    market.go_to(at(15, 44, 50));
    market.told();
    market.sell(8'900);
    market.go_to(at(16));
    EXPECT_THAT(market.told(),
                ElementsAre("15:45:05 S1 call reopening", "15:45:05 S1 band 8550-11000",
                            "15:58:00 S1 call closing", "15:58:00 S1 band 0-0",
                            "16:00:00 S1 uncross continuous"));
}

TEST_F(Opened, AHaltedInstrumentReopensWhenItsHaltEnds) {
    fall(at(11));
    market.go_to(at(11, 1));
    market.set(TradingState::halted);
    market.told();
    market.go_to(at(11, 5, 17));
    EXPECT_THAT(market.told(), IsEmpty()) << "a halted instrument is not asked to reopen";
    market.set(TradingState::trading);
    market.go_to(at(11, 5, 18));
    EXPECT_THAT(market.told(),
                ElementsAre("11:05:18 S1 uncross continuous", "11:05:18 S1 band 9500-10500"))
        << "as before, since nothing traded";
}

TEST_F(Opened, TheCloseIsThePreviousCloseOfTheNextDay) {
    market.go_to(at(15, 59));
    market.buy(250);
    market.sell(250);
    market.go_to(at(24 + 10));
    market.told();
    EXPECT_EQ(market.band(), "200-300") << "20 % of 2.50, on which it opened";
}

TEST(SupervisorLuld, AStockThatOpensOnAQuoteBeginsWithItsPreviousClose) {
    SupervisedMarket market{with_luld("{ tier = 2, previous_close = 20.00, leverage = 3 }")};
    market.go_to(at(10));
    EXPECT_EQ(market.band(), "1400-2600") << "30 %";
}

TEST(SupervisorLuld, WithoutAnyPriceTheFirstTradeIsTheReference) {
    SupervisedMarket market{with_luld("{ tier = 1 }")};
    market.go_to(at(10));
    EXPECT_EQ(market.band(), "0-0");
    market.trade(60);
    EXPECT_EQ(market.band(), "45-75") << "at most 0.15 below 0.75";
}

TEST(SupervisorLuld, AStockOfLessThanHalfACentHasABand) {
    SupervisedMarket market{with_luld("{ tier = 1, previous_close = 0.0004 }")};
    market.go_to(at(10));
    EXPECT_EQ(market.band(), "0-1");
}

TEST(SupervisorLuld, OutsideTheRegularHoursThereAreNoBands) {
    SupervisedMarket market{with_luld("{ tier = 1, previous_close = 20 }")};
    market.go_to(at(8));
    market.trade(1'000);
    EXPECT_EQ(market.band(), "0-0");
    market.go_to(at(17));
    EXPECT_EQ(market.band(), "0-0");
    EXPECT_THAT(market.told(), ::testing::Contains(HasSubstr("15:58:00 S1 band 0-0")));
}

}  // namespace
}  // namespace damrak::venue::supervisor_luld_test
