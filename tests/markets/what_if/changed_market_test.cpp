// What own participants change in a recorded day, and what is said of it: explained fills, events
// of the timeline that trade, and a reaction.
#include <cstdint>
#include <map>

#include <gtest/gtest.h>

#include <damrak/what_if/what_if.hpp>

#include "days.hpp"
#include "markets/explain/queue_checker.hpp"
#include "support/real_data.hpp"

namespace damrak::what_if::changed_market_test {
namespace {

TEST_F(WhatIf, AnOwnFillIsExplained) {
    const OpenDay day = open(bid_that_trades());
    explain::OrderWatch watch{{{"own", 0, 1}}, {.group = "own", .number = 1}};
    Options options;
    options.watchers = {&watch};
    static_cast<void>(replay(day, with(day, {{10'000, Side::buy, 1'000, 60, 0}}), options));
    watch.finish();
    ASSERT_EQ(watch.fates().size(), 1U);
    const explain::Fate& own = watch.fates()[0];
    ASSERT_EQ(own.stays.size(), 1U);
    EXPECT_EQ(own.stays[0].at_price, (explain::Crowd{1, 100}));
    EXPECT_EQ(own.stays[0].traded, (explain::Crowd{1, 100}));
    EXPECT_TRUE(own.stays[0].joined.empty());
    EXPECT_EQ(own.stays[0].front->value, day.midnight_ns + SmallDay::time_ns(40));
    ASSERT_EQ(own.trades.size(), 1U);
    EXPECT_EQ(own.trades[0].at.value, day.midnight_ns + SmallDay::time_ns(50));
    EXPECT_EQ(own.trades[0].other, ParticipantId{2}) << "the record";
    EXPECT_EQ(own.ending, explain::Ending::filled);
}

/// Two makers a millisecond away: what is counted ahead of their orders is what the engine has.
void expect_exact_places(const OpenDay& day) {
    const auto file = market_runs::parse_market_file(
        "[[participants]]\nkind = \"fixed-maker\"\nname = \"makers\"\ncount = 2\n"
        "latency = \"1ms\"",
        "makers", &day.given);
    ASSERT_TRUE(file) << file.error();
    explain::OrderWatch watch{{{"makers", 0, 2}, {"makers", 1, 2}},
                              {.group = "makers", .number = {}, .limit = 300}};
    explain::QueueChecker checker{watch};
    Options options;
    options.watchers = {&watch, &checker};
    ASSERT_TRUE(run(day, *file, options));
    EXPECT_GT(checker.checked, 100U);
    EXPECT_EQ(checker.different, 0U);
}

TEST_F(WhatIf, PlacesOfOwnOrdersAreExactInAGeneratedDay) {
    expect_exact_places(open(generated(), "SIM1"));
}

TEST_F(WhatIf, PlacesOfOwnOrdersAreExactInARealHour) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    expect_exact_places(open(file));
}

TEST_F(WhatIf, EventsOfTheTimelineTradeInTheRecord) {
    const OpenDay day = open(generated(), "SIM1");
    const auto file = market_runs::parse_market_file(R"(
[[timeline]]
at = "1s"
event = "fat_finger"
quantity = 700
ticks_through = 1000
[[timeline]]
at = "2s"
for = "10s"
event = "sell_programme"
side = "buy"
quantity = 300
interval = "1s"
[[timeline]]
at = "15s"
for = "1s"
event = "quote_stuffing"
orders_per_s = 100
[[timeline]]
at = "0s"
event = "limits"
order_quantity = 1_000
)",
                                                     "events", &day.given);
    ASSERT_TRUE(file) << file.error();
    const Result result = replay(day, *file);
    ASSERT_EQ(result.groups.size(), 3U);
    EXPECT_EQ(result.groups[0].group, "fat_finger");
    EXPECT_EQ(result.groups[0].sold, 700);
    EXPECT_EQ(result.groups[1].bought, 300);
    EXPECT_EQ(result.groups[2].orders, 100U);
    EXPECT_EQ(result.groups[2].fills, 0U);
    EXPECT_EQ(result.drift.refused, 0U) << "limits do not hold for the record";
    EXPECT_EQ(replay(day, *file).hash, result.hash);
    // An event that never comes leaves the record as it is.
    const auto late = market_runs::parse_market_file(
        "duration = \"5s\"\n[[timeline]]\nat = \"5s\"\nevent = \"fat_finger\"\nquantity = 1",
        "late", &day.given);
    ASSERT_TRUE(late) << late.error();
    EXPECT_EQ(replay(day, *late).drift.missed_trades, 0U);
}

