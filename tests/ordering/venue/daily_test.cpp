// What a day takes over from the day before (docs/rule-book/price-limits.md, PL-22 and PL-23), by
// the phase clock over a real engine.
#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/venue/ready_made.hpp>

#include "support/supervised_market.hpp"

namespace damrak::venue::daily_test {
namespace {

using testing::at;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using testing::SupervisedMarket;

std::string with_daily(std::string_view daily) {
    return std::string{R"(name = "day"
[[session]]
at = "08:00"
phase = "pre_open"
[[session]]
at = "09:00"
phase = "call"
call = "opening"
auction = "xetra"
[[session]]
at = "09:10"
phase = "continuous"
[[session]]
at = "17:00"
phase = "call"
call = "closing"
auction = "xetra"
[[session]]
at = "17:05"
phase = "closed"
[rules]
daily = )"}
        .append(daily)
        .append("\n");
}

struct Days : SupervisedMarket {
    using SupervisedMarket::SupervisedMarket;

    void end_day() {
        Command command{};
        command.kind = CommandKind::end_day;
        EXPECT_EQ(apply(command), Reason::none);
        clock->look_again();
        go_to(now);
    }
    Reason order(Side side, std::int64_t cents) {
        return apply(order_command(1, 1, side, cents * 100, 100));
    }
    /// Only market orders, so that the price is the reference.
    [[nodiscard]] Tick opening_price() {
        for (const Side side : {Side::buy, Side::sell}) {
            Command order = order_command(1, side == Side::buy ? 1 : 2, side, 0, 100);
            order.order_type = OrderType::market;
            EXPECT_EQ(apply(order), Reason::none);
        }
        const std::int64_t day = now.value / k_day_ns;
        go_to(at(static_cast<int>(day) * 24 + 9, 11));
        return instrument().last_trade;
    }
};

TEST(Daily, TheFirstDayBeginsWithTheCloseOfTheFile) {
    Days market{
        with_daily(R"({ close = "last_trade", previous_close = 10, limits = { percent = 10 } })")};
    market.go_to(at(9, 1));
    EXPECT_EQ(market.band(), "900-1100");
    EXPECT_EQ(market.order(Side::buy, 1'101), Reason::outside_price_band);
    EXPECT_EQ(market.order(Side::sell, 899), Reason::outside_price_band);
    EXPECT_EQ(market.order(Side::buy, 899), Reason::outside_price_band) << "on its own side too";
    EXPECT_EQ(market.order(Side::sell, 1'101), Reason::outside_price_band);
    EXPECT_EQ(market.opening_price(), 1'000);
}

TEST(Daily, TheCloseRollsWhenTheDayHasEnded) {
    Days market{
        with_daily(R"({ close = "last_trade", previous_close = 10, limits = { percent = 10 } })")};
    market.go_to(at(10));
    market.trade(1'050);
    market.go_to(at(18));
    market.told();
    market.end_day();
    EXPECT_THAT(market.told(), ElementsAre("18:00:00 S1 band 945-1155"));
    market.end_day();
    EXPECT_THAT(market.told(), ::testing::IsEmpty());
    market.go_to(at(24 + 9, 1));
    EXPECT_EQ(market.opening_price(), 1'050);
}

TEST(Daily, ADayWithoutATradeKeepsItsReference) {
    Days market{with_daily(
        R"({ close = "last_trade", previous_close = 10, limits = { at_least = 0.5 } })")};
    market.go_to(at(18));
    market.told();
    market.end_day();
    market.go_to(at(24 + 9, 1));
    EXPECT_THAT(market.told(), Not(Contains(HasSubstr("band"))));
    EXPECT_EQ(market.band(), "950-1050");
    EXPECT_EQ(market.opening_price(), 1'000);
}

TEST(Daily, ARestartBetweenTheDaysChangesNothing) {
    Days market{with_daily(R"({ close = "last_trade", limits = { percent = 10 } })")};
    market.go_to(at(10));
    market.trade(1'050);
    market.go_to(at(18));
    Command command{};
    command.kind = CommandKind::end_day;
    market.apply(command);
    market.told();
    market.stand_still_until(at(24 + 7));
    market.restart();
    market.go_to(at(24 + 7));
    EXPECT_THAT(market.told(), ElementsAre("31:00:00 S1 band 945-1155"));
    market.restart();
    market.go_to(at(24 + 8));
    EXPECT_THAT(market.told(), ElementsAre("32:00:00 S1 pre_open"));
}

TEST(Daily, TheCloseMayBeThePriceOfTheLastAuction) {
    for (const auto& [close, expected] :
         {std::pair{"last_trade", 1'020}, std::pair{"last_auction", 1'010}}) {
        Days market{with_daily(fmt::format("{{ close = \"{}\" }}", close))};
        market.go_to(at(9, 1));
        market.buy(1'010);
        market.sell(1'010);
        market.go_to(at(10));
        market.trade(1'020);
        market.end_day();  // a day that ends before its closing auction
        EXPECT_EQ(market.instrument().rules.price_band.reference, Price{expected * 100}) << close;
        EXPECT_EQ(market.band(), "0-0") << "no limits";
    }
}

TEST(Daily, WithoutAnyCloseTheFirstDayHasNoLimits) {
    Days market{with_daily(R"({ close = "last_trade", limits = { percent = 10 } })")};
    market.go_to(at(10));
    market.trade(1'000);
    market.go_to(at(17));
    EXPECT_EQ(market.band(), "0-0");
    market.end_day();
    EXPECT_EQ(market.band(), "900-1100");
}

TEST(Daily, ATableHasTheLimitsByPrice) {
    constexpr std::string_view k_table =
        "{{ close = \"last_trade\", previous_close = {}, table = [{{ below = 100, amount = 30 }}, "
        "{{ below = 200, amount = 50 }}, {{ amount = 80 }}] }}";
    for (const auto& [close, band] :
         {std::pair{"99.99", "6999-12999"}, std::pair{"100", "5000-15000"},
          std::pair{"199.99", "14999-24999"}, std::pair{"200", "12000-28000"},
          std::pair{"10", "0-4000"}}) {
        Days market{with_daily(fmt::format(fmt::runtime(k_table), close))};
        market.go_to(at(9, 1));
        EXPECT_EQ(market.band(), band) << close;
    }
}

TEST(Tokyo, HasDailyLimitsAndCorridorsThatWiden) {
    Days market{find_ready_made("tokyo-like")->text};
    // Thursday; nine o'clock in Tokyo is midnight.
    market.go_to(at(1));
    market.trade(90'000);
    market.go_to(at(7));
    market.told();
    market.end_day();
    EXPECT_THAT(market.told(), ElementsAre("07:00:00 S1 band 75000-105000"));
    market.go_to(at(25));
    EXPECT_EQ(market.order(Side::buy, 105'100), Reason::outside_price_band);
    market.trade(90'000);
    market.told();
    market.sell(97'000);
    market.buy(97'000);
    EXPECT_EQ(market.instrument().call, CallKind::interruption) << "7.8 % away";
    market.go_to(at(25, 30));
    EXPECT_THAT(market.told(),
                ElementsAre("25:03:00 S1 uncross continuous: auction_price_outside",
                            "25:03:00 S1 call interruption", "25:03:00 S1 corridor 800",
                            "25:06:00 S1 uncross continuous", "25:06:00 S1 corridor 400"));
    EXPECT_EQ(market.instrument().last_trade, 97'000);
}

}  // namespace
}  // namespace damrak::venue::daily_test
