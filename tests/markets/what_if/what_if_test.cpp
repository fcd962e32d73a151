// Recorded days with participants of our own in them: alone they are the record, and an own order
// has its place in the queue and costs what the record says.
#include <damrak/what_if/what_if.hpp>

#include <filesystem>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "days.hpp"
#include "support/real_data.hpp"

namespace damrak::what_if::what_if_test {
namespace {

using ::testing::HasSubstr;

TEST_F(WhatIf, AGeneratedDayAloneIsTheRecordAtEveryMessage) {
    const auto file = generated();
    for (const char* symbol : {"SIM1", "SIM3"}) expect_the_record(open(file, symbol), 100);
}

TEST_F(WhatIf, ARealHourAloneIsTheRecordAtEveryMessage) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    expect_the_record(open(file), 1'000);
}

TEST_F(WhatIf, ARealPairAloneIsTheRecordAtEveryMessage) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_57600000_message_10.csv");
    expect_the_record(open(file), 10);
}

TEST_F(WhatIf, AnOwnOrderWaitsForThoseBeforeItAndTradesBeforeThoseBehind) {
    const OpenDay day = open(bid_that_trades());
    const Result result = replay(day, with(day, {{10'000, Side::buy, 1'000, 40, 0}}));
    ASSERT_EQ(result.groups.size(), 1U);
    const GroupTrading& own = result.groups[0];
    // Nothing of the 100 sold before it, all of its 40 of the next 60.
    EXPECT_EQ(own.fills, 1U);
    EXPECT_EQ(own.bought, 40);
    EXPECT_EQ(own.maker_quantity, 40);
    EXPECT_EQ(result.drift.taken, 40U);
    EXPECT_EQ(result.drift.missed_trades, 0U);
    EXPECT_EQ(own.cash, -40 * 100'000);
    // Bought 5 cents below the recorded mid of 10.05; a second later, mid is 10.07.
    EXPECT_DOUBLE_EQ(own.slippage / 40, -500);
    EXPECT_DOUBLE_EQ(own.shortfall / 40, -500);
    EXPECT_EQ(own.markouts[0].quantity, 40);
    EXPECT_DOUBLE_EQ(own.markouts[0].sum / 40, 700);
    EXPECT_EQ(own.markouts[1].quantity, 0) << "the day ends before ten seconds";
    EXPECT_EQ(result.first_action_ns, SmallDay::time_ns(10));
}

TEST_F(WhatIf, ATradeWithAnOrderThatWeTookIsMissedAndCounted) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(0, 3, Side::sell, 1'012, 50)
        .execute(20, 2, 50)
        .remove(30, 3)
        .add(2'000'030, 4, Side::buy, 1'001, 1);
    const OpenDay day = open(small);
    const Result result = replay(day, with(day, {{10'000, Side::buy, 1'010, 50, 0}}));
    EXPECT_EQ(result.groups[0].bought, 50);
    EXPECT_DOUBLE_EQ(result.groups[0].slippage / 50, 500) << "paid the half spread";
    EXPECT_EQ(result.drift.missed_trades, 1U);
    EXPECT_EQ(result.drift.missed_quantity, 50U);
    EXPECT_EQ(result.recorded_trades, 1U);
    // From the fill to the recorded trade, the ask was 2 cents away; later both had none but ours.
    EXPECT_EQ(result.distance.differing_ns, 10'000);
    EXPECT_EQ(result.series.size(), 3U);
}

TEST_F(WhatIf, ARecordedOrderThatMeetsOursTradesWithIt) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(20, 3, Side::sell, 1'003, 30)
        .remove(30, 3)  // of which 10 are left
        .remove(40, 1);
    const OpenDay day = open(small);
    const Result result = replay(day, with(day, {{10'000, Side::buy, 1'004, 20, 0}}));
    EXPECT_EQ(result.groups[0].bought, 20);
    EXPECT_EQ(result.groups[0].cash, -20 * 100'400) << "at the price of the order that rested";
    EXPECT_EQ(result.drift.missed_trades, 0U);
    EXPECT_EQ(result.drift.refused, 0U);
}

TEST_F(WhatIf, MessagesOfAHaltOfOursWaitForItsEnd) {
    const OpenDay day = open(bid_that_trades());
    market_runs::MarketFile file = with(day, {{15'000, Side::buy, 1'000, 40, 0}});
    market_runs::TimelineEntry halt;
    halt.kind = market_runs::TimelineEntry::Kind::halt;
    halt.at_ns = 10'000;
    halt.for_ns = 1'000'000;
    file.timeline.push_back(halt);
    const Result result = replay(day, file);
    // Nothing is entered while the market is halted; afterwards the record continues.
    EXPECT_EQ(result.groups[0].bought, 0);
    EXPECT_EQ(result.counts.rejects, 1U);
    EXPECT_EQ(result.counts.trades, 3U);
    EXPECT_EQ(result.drift.differences, 0U);
    EXPECT_EQ(result.drift.refused, 0U);
}

TEST_F(WhatIf, TheSameFileGivesTheSameReplay) {
    const OpenDay day = open(generated(), "SIM2");
    const market_runs::MarketFile file =
        with(day, {{1, Side::buy, 1'000'000, 100, 0}, {k_second_ns, Side::buy, 1'000'000, 100, 0}});
    const Result once = replay(day, file);
    const Result again = replay(day, file);
    EXPECT_GT(once.groups[0].fills, 0U);
    EXPECT_EQ(once.hash, again.hash);
    EXPECT_NE(once.hash, replay(day, nobody(day)).hash);
}

TEST_F(WhatIf, SaysWhatIsWrongWithDayOrFile) {
    const auto no_symbol = open_day({.file = generated()});
    ASSERT_FALSE(no_symbol);
    EXPECT_THAT(no_symbol.error(), HasSubstr("3 instruments: give --symbol"));
    const auto other = open_day({.file = folder.path() / "generated.dar", .symbol = "XYZ"});
    ASSERT_FALSE(other);
    EXPECT_THAT(other.error(), HasSubstr("no symbol 'XYZ'"));
    const auto none = open_day({.file = folder.path() / "none.dar"});
    EXPECT_FALSE(none);
    const auto late = open_day({.file = folder.path() / "generated.dar",
                                .symbol = "SIM1",
                                .from_ns = 23 * 3'600 * k_second_ns});
    ASSERT_FALSE(late);
    EXPECT_THAT(late.error(), HasSubstr("no messages in these hours"));
    const OpenDay day = open(folder.path() / "generated.dar", "SIM1");
    const auto own = market_runs::parse_market_file("[[instrument]]\nsymbol = \"AAA\"\n",
                                                    "file.toml", &day.given);
    ASSERT_FALSE(own);
    EXPECT_EQ(own.error(),
              "file.toml:1: instrument: the recorded day has the instrument: leave out "
              "[[instrument]]");
}

}  // namespace
}  // namespace damrak::what_if::what_if_test
