// What a modification makes of generated days: a valid day, the same for the same seed, without the
// orders and messages that it leaves out.
#include <damrak/modify/modifier.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "modified_day.hpp"

namespace damrak::modify::modifier_test {
namespace {

using namespace damrak::modify::testing;

constexpr std::uint64_t k_days = 3;
// Each table with an even chance.
Modification drawn(std::uint64_t seed) {
    RandomStream random{seed};
    Modification m{.file = "drawn", .seed = random.next()};
    const auto part = [&] { return random.below(1'000) / 1'000.0; };
    if (random.coin()) m.window.from_ns = 10 * k_hour_ns + random.below(1'000'000'000);
    if (random.coin()) m.window.until_ns = 15 * k_hour_ns;
    if (random.coin()) m.thin_share = part();
    if (random.coin()) m.scale_factor = std::pow(10.0, 4 * part() - 2);
    if (random.coin()) m.tick_e4 = 1 + random.below(20'000);
    if (random.coin()) {
        m.delay.least_ns = std::int64_t{20} * random.below(1'000'000'000);
        m.delay.most_ns = m.delay.least_ns + std::int64_t{20} * random.below(2'000'000'000);
        if (random.coin()) m.delay.of = Delayed::cancels;
    }
    if (random.coin()) {
        Drop& d = m.drop;
        for (bool* one :
             {&d.attributed, &d.executions, &d.hidden_trades, &d.crosses, &d.imbalances, &d.halts})
            *one = random.coin();
        if (random.below(4) == 0) (random.coin() ? d.bids : d.asks) = true;
        if (random.coin()) d.smaller_than = random.below(300);
        if (random.coin()) d.larger_than = 200 + random.below(800);
    }
    return m;
}

TEST(Modifier, EveryCombinationGivesAValidDayAndCountsWhatItDid) {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
        const Messages day = RichDay{seed, 1'000}.messages();
        const Modification modification = drawn(seed);
        const std::string what = fmt::format("{}: {}", seed, identity_of(modification));
        const Made made = make(modification, day);
        expect_valid(made.messages, what);
        expect_all_counted(made.report, what);
        EXPECT_EQ(made.report.of(Count::messages_in), day.size());
        EXPECT_EQ(made.report.of(Count::messages_out), made.messages.size());
        const Made again = make(modification, day);
        EXPECT_EQ(made.messages, again.messages) << what;
        EXPECT_EQ(made.report, again.report) << what;
    }
}

TEST(Modifier, WithoutAnEffectTheDayIsItself) {
    for (std::uint64_t seed = 1; seed <= k_days; ++seed) {
        const Messages day = RichDay{seed}.messages();
        const Made made = make({.seed = seed, .delay = {.of = Delayed::cancels}}, day);
        EXPECT_EQ(made.messages, day);
        for (std::size_t i = 2; i < k_counts.size(); ++i) EXPECT_EQ(made.report.all()[i], 0U) << i;
    }
}

TEST(Modifier, MessagesThatNoValidDayHasStayWhatTheyAre) {
    const itch::AddOrder order = one_order();
    itch::AddOrder none = order;
    none.shares = 0;
    const Messages day{
        none, order, order,
        itch::OrderExecuted{
            .stock_locate = 1, .timestamp_ns = 6, .order_ref = 7, .executed_shares = 300},
        itch::OrderDelete{.stock_locate = 1, .timestamp_ns = 4, .order_ref = 8}};
    EXPECT_EQ(make({}, day).messages, day);
}

// Messages of any sequence about a few orders, most of them errors.
itch::Message any_message(RandomStream& random, std::int64_t time_ns) {
    const std::uint64_t order = random.below(6);
    const std::uint32_t shares = random.below(4);
    const std::uint32_t price_e4 = random.below(3) * 1'000'000'000;
    const Side side = random.coin() ? Side::buy : Side::sell;
    switch (random.below(8)) {
        case 0:
            return itch::OrderExecuted{.stock_locate = 1,
                                       .timestamp_ns = time_ns,
                                       .order_ref = order,
                                       .executed_shares = shares,
                                       .match_number = order};
        case 1:
            return itch::OrderExecutedWithPrice{.timestamp_ns = time_ns,
                                                .order_ref = order,
                                                .executed_shares = shares,
                                                .match_number = order,
                                                .execution_price_e4 = price_e4};
        case 2:
            return itch::OrderCancel{.stock_locate = 1,
                                     .timestamp_ns = time_ns,
                                     .order_ref = order,
                                     .cancelled_shares = shares};
        case 3:
            return itch::OrderDelete{
                .stock_locate = 1, .timestamp_ns = time_ns, .order_ref = order};
        case 4:
            return itch::OrderReplace{.stock_locate = 1,
                                      .timestamp_ns = time_ns,
                                      .order_ref = order,
                                      .new_order_ref = random.below(6),
                                      .shares = shares,
                                      .price_e4 = price_e4};
        case 5:
            return itch::BrokenTrade{.timestamp_ns = time_ns, .match_number = order};
        default:
            return itch::AddOrder{.stock_locate = 1,
                                  .timestamp_ns = time_ns,
                                  .order_ref = order,
                                  .side = side,
                                  .shares = shares,
                                  .stock = {},
                                  .price_e4 = price_e4};
    }
}

TEST(Modifier, WhateverTheMessagesEachIsCountedAndNoneChangesWithoutAnEffect) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        RandomStream random{seed};
        Messages day;
        for (std::int64_t i = 0; i < 200; ++i)
            day.push_back(any_message(random, 10 * k_hour_ns + i * 10'000'000 - (i % 7)));
        const Modification modification = drawn(seed);
        expect_all_counted(make(modification, day).report, identity_of(modification));
        EXPECT_EQ(make({}, day).messages, day);
    }
}

TEST(Thin, LeavesOutTheShareOfOrdersWithAllOfTheirMessages) {
    for (std::uint64_t seed = 1; seed <= k_days; ++seed) {
        const Messages day = RichDay{seed}.messages();
        const Chains chains{day};
        for (const double share : {0.1, 0.5, 1.0}) {
            const Made made = make({.seed = seed, .thin_share = share}, day);
            const Chains left{made.messages};
            Messages expected;
            for (const itch::Message& message : day) {
                const std::uint64_t reference = reference_of(message);
                if (reference != 0 && !left.orders().contains(chains.first(reference))) continue;
                expected.push_back(message);
            }
            // What is not about an order stays, except for hidden trades and broken ones.
            const auto about_orders = [](Messages messages) {
                std::erase_if(messages, [](const itch::Message& one) {
                    return std::holds_alternative<itch::Trade>(one) ||
                           std::holds_alternative<itch::BrokenTrade>(one);
                });
                return messages;
            };
            EXPECT_EQ(about_orders(made.messages), about_orders(expected));
            const auto n = static_cast<double>(chains.orders().size());
            const auto gone = static_cast<double>(chains.orders().size() - left.orders().size());
            EXPECT_NEAR(gone, n * share, 4 * std::sqrt(n * share * (1 - share)));
            EXPECT_EQ(made.report.of(Count::thin_orders), static_cast<std::uint64_t>(gone));
            EXPECT_EQ(made.report.of(Count::thin_trades),
                      all_of<itch::Trade>(day).size() - all_of<itch::Trade>(made.messages).size());
        }
    }
}

TEST(Thin, OfALargerShareLeavesOutTheSameOrdersAndMore) {
    const Messages day = RichDay{1}.messages();
    const Chains third{make({.thin_share = 1.0 / 3}, day).messages};
    const Chains half{make({.thin_share = 0.5}, day).messages};
    EXPECT_TRUE(std::ranges::includes(third.orders(), half.orders()));
    const Chains other{make({.seed = 2, .thin_share = 0.5}, day).messages};
    EXPECT_NE(half.orders(), other.orders());
}

TEST(Drop, OrdersOfAClassGoWithAllOfTheirMessages) {
    const Messages day = RichDay{1}.messages();
    struct Case {
        Drop drop;
        std::function<bool(const itch::AddOrder&, bool is_attributed)> is_dropped;
    };
    const std::vector<Case> cases{
        {{.bids = true}, [](const auto& m, bool) { return m.side == Side::buy; }},
        {{.asks = true}, [](const auto& m, bool) { return m.side == Side::sell; }},
        {{.attributed = true}, [](const auto&, bool is_attributed) { return is_attributed; }},
        {{.smaller_than = 100}, [](const auto& m, bool) { return m.shares < 100; }},
        {{.larger_than = 100}, [](const auto& m, bool) { return m.shares > 100; }},
    };
    for (const Case& one : cases) {
        std::set<std::uint64_t> expected;
        for (const auto& m : all_of<itch::AddOrder>(day))
            if (!one.is_dropped(m, false)) expected.insert(m.order_ref);
        for (const auto& m : all_of<itch::AddOrderAttributed>(day))
            if (!one.is_dropped({.side = m.side, .shares = m.shares}, true))
                expected.insert(m.order_ref);
        const Made made = make({.drop = one.drop}, day);
        EXPECT_EQ(Chains{made.messages}.orders(), expected);
        EXPECT_LT(made.messages.size(), day.size());
        EXPECT_EQ(made.report.of(Count::drop_orders),
                  Chains{day}.orders().size() - expected.size());
        expect_valid(made.messages, "drop");
    }
}

TEST(Drop, ExecutionsAreCancelsInsteadSoThatTheBookIsTheRecordedOne) {
    const Messages day = RichDay{1}.messages();
    const Made made = make({.drop = {.executions = true}}, day);
    EXPECT_TRUE(all_of<itch::OrderExecuted>(made.messages).empty());
    EXPECT_TRUE(all_of<itch::OrderExecutedWithPrice>(made.messages).empty());
    for (std::int64_t hour = 10; hour < 16; ++hour)
        EXPECT_EQ(queues_of(books_of(made.messages, hour * k_hour_ns)),
                  queues_of(books_of(day, hour * k_hour_ns)));
    EXPECT_EQ(
        made.report.of(Count::drop_cancelled),
        all_of<itch::OrderExecuted>(day).size() + all_of<itch::OrderExecutedWithPrice>(day).size());
    EXPECT_TRUE(all_of<itch::BrokenTrade>(made.messages).empty());
}

TEST(Drop, MessagesOfAKindGo) {
    const Messages day = RichDay{1}.messages();
    const Made made = make(
        {.drop = {.hidden_trades = true, .crosses = true, .imbalances = true, .halts = true}}, day);
    EXPECT_TRUE(all_of<itch::Trade>(made.messages).empty());
    EXPECT_TRUE(all_of<itch::CrossTrade>(made.messages).empty());
    EXPECT_TRUE(all_of<itch::NetOrderImbalance>(made.messages).empty());
    for (const auto& action : all_of<itch::StockTradingAction>(made.messages))
        EXPECT_EQ(action.trading_state, 'T');
    EXPECT_EQ(made.report.of(Count::drop_messages), day.size() - made.messages.size());
}

}  // namespace
}  // namespace damrak::modify::modifier_test
