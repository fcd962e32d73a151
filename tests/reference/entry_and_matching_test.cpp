// Sections 3 to 6 of the rule book, one test per rule.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/order_terms.hpp>

#include "reference/exchange.hpp"

namespace damrak::reference::entry_and_matching_test {
namespace {

using ::testing::ElementsAre;

TEST(Entry, limit_order_that_does_not_cross_rests) {
    Exchange exchange;
    EXPECT_THAT(exchange.enter(buy(10, 100)), ElementsAre("accepted #1 10@100 left 10 shows 10"));
    EXPECT_EQ(exchange.events().at(0).flags, EventFlags::k_on_book);
}

TEST(Entry, immediate_order_that_does_not_cross_is_cancelled_with_its_reason) {
    Exchange exchange;
    EXPECT_THAT(exchange.enter(buy(10, 100).tif(TimeInForce::ioc)),
                ElementsAre("accepted #1 10@100 left 10 shows 0",
                            "cancelled:unfilled_remainder #1 10@100 left 0 shows 0"));
    EXPECT_THAT(exchange.enter(buy(10, 100).tif(TimeInForce::fok)),
                ElementsAre("accepted #2 10@100 left 10 shows 0",
                            "cancelled:fill_or_kill #2 10@100 left 0 shows 0"));
    EXPECT_THAT(exchange.enter(buy(10).at_least(5)),
                ElementsAre("accepted #3 10@0 left 10 shows 0",
                            "cancelled:minimum_quantity #3 10@0 left 0 shows 0"));
}

TEST(Entry, the_remainder_of_a_crossing_limit_order_rests) {
    Exchange exchange;
    exchange.add(sell(4, 100).by(2));
    EXPECT_THAT(
        exchange.enter(buy(10, 101)),
        ElementsAre("accepted #2 10@101 left 10 shows 0", "executed #1 4@100 left 0 shows 0",
                    "executed #2 4@100 left 6 shows 0", "rested #2>2 0@101 left 6 shows 6"));
}

TEST(Matching, better_prices_first_then_time_then_hidden) {
    Exchange exchange;
    exchange.add(sell(1, 101).by(2));
    const auto hidden = exchange.add(sell(1, 100).by(2).flag(CommandFlags::k_hidden));
    const auto first = exchange.add(sell(1, 100).by(2));
    const auto second = exchange.add(sell(1, 100).by(3));
    const auto lines = exchange.enter(buy(3));
    EXPECT_EQ(hidden, 2U);
    ASSERT_EQ(lines.size(), 7U);
    EXPECT_EQ(exchange.events()[1].order_id.value, first);
    EXPECT_EQ(exchange.events()[3].order_id.value, second);
    EXPECT_EQ(exchange.events()[5].order_id.value, hidden);
    EXPECT_EQ(exchange.events()[5].flags, EventFlags::k_hidden);
}

TEST(Matching, both_sides_of_a_trade_carry_its_number_and_the_resting_price) {
    Exchange exchange;
    exchange.add(sell(5, 100).by(2));
    exchange.enter(buy(5, 103));
    const Event& resting = exchange.events().at(1);
    const Event& incoming = exchange.events().at(2);
    EXPECT_EQ(resting.trade_id(), incoming.trade_id());
    EXPECT_EQ(resting.trade_id().value, 1U);
    EXPECT_EQ(incoming.price, Price{100});
    EXPECT_EQ(incoming.flags, EventFlags::k_aggressor);
}

TEST(Matching, used_up_slice_is_refreshed_and_joins_the_back) {
    Exchange exchange;
    exchange.add(sell(10, 100).by(2).show(4));
    exchange.add(sell(3, 100).by(3));
    EXPECT_THAT(
        exchange.enter(buy(8)),
        ElementsAre("accepted #3 8@0 left 8 shows 0", "executed #1 4@100 left 6 shows 0",
                    "executed #3 4@100 left 4 shows 0", "refreshed #1>4 0@100 left 6 shows 4",
                    "executed #2 3@100 left 0 shows 0", "executed #3 3@100 left 1 shows 0",
                    "executed #1 1@100 left 5 shows 3", "executed #3 1@100 left 0 shows 0"));
}

TEST(SelfTrade, cancel_newest_ends_the_incoming_order) {
    Exchange exchange;
    exchange.add(sell(5, 100));
    EXPECT_THAT(exchange.enter(buy(5, 100).rule(SelfTradePrevention::cancel_newest)),
                ElementsAre("accepted #2 5@100 left 5 shows 0",
                            "cancelled:self_trade #2 5@100 left 0 shows 0"));
}

TEST(SelfTrade, cancel_oldest_removes_the_resting_order_and_continues) {
    Exchange exchange;
    exchange.add(sell(5, 100));
    exchange.add(sell(5, 100).by(2));
    EXPECT_THAT(
        exchange.enter(buy(5, 100).rule(SelfTradePrevention::cancel_oldest)),
        ElementsAre("accepted #3 5@100 left 5 shows 0",
                    "cancelled:self_trade #1 5@100 left 0 shows 0",
                    "executed #2 5@100 left 0 shows 0", "executed #3 5@100 left 0 shows 0"));
}

TEST(SelfTrade, cancel_both_ends_the_resting_then_the_incoming_order) {
    Exchange exchange;
    exchange.add(sell(5, 100));
    EXPECT_THAT(exchange.enter(buy(7, 100).rule(SelfTradePrevention::cancel_both)),
                ElementsAre("accepted #2 7@100 left 7 shows 0",
                            "cancelled:self_trade #1 5@100 left 0 shows 0",
                            "cancelled:self_trade #2 7@100 left 0 shows 0"));
}

TEST(SelfTrade, decrement_takes_the_smaller_from_both_the_reserve_first) {
    Exchange exchange;
    exchange.add(sell(10, 100).show(4));
    EXPECT_THAT(exchange.enter(buy(7, 100).rule(SelfTradePrevention::decrement_and_cancel)),
                ElementsAre("accepted #2 7@100 left 7 shows 0",
                            "cancelled:self_trade #1 7@100 left 3 shows 3",
                            "cancelled:self_trade #2 7@100 left 0 shows 0"));
}

TEST(SelfTrade, skip_own_skips_and_stops_at_the_end_of_that_level) {
    Exchange exchange;
    exchange.add(sell(5, 100));
    exchange.add(sell(2, 100).by(2));
    exchange.add(sell(5, 101).by(2));
    EXPECT_THAT(
        exchange.enter(buy(7, 105).rule(SelfTradePrevention::skip_own)),
        ElementsAre("accepted #4 7@105 left 7 shows 0", "executed #2 2@100 left 0 shows 0",
                    "executed #4 2@100 left 5 shows 0", "rested #4>4 0@105 left 5 shows 0"));
}

TEST(SelfTrade, without_a_rule_own_orders_trade) {
    Exchange exchange;
    exchange.add(sell(5, 100));
    EXPECT_EQ(exchange.enter(buy(5, 100)).size(), 3U);
    EXPECT_EQ(exchange.engine().state().accounts.at({InstrumentId{1}, ParticipantId{1}}),
              Quantity{0});
}

TEST(FillOrKill, trades_completely_over_levels_and_reserves_or_not_at_all) {
    Exchange exchange;
    exchange.add(sell(6, 100).by(2).show(2));
    exchange.add(sell(4, 101).by(3).flag(CommandFlags::k_hidden));
    EXPECT_THAT(exchange.enter(buy(11, 101).tif(TimeInForce::fok)),
                ElementsAre("accepted #3 11@101 left 11 shows 0",
                            "cancelled:fill_or_kill #3 11@101 left 0 shows 0"));
    exchange.enter(buy(10, 101).tif(TimeInForce::fok));
    EXPECT_EQ(exchange.events().back().remaining, Quantity{0});
    EXPECT_EQ(exchange.events().back().kind, EventKind::executed);
}

TEST(FillOrKill, only_slices_ahead_of_an_own_order_count_if_the_rule_ends_there) {
    const auto fok = [](std::int64_t quantity) {
        return buy(quantity, 100).tif(TimeInForce::fok).rule(SelfTradePrevention::cancel_newest);
    };
    Exchange exchange;
    exchange.add(sell(6, 100).by(2).show(2));
    exchange.add(sell(4, 100));
    exchange.enter(fok(3));
    EXPECT_EQ(exchange.events().back().reason, Reason::fill_or_kill);
    exchange.enter(fok(2));
    EXPECT_EQ(exchange.events().at(2).remaining, Quantity{0});
}

}  // namespace
}  // namespace damrak::reference::entry_and_matching_test
