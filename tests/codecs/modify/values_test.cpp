// Sizes, prices, windows and delays, and what a day of limited depth refuses.
#include <algorithm>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/wire/itch/view_mark.hpp>

#include "modified_day.hpp"

namespace damrak::modify::values_test {
namespace {

using namespace damrak::modify::testing;
using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::uint64_t k_days = 3;

TEST(Scale, SizesAreTheFactorTimesTheRecordedOnesWithinHalfAShare) {
    const Messages day = RichDay{1}.messages();
    for (const double factor : {0.001, 0.3, 2.5, 1'000.0}) {
        const Made made = make({.scale_factor = factor}, day);
        const auto before = all_of<itch::AddOrder>(day);
        const auto after = all_of<itch::AddOrder>(made.messages);
        ASSERT_EQ(before.size(), after.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_NEAR(after[i].shares, std::max(before[i].shares * factor, 1.0), 0.5);
        // What an order has left is scaled as well, so each one ends when it did.
        for (std::int64_t hour = 10; hour < 16; ++hour) {
            const auto recorded = queues_of(books_of(day, hour * k_hour_ns));
            const auto made_queues = queues_of(books_of(made.messages, hour * k_hour_ns));
            ASSERT_EQ(recorded.size(), made_queues.size());
            for (std::size_t i = 0; i < recorded.size(); ++i)
                EXPECT_EQ(recorded[i].substr(0, recorded[i].find(':')),
                          made_queues[i].substr(0, made_queues[i].find(':')));
        }
        expect_valid(made.messages, fmt::format("scale {}", factor));
    }
}

TEST(Scale, WhatAMessageCannotHoldIsCappedAndCounted) {
    const Messages day{itch::AddOrder{.stock_locate = 1,
                                      .order_ref = 7,
                                      .shares = 4'000'000'000,
                                      .stock = {},
                                      .price_e4 = 10'000}};
    const Made made = make({.scale_factor = 2}, day);
    EXPECT_EQ(std::get<itch::AddOrder>(made.messages.front()).shares, 4'294'967'295U);
    EXPECT_EQ(made.report.of(Count::scale_capped), 1U);
}

TEST(Tick, BidsGoDownAndAsksUpToTheGrid) {
    const Messages day = RichDay{1}.messages();
    constexpr std::uint32_t k_tick = 700;
    const Made made = make({.tick_e4 = k_tick}, day);
    const auto before = all_of<itch::AddOrder>(day);
    const auto after = all_of<itch::AddOrder>(made.messages);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(after[i].price_e4 % k_tick, 0U);
        const bool is_bid = before[i].side == Side::buy;
        const auto moved = std::int64_t{after[i].price_e4} - std::int64_t{before[i].price_e4};
        EXPECT_THAT(is_bid ? -moved : moved, AllOf(::testing::Ge(0), ::testing::Lt(k_tick)));
    }
    for (const auto& trade : all_of<itch::Trade>(made.messages))
        EXPECT_EQ(trade.price_e4 % k_tick, 0U);
    expect_valid(made.messages, "tick");
}

TEST(Tick, AnOrderForWhichTheGridHasNoPriceIsLeftOut) {
    const auto add = [](std::uint64_t reference, Side side, std::uint32_t price_e4) {
        return itch::AddOrder{.stock_locate = 1,
                              .order_ref = reference,
                              .side = side,
                              .shares = 100,
                              .stock = {},
                              .price_e4 = price_e4};
    };
    const Messages day{
        add(1, Side::buy, 900),
        add(2, Side::buy, 5'000),
        add(3, Side::sell, 1'999'995'000),
        itch::OrderReplace{
            .stock_locate = 1, .order_ref = 2, .new_order_ref = 4, .shares = 100, .price_e4 = 100},
        itch::OrderExecuted{.stock_locate = 1, .order_ref = 4, .executed_shares = 100},
        itch::OrderDelete{.stock_locate = 1, .order_ref = 1}};
    const Made made = make({.tick_e4 = 1'000}, day);
    const Messages expected{add(2, Side::buy, 5'000), add(3, Side::sell, 1'999'995'000),
                            itch::OrderDelete{.stock_locate = 1, .order_ref = 2}};
    EXPECT_EQ(made.messages, expected);
    EXPECT_EQ(made.report.of(Count::tick_unpriced), 2U);
}

TEST(Window, BeginsWithTheBooksOfItsTime) {
    for (std::uint64_t seed = 1; seed <= k_days; ++seed) {
        const Messages day = RichDay{seed}.messages();
        const std::int64_t from_ns = 11 * k_hour_ns + 123;
        const std::int64_t until_ns = 13 * k_hour_ns;
        const Made made = make({.window = {.from_ns = from_ns, .until_ns = until_ns}}, day);
        for (const std::int64_t time_ns : {from_ns, 12 * k_hour_ns, until_ns})
            EXPECT_EQ(queues_of(books_of(made.messages, time_ns)),
                      queues_of(books_of(day, time_ns)));
        EXPECT_EQ(queues_of(books_of(made.messages)), queues_of(books_of(day, until_ns)));
        for (const auto& trade : all_of<itch::OrderExecuted>(made.messages))
            EXPECT_THAT(trade.timestamp_ns, AllOf(::testing::Ge(from_ns), ::testing::Le(until_ns)));
        EXPECT_EQ(all_of<itch::SystemEvent>(made.messages), all_of<itch::SystemEvent>(day));
        expect_valid(made.messages, "window");
    }
}

TEST(Delay, EachOrderHasOneDelayBetweenTheLimits) {
    const Messages day = RichDay{1}.messages();
    constexpr std::int64_t k_least = 1'000'000;
    constexpr std::int64_t k_most = 900'000'000;
    const Made made = make({.delay = {.least_ns = k_least, .most_ns = k_most}}, day);
    const auto times = [](const Messages& messages) {
        std::map<std::uint64_t, std::vector<std::int64_t>> of_order;
        for (const itch::Message& one : messages)
            if (reference_of(one) != 0) of_order[reference_of(one)].push_back(time_of(one));
        return of_order;
    };
    const Chains chains{day};
    const std::int64_t end_ns = time_of(day.back());
    std::map<std::uint64_t, std::int64_t> delays;
    const auto after = times(made.messages);
    for (const auto& [reference, before] : times(day)) {
        ASSERT_EQ(before.size(), after.at(reference).size());
        for (std::size_t i = 0; i < before.size(); ++i) {
            const std::int64_t delay_ns = after.at(reference)[i] - before[i];
            if (after.at(reference)[i] == end_ns) continue;  // cut short
            EXPECT_GE(delay_ns, k_least);
            EXPECT_LE(delay_ns, k_most);
            EXPECT_EQ(delays.emplace(chains.first(reference), delay_ns).first->second, delay_ns);
        }
    }
    expect_valid(made.messages, "delay");
}

TEST(Delay, OfCancelsLeavesAddsAtTheirTime) {
    const Messages day = RichDay{1}.messages();
    const Made made = make({.delay = {.least_ns = 50, .most_ns = 50, .of = Delayed::cancels}}, day);
    EXPECT_EQ(all_of<itch::AddOrder>(made.messages), all_of<itch::AddOrder>(day));
    const auto before = all_of<itch::OrderDelete>(day);
    const auto after = all_of<itch::OrderDelete>(made.messages);
    ASSERT_EQ(before.size(), after.size());
    for (std::size_t i = 0; i < before.size(); ++i)
        EXPECT_EQ(after[i].timestamp_ns, before[i].timestamp_ns + 50);
    expect_valid(made.messages, "delay of cancels");
}

TEST(Delay, WhatFollowsADelayedReplaceWaitsForIt) {
    const Messages day{
        itch::AddOrder{.stock_locate = 1,
                       .timestamp_ns = 5,
                       .order_ref = 7,
                       .shares = 100,
                       .stock = {},
                       .price_e4 = 10'000},
        itch::OrderReplace{.stock_locate = 1,
                           .timestamp_ns = 10,
                           .order_ref = 7,
                           .new_order_ref = 8,
                           .shares = 90,
                           .price_e4 = 10'000},
        itch::OrderExecuted{
            .stock_locate = 1, .timestamp_ns = 20, .order_ref = 8, .executed_shares = 90}};
    const Made made = make({.delay = {.least_ns = 50, .most_ns = 50, .of = Delayed::cancels}}, day);
    ASSERT_EQ(made.messages.size(), 3U);
    EXPECT_EQ(time_of(made.messages[1]), 60);
    EXPECT_EQ(std::get<itch::OrderExecuted>(made.messages[2]).timestamp_ns, 60);
    expect_valid(made.messages, "a replace");
}

TEST(Delay, NothingComesAfterTheEndOfMessages) {
    const itch::AddOrder order = one_order();
    const itch::SystemEvent end{.timestamp_ns = 20, .event_code = 'C'};
    const Made made = make({.delay = {.least_ns = 50, .most_ns = 50}}, {order, end});
    itch::AddOrder expected = order;
    expected.timestamp_ns = 20;
    EXPECT_EQ(made.messages, (Messages{expected, end}));
    EXPECT_EQ(made.report.of(Count::delay_cut), 1U);
}

// Of a day of limited depth only what cannot bring up a level that is not known.
TEST(LimitedDepth, WhatWouldBringUpUnknownLevelsIsRefusedByName) {
    const Messages day{
        itch::SystemEvent{.tracking_number = itch::k_made_by_view, .event_code = 'O'},
        itch::StockDirectory{.stock_locate = 1, .tracking_number = 5}};
    const auto error_of = [&](const Modification& modification) {
        Modifier modifier{modification, 0, [](const itch::Message&) {}};
        for (const itch::Message& message : day) modifier.put(message);
        const Modifier told{modification, 5, [](const itch::Message&) {}};
        EXPECT_EQ(modifier.error(), told.error());
        return modifier.error();
    };
    EXPECT_THAT(error_of({.file = "m.toml", .thin_share = 0.1}),
                AllOf(HasSubstr("m.toml: [thin]"), HasSubstr("best 5")));
    EXPECT_THAT(error_of({.drop = {.bids = true}}), HasSubstr("[drop] of orders"));
    EXPECT_THAT(error_of({.tick_e4 = 2}), HasSubstr("[tick]"));
    EXPECT_THAT(error_of({.delay = {.most_ns = 1}}), HasSubstr("[delay]"));
    EXPECT_EQ(error_of({.window = {.from_ns = 1},
                        .drop = {.executions = true, .hidden_trades = true},
                        .scale_factor = 0.5}),
              "");
}

TEST(LimitedDepth, OrdersOfAWindowsStartAreMarkedAsTheViews) {
    const itch::AddOrder order = one_order();
    const Messages day{
        itch::SystemEvent{.tracking_number = itch::k_made_by_view, .event_code = 'O'}, order,
        itch::SystemEvent{.timestamp_ns = 20, .event_code = 'C'}};
    const Made made = make({.window = {.from_ns = 10}}, day);
    itch::AddOrder expected = order;
    expected.tracking_number = itch::k_made_by_view;
    expected.timestamp_ns = 10;
    EXPECT_EQ(made.messages, (Messages{day[0], expected, day[2]}));
}

}  // namespace
}  // namespace damrak::modify::values_test