TEST_F(WhatIf, WithoutAnOwnOrderThereIsNothingToReactTo) {
    const OpenDay day = open(generated(), "SIM1");
    expect_the_record(day, reacting(nobody(day)), 100);
    const Result result = replay(day, reacting(nobody(day)));
    ASSERT_TRUE(result.reaction);
    EXPECT_EQ(result.reaction->orders, 0U);
    EXPECT_FALSE(replay(day, nobody(day)).reaction);
}

TEST_F(WhatIf, ARealHourAloneHasNothingToReactTo) {
    DAMRAK_REAL_DATA_OR_SKIP(file, "lobster/AAPL_2012-06-21_34200000_37800000_message_50.csv");
    const OpenDay day = open(file);
    expect_the_record(day, reacting(nobody(day)), 1'000);
}

/// Displayed asks at 10.10 by the time of the answer, in tenths of a second.
std::map<std::int64_t, std::int64_t> asks_over_time(const OpenDay& day,
                                                    const market_runs::MarketFile& file,
                                                    Result& result) {
    std::map<std::int64_t, std::int64_t> asks;
    Options options;
    options.compare = [&](const market_kernel::Market& market, const RecordedMarket&) {
        const std::int64_t ns = market.now().value - day.midnight_ns - day.begin_ns;
        if (ns % 100'000'000 != 0) return;
        std::int64_t sum = 0;
        const InstrumentState& in = *market.engine().instrument(InstrumentId{1});
        in.book.for_each_order(market.engine().store(), Side::sell, [&](OrderIndex index) {
            const Order& order = market.engine().store().order(index);
            if (in.price_of(order.tick).value == 101'000) sum += order.quantity.value;
            return true;
        });
        asks[ns / 100'000'000] = sum;
    };
    result = *run(day, file, options);
    return asks;
}

TEST_F(WhatIf, WhatWeTookComesBackAndLeavesWithTheRecord) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::sell, 1'010, 50)
        .add(0, 3, Side::sell, 1'020, 200)
        .remove(10'050'000, 2)
        .add(30'000'000, 4, Side::buy, 990, 1);
    const OpenDay day = open(small);
    const market_runs::MarketFile file = with(day, {{10'000, Side::buy, 1'010, 50, 0}});
    Result result;
    auto asks = asks_over_time(day, reacting(file), result);
    EXPECT_EQ(result.groups[0].bought, 50);
    // 50 (1 - e^-t) a second after they are gone; 50 e^-t after the record's are gone as well.
    EXPECT_NEAR(static_cast<double>(asks[1]), 4.76, 1);
    EXPECT_NEAR(static_cast<double>(asks[10]), 31.6, 1);
    EXPECT_NEAR(static_cast<double>(asks[20]), 43.2, 1);
    EXPECT_EQ(asks[100], 50);
    EXPECT_NEAR(static_cast<double>(asks[110]), 18.4, 1);
    EXPECT_EQ(asks[290], 0);
    EXPECT_EQ(result.reaction->added, 50);
    EXPECT_EQ(result.reaction->cancelled, 50);
    EXPECT_EQ(result.reaction->filled, 0);
    asks = asks_over_time(day, file, result);
    EXPECT_TRUE(asks.empty() || asks.rbegin()->second == 0) << "nobody reacts unless asked to";
}

TEST_F(WhatIf, AReactionStaysBehindOwnOrdersAndDoesNotTradeWithThem) {
    SmallDay small;
    small.listed(1, "AAPL")
        .add(0, 1, Side::buy, 1'000, 100)
        .add(0, 2, Side::buy, 990, 100)
        .add(0, 3, Side::sell, 1'010, 50)
        .add(5'000'000, 4, Side::sell, 1'050, 1);
    const OpenDay day = open(small);
    // The rest of our order is the best ask at the price of the bid that it took.
    const Result result =
        replay(day, reacting(with(day, {{10'000, Side::sell, 1'000, 150, 2'000'000'000}})));
    EXPECT_EQ(result.groups[0].sold, 100) << "and nothing with the reaction";
    EXPECT_EQ(result.reaction->filled, 0);
    // From 2 s, when it is cancelled, to 5 s: 100 (1 - e^-3), and what was owed by then.
    EXPECT_NEAR(static_cast<double>(result.reaction->added), 95, 5);
}

}  // namespace
}  // namespace damrak::what_if::changed_market_test
