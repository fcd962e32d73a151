// Sections 7 to 11 of the rule book: minimum quantity, post-only, limits, stops, cancel and
// replace.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>

#include "reference/exchange.hpp"

namespace damrak::reference::orders_test {
namespace {

using ::testing::ElementsAre;

TEST(MinimumQuantity, order_is_held_until_it_can_trade) {
    Exchange exchange;
    exchange.add(sell(3, 100).by(2));
    EXPECT_THAT(
        exchange.enter(buy(10, 100).at_least(5)),
        ElementsAre("accepted #2 10@100 left 10 shows 0", "rested #2>2 0@100 left 10 shows 0"));
    EXPECT_EQ(exchange.events().back().flags,
              EventFlags::k_on_book | EventFlags::k_hidden | EventFlags::k_held);
    EXPECT_THAT(exchange.enter(sell(4, 101).by(3)),
                ElementsAre("accepted #3 4@101 left 4 shows 4"));
    EXPECT_THAT(exchange.enter(sell(4, 100).by(3)),
                ElementsAre("accepted #4 4@100 left 4 shows 4"));
    EXPECT_THAT(exchange.enter(sell(5, 100).by(3)),
                ElementsAre("accepted #5 5@100 left 5 shows 0", "executed #2 5@100 left 5 shows 0",
                            "executed #5 5@100 left 0 shows 0", "executed #1 3@100 left 0 shows 0",
                            "executed #2 3@100 left 2 shows 0", "executed #4 2@100 left 2 shows 2",
                            "executed #2 2@100 left 0 shows 0"));
    EXPECT_EQ(exchange.events().at(1).flags, EventFlags::k_on_book | EventFlags::k_hidden);
}

TEST(MinimumQuantity, held_order_that_traded_is_a_plain_hidden_one) {
    Exchange exchange;
    exchange.add(buy(10, 100).at_least(5));
    exchange.enter(sell(5, 100).by(3));
    EXPECT_THAT(exchange.enter(sell(1, 100).by(3)),
                ElementsAre("accepted #3 1@100 left 1 shows 0", "executed #1 1@100 left 4 shows 0",
                            "executed #3 1@100 left 0 shows 0"));
}

TEST(MinimumQuantity, immediate_order_is_cancelled_instead) {
    Exchange exchange;
    exchange.add(sell(3, 100).by(2));
    EXPECT_THAT(exchange.enter(buy(10, 100).at_least(5).tif(TimeInForce::ioc)),
                ElementsAre("accepted #2 10@100 left 10 shows 0",
                            "cancelled:minimum_quantity #2 10@100 left 0 shows 0"));
}

TEST(PostOnly, is_rejected_or_repriced_one_tick_behind) {
    Exchange exchange;
    exchange.add(sell(3, 100).by(2));
    EXPECT_THAT(exchange.enter(buy(1, 100).flag(CommandFlags::k_post_only)),
                ElementsAre("rejected:post_only_would_trade #0 1@100 left 0 shows 0"));
    EXPECT_THAT(exchange.enter(buy(1, 105).flag(CommandFlags::k_post_only_reprice)),
                ElementsAre("accepted #2 1@99 left 1 shows 1"));
    EXPECT_EQ(exchange.events().at(0).flags, EventFlags::k_on_book | EventFlags::k_repriced);
}

TEST(Limits, each_has_its_reason_and_is_checked_in_order) {
    Exchange exchange;
    Command command{};
    command.participant = ParticipantId{1};
    const auto reason_with = [&](const LimitDetails& limits, const Draft& draft) {
        command.limits = limits;
        exchange.apply_kind(CommandKind::set_limits, command);
        return exchange.apply(draft.command).at(0).reason;
    };
    exchange.add(buy(10, 100));
    EXPECT_EQ(reason_with({.order_quantity = Quantity{4}}, buy(5, 100)),
              Reason::limit_order_quantity);
    EXPECT_EQ(reason_with({.order_notional = 499}, buy(5, 100)), Reason::limit_order_notional);
    EXPECT_EQ(reason_with({.open_orders = 1}, buy(5, 100)), Reason::limit_open_orders);
    EXPECT_EQ(reason_with({.open_notional = 1'499}, buy(5, 100)), Reason::limit_open_notional);
    EXPECT_EQ(reason_with({.position = Quantity{14}}, buy(5, 100)), Reason::limit_position);
    EXPECT_EQ(reason_with({.open_notional = 1'500, .position = Quantity{15}}, buy(5, 100)),
              Reason::none);
}

TEST(Limits, replace_takes_the_old_share_out_first) {
    Exchange exchange;
    Command command{};
    command.participant = ParticipantId{1};
    command.limits = {.open_orders = 1, .open_notional = 1'000, .position = Quantity{10}};
    exchange.apply_kind(CommandKind::set_limits, command);
    exchange.add(buy(10, 100));
    EXPECT_THAT(exchange.replace(1, 10, 99), ElementsAre("replaced #1>2 0@99 left 10 shows 10"));
    exchange.replace(2, 10, 101);
    EXPECT_EQ(exchange.events().at(0).reason, Reason::limit_open_notional);
}

TEST(Stops, wait_for_a_trade_and_cascade_in_order) {
    Exchange exchange;
    exchange.add(sell(1, 100).by(2));
    exchange.add(sell(1, 102).by(2));
    exchange.add(sell(1, 103).by(2));
    EXPECT_THAT(exchange.enter(buy(1).by(3).stop(102)),
                ElementsAre("accepted #4 1@0 left 1 shows 0"));
    EXPECT_EQ(exchange.events().at(0).flags, EventFlags::k_waiting);
    exchange.add(buy(1).by(3).stop(100));
    EXPECT_THAT(exchange.enter(buy(1, 100)),
                ElementsAre("accepted #6 1@100 left 1 shows 0", "executed #1 1@100 left 0 shows 0",
                            "executed #6 1@100 left 0 shows 0", "triggered #5 0@0 left 1 shows 0",
                            "executed #2 1@102 left 0 shows 0", "executed #5 1@102 left 0 shows 0",
                            "triggered #4 0@0 left 1 shows 0", "executed #3 1@103 left 0 shows 0",
                            "executed #4 1@103 left 0 shows 0"));
}

TEST(Stops, whose_condition_holds_on_entry_trigger_at_once) {
    Exchange exchange;
    exchange.add(sell(1, 100).by(2));
    exchange.add(buy(1, 100));
    EXPECT_THAT(
        exchange.enter(sell(1, 105).stop(100)),
        ElementsAre("accepted #3 1@105 left 1 shows 0", "triggered #3 0@105 left 1 shows 1"));
    EXPECT_EQ(exchange.events().at(1).order_type, OrderType::limit);
}

TEST(Cancel, takes_the_reserve_first_and_keeps_the_place) {
    Exchange exchange;
    exchange.add(sell(10, 100).show(4));
    exchange.add(sell(1, 100).by(2));
    EXPECT_THAT(exchange.cancel(1, 7), ElementsAre("cancelled:requested #1 7@100 left 3 shows 3"));
    exchange.enter(buy(1, 100).by(3));
    EXPECT_EQ(exchange.events().at(1).order_id, OrderId{1});
}

TEST(Cancel, of_more_than_the_open_quantity_takes_all) {
    Exchange exchange;
    exchange.add(sell(10, 100));
    EXPECT_THAT(exchange.cancel(1, 11),
                ElementsAre("cancelled:requested #1 10@100 left 0 shows 0"));
    EXPECT_THAT(exchange.cancel(1), ElementsAre("rejected:unknown_order #1 0@0 left 0 shows 0"));
}

TEST(Cancel, of_another_participant_is_refused) {
    Exchange exchange;
    exchange.add(sell(10, 100));
    EXPECT_THAT(exchange.cancel(1, 0, 2), ElementsAre("rejected:not_owner #1 0@0 left 0 shows 0"));
}

TEST(Replace, keeps_priority_only_at_the_same_price_without_more_quantity) {
    const auto first_hit_after = [](auto&& replace) {
        Exchange exchange;
        exchange.add(sell(5, 100));
        exchange.add(sell(5, 100).by(2));
        replace(exchange);
        exchange.enter(buy(1, 100).by(3));
        return exchange.events().at(1).order_id.value;
    };
    EXPECT_EQ(first_hit_after([](Exchange& e) { e.replace(1, 4, 100); }), 1U);
    EXPECT_EQ(first_hit_after([](Exchange& e) { e.replace(1, 5, 100); }), 1U);
    EXPECT_EQ(first_hit_after([](Exchange& e) { e.replace(1, 6, 100); }), 2U);
    EXPECT_EQ(
        first_hit_after([](Exchange& e) { e.replace(1, 5, 100, CommandFlags::k_lose_priority); }),
        2U);
}

TEST(Replace, of_the_total_quantity_subtracts_the_executed_part) {
    Exchange exchange;
    exchange.add(sell(10, 100));
    exchange.add(buy(4, 100).by(2));
    EXPECT_THAT(exchange.replace(1, 8, 100, CommandFlags::k_quantity_is_total),
                ElementsAre("replaced #1>1 0@100 left 4 shows 4"));
    EXPECT_THAT(exchange.replace(1, 4, 100, CommandFlags::k_quantity_is_total),
                ElementsAre("rejected:invalid_quantity #1 4@100 left 0 shows 0"));
}

TEST(Replace, that_crosses_trades) {
    Exchange exchange;
    exchange.add(sell(10, 105));
    exchange.add(buy(4, 100).by(2));
    EXPECT_THAT(
        exchange.replace(1, 10, 100),
        ElementsAre("replaced #1>3 0@100 left 10 shows 0", "executed #2 4@100 left 0 shows 0",
                    "executed #3 4@100 left 6 shows 0", "rested #3>3 0@100 left 6 shows 6"));
}

TEST(Replace, moves_a_pending_stop_to_the_end_of_its_stop_price) {
    Exchange exchange;
    exchange.add(buy(1).stop(105));
    exchange.add(buy(1).stop(105));
    EXPECT_THAT(exchange.replace(1, 2, 0, 0, 105), ElementsAre("replaced #1>3 0@0 left 2 shows 0"));
    EXPECT_EQ(exchange.market().buy_stops.at(Price{105}).front().id, OrderId{2});
}

TEST(MassCancel, follows_the_visiting_order) {
    Exchange exchange;
    exchange.add(sell(1, 101));
    exchange.add(buy(1, 99));
    exchange.add(buy(1, 100).flag(CommandFlags::k_hidden));
    exchange.add(buy(1, 100).by(2));
    Command command{};
    command.participant = ParticipantId{1};
    command.flags = CommandFlags::k_both_sides;
    EXPECT_THAT(exchange.apply_kind(CommandKind::mass_cancel, command),
                ElementsAre("cancelled:mass_cancel #3 1@100 left 0 shows 0",
                            "cancelled:mass_cancel #2 1@99 left 0 shows 0",
                            "cancelled:mass_cancel #1 1@101 left 0 shows 0",
                            "mass_cancelled #0 3@0 left 0 shows 0"));
}

TEST(ParticipantState, blocked_cancels_all_and_rejects_later_orders) {
    Exchange exchange;
    exchange.add(sell(1, 101));
    Command command{};
    command.participant = ParticipantId{1};
    command.participant_state = ParticipantState::blocked;
    EXPECT_THAT(exchange.apply_kind(CommandKind::set_participant_state, command),
                ElementsAre("participant_state_changed #0 1@0 left 0 shows 0",
                            "cancelled:participant_kill #1 1@101 left 0 shows 0",
                            "mass_cancelled #0 1@0 left 0 shows 0"));
    EXPECT_EQ(exchange.apply(buy(1, 100).command).at(0).reason, Reason::participant_blocked);
}

TEST(Expiry, by_time_then_order_id_and_day_orders_at_the_end_of_the_day) {
    Exchange exchange;
    exchange.add(sell(1, 101).until(20));
    exchange.add(sell(1, 102).until(10));
    exchange.add(sell(1, 103).until(30));
    exchange.add(sell(1, 104));
    Command command{};
    command.timestamp = Timestamp{20};
    EXPECT_THAT(exchange.apply_kind(CommandKind::tick, command),
                ElementsAre("expired:good_till_date #2 1@102 left 0 shows 0",
                            "expired:good_till_date #1 1@101 left 0 shows 0"));
    EXPECT_THAT(exchange.apply_kind(CommandKind::end_day),
                ElementsAre("expired:end_of_day #4 1@104 left 0 shows 0",
                            "day_ended #0 1@0 left 0 shows 0"));
}

TEST(Halt, refuses_orders_but_not_cancels) {
    Exchange exchange;
    exchange.add(sell(1, 101));
    Command command{};
    command.instrument = InstrumentId{1};
    command.trading_state = TradingState::halted;
    exchange.apply_kind(CommandKind::set_trading_state, command);
    EXPECT_EQ(exchange.apply(buy(1, 100).command).at(0).reason, Reason::instrument_halted);
    EXPECT_THAT(exchange.cancel(1), ElementsAre("cancelled:requested #1 1@101 left 0 shows 0"));
}

TEST(Query, reports_executed_and_open_quantity) {
    Exchange exchange;
    exchange.add(sell(10, 100));
    exchange.add(buy(4, 100).by(2));
    EXPECT_THAT(exchange.apply_kind(CommandKind::query_order,
                                    Exchange::target(CommandKind::query_order, 1, 1)),
                ElementsAre("order_status #1 4@100 left 6 shows 6"));
}

TEST(Capacity, full_stores_reject_with_their_reason) {
    Exchange exchange{{.maximum_orders = 2, .maximum_extensions = 1, .maximum_accounts = 1}};
    EXPECT_EQ(exchange.apply(buy(2, 100).show(1).command).at(0).reason, Reason::none);
    EXPECT_EQ(exchange.apply(buy(2, 100).show(1).command).at(0).reason, Reason::extensions_full);
    EXPECT_EQ(exchange.apply(buy(2, 100).by(2).command).at(0).reason, Reason::accounts_full);
    EXPECT_EQ(exchange.apply(buy(2, 100).command).at(0).reason, Reason::none);
    EXPECT_EQ(exchange.apply(buy(2, 100).command).at(0).reason, Reason::orders_full);
}

}  // namespace
}  // namespace damrak::reference::orders_test
