// Calls that are extended because their auction would be bad (docs/rule-book/collars.md), by the
// phase clock and the supervisor over a real engine.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/time_units.hpp>

#include "support/supervised_market.hpp"

namespace damrak::venue::extensions_test {
namespace {

using testing::at;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::SupervisedMarket;

constexpr std::string_view k_day = R"(name = "day"
[[session]]
at = "09:00"
phase = "continuous"
auction = "xetra"
[[session]]
at = "13:00"
phase = "call"
auction = "xetra"
[[session]]
at = "13:05"
phase = "continuous"
auction = "xetra"
[[session]]
at = "17:00"
phase = "call"
call = "closing"
auction = "xetra"
[[session]]
at = "17:05"
phase = "at_last"
[[session]]
at = "17:15"
phase = "closed"
[rules]
dynamic_corridor = { percent = 2 }
auction_corridor = { percent = 5 }
band = { lower = 1, upper = 1000, reference = 100 }
on_breach = "interrupt"
interruption = { minimum = "2min", extensions = 2 }
extensions = { price = 2, price_time = "3min", market_orders = 1, market_order_time = "1min" }
)";

struct Extended : ::testing::Test {
    Extended() {
        market.go_to(at(10));
        market.trade(10'000);
        market.told();
    }
    void enter_in_call(std::int64_t cents) {
        market.buy(cents);
        market.sell(cents);
    }
    void enter_market_buy() const {
        Command order = order_command(1, 1, Side::buy, 0, 100);
        order.order_type = OrderType::market;
        EXPECT_EQ(market.apply(order), Reason::none);
    }
    SupervisedMarket market{k_day};
};

TEST_F(Extended, AnAuctionInTheCorridorTakesPlaceInTime) {
    market.go_to(at(13, 1));
    enter_in_call(10'500);
    market.go_to(at(13, 6));
    EXPECT_THAT(market.told(),
                ElementsAre("13:00:00 S1 call intraday", "13:05:00 S1 uncross continuous"));
}

// As in an exchange whose engine is on another thread, and behind.
TEST_F(Extended, AnAuctionWithoutAnswerIsAskedForAgainAfterASecond) {
    market.go_to(at(13, 4));
    const InstrumentState* const in = &market.instrument();
    const auto asked_at = [&](Timestamp now) { return market.clock->due(now, {&in, 1}).size(); };
    constexpr Timestamp k_moment{10 * k_millisecond_ns};
    constexpr Timestamp k_second{k_second_ns};
    EXPECT_EQ(asked_at(at(13, 5)), 1);
    EXPECT_EQ(asked_at(at(13, 5) + k_moment), 0);
    EXPECT_EQ(asked_at(at(13, 5) + k_second), 1);
    market.clock->on_refused(in->id(), Reason::instrument_halted, at(13, 5) + k_second);
    EXPECT_EQ(asked_at(at(13, 5) + k_second + k_moment), 1) << "it was answered";
}

TEST_F(Extended, APriceOutsideItExtendsTheCallTwiceAndThenTrades) {
    market.go_to(at(13, 1));
    enter_in_call(10'501);
    market.go_to(at(14));
    EXPECT_THAT(market.told(),
                ElementsAre("13:00:00 S1 call intraday",
                            "13:05:00 S1 uncross continuous: auction_price_outside",
                            "13:05:00 S1 call intraday",
                            "13:08:00 S1 uncross continuous: auction_price_outside",
                            "13:08:00 S1 call intraday", "13:11:00 S1 uncross continuous"));
    EXPECT_EQ(market.instrument().last_trade, 10'501);
}

TEST_F(Extended, MarketOrdersExtendItOnceForATimeOfTheirOwn) {
    market.go_to(at(13, 1));
    enter_market_buy();
    market.go_to(at(14));
    EXPECT_THAT(market.told(),
                ElementsAre("13:00:00 S1 call intraday",
                            "13:05:00 S1 uncross continuous: market_orders_left",
                            "13:05:00 S1 call intraday", "13:06:00 S1 uncross continuous"));
}

TEST_F(Extended, EachCallHasItsOwnExtensions) {
    market.go_to(at(13, 1));
    enter_market_buy();
    market.go_to(at(17, 1));
    enter_market_buy();
    market.told();
    market.go_to(at(18));
    EXPECT_THAT(market.told(), ElementsAre("17:05:00 S1 uncross at_last: market_orders_left",
                                           "17:05:00 S1 call closing",
                                           "17:06:00 S1 uncross at_last", "17:15:00 S1 closed"));
}

TEST(Extensions, OfACallThatFollowsOnAnExtendedOneAreItsOwn) {
    SupervisedMarket market{R"(name = "calls"
[[session]]
at = "09:00"
phase = "continuous"
auction = "xetra"
[[session]]
at = "13:00"
phase = "call"
auction = "xetra"
[[session]]
at = "13:05"
phase = "call"
auction = "xetra"
[[session]]
at = "13:10"
phase = "continuous"
auction = "xetra"
[rules]
auction_corridor = { percent = 5 }
band = { lower = 1, upper = 1000, reference = 100 }
extensions = { price = 1, price_time = "1min" }
)"};
    market.go_to(at(13, 1));
    market.buy(10'600);
    market.sell(10'600);
    market.go_to(at(13, 7));
    EXPECT_THAT(market.told(), ElementsAre("13:00:00 S1 call intraday",
                                           "13:05:00 S1 uncross pre_open: auction_price_outside",
                                           "13:05:00 S1 call intraday", "13:06:00 S1 uncross call",
                                           "13:06:00 S1 call intraday"));
    market.buy(12'000);
    market.sell(12'000);
    market.go_to(at(13, 20));
    EXPECT_THAT(market.told(),
                ElementsAre("13:10:00 S1 uncross continuous: auction_price_outside",
                            "13:10:00 S1 call intraday", "13:11:00 S1 uncross continuous"));
}

TEST_F(Extended, AnExtendedCallThatARestartFindsIsInItsLastExtension) {
    market.go_to(at(13, 1));
    enter_in_call(10'501);
    market.go_to(at(13, 6));
    market.told();
    market.restart();
    market.go_to(at(13, 7, 59));
    EXPECT_THAT(market.told(), IsEmpty());
    market.go_to(at(14));
    EXPECT_THAT(market.told(), ElementsAre("13:08:00 S1 uncross continuous"));
}

TEST_F(Extended, AnInterruptionIsExtendedAsOftenAsItMay) {
    market.go_to(at(11));
    market.sell(10'600);
    market.buy(10'600);
    EXPECT_EQ(market.instrument().call, CallKind::interruption);
    market.go_to(at(12));
    EXPECT_THAT(market.told(),
                ElementsAre("11:02:00 S1 uncross continuous: auction_price_outside",
                            "11:02:00 S1 call interruption",
                            "11:04:00 S1 uncross continuous: auction_price_outside",
                            "11:04:00 S1 call interruption", "11:06:00 S1 uncross continuous"));
}

/// Its corridor is 3 % wider at each extension.
std::string widening() {
    std::string file{k_day};
    const std::string_view scheduled = "price = 2, price_time = \"3min\"";
    file.replace(file.find(scheduled), scheduled.size(),
                 std::string{scheduled} + ", widening = { percent = 3 }");
    const std::string_view interruption = "minimum = \"2min\", extensions = 2";
    file.replace(file.find(interruption), interruption.size(),
                 std::string{interruption} + ", widening = { percent = 3 }");
    return file;
}

TEST(Widening, AnExtendedCallTakesPricesThatAreFurtherAway) {
    SupervisedMarket market{widening()};
    market.go_to(at(10));
    market.trade(10'000);
    market.go_to(at(13, 1));
    market.told();
    market.buy(10'700);
    market.sell(10'700);
    market.go_to(at(14));
    EXPECT_THAT(market.told(),
                ElementsAre("13:05:00 S1 uncross continuous: auction_price_outside",
                            "13:05:00 S1 call intraday", "13:05:00 S1 corridor 800",
                            "13:08:00 S1 uncross continuous", "13:08:01 S1 corridor 500"));
}

TEST(Widening, IsOfOneCall) {
    SupervisedMarket market{widening()};
    market.go_to(at(10));
    market.trade(10'000);
    market.go_to(at(12, 57));
    market.sell(11'400);
    market.buy(11'400);
    market.told();
    market.go_to(at(13, 9));
    EXPECT_THAT(market.told(),
                ElementsAre("12:59:00 S1 uncross continuous: auction_price_outside",
                            "12:59:00 S1 call interruption", "12:59:00 S1 corridor 800",
                            "13:00:00 S1 call intraday", "13:00:01 S1 corridor 500",
                            "13:05:00 S1 uncross continuous: auction_price_outside",
                            "13:05:00 S1 call intraday", "13:05:00 S1 corridor 800",
                            "13:08:00 S1 uncross continuous: auction_price_outside",
                            "13:08:00 S1 call intraday", "13:08:00 S1 corridor 1100"))
        << "the scheduled call takes it over with extensions of its own";
    market.restart();
    market.told();
    market.go_to(at(13, 12));
    EXPECT_THAT(market.told(),
                ElementsAre("13:11:00 S1 uncross continuous", "13:11:01 S1 corridor 500"));
}

TEST_F(Extended, AScheduledCallTakesAnExtendedInterruptionOver) {
    market.go_to(at(12, 57));
    market.sell(10'600);
    market.buy(10'600);
    market.go_to(at(14));
    EXPECT_THAT(market.told(),
                ElementsAre("12:59:00 S1 uncross continuous: auction_price_outside",
                            "12:59:00 S1 call interruption", "13:00:00 S1 call intraday",
                            "13:05:00 S1 uncross continuous: auction_price_outside",
                            "13:05:00 S1 call intraday",
                            "13:08:00 S1 uncross continuous: auction_price_outside",
                            "13:08:00 S1 call intraday", "13:11:00 S1 uncross continuous"))
        << "with extensions of its own";
}

}  // namespace
}  // namespace damrak::venue::extensions_test
