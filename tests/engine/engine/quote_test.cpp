// docs/rule-book/quotes.md.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::quote_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

/// One side of a quote.
struct Of {
    std::int64_t quantity = 0;
    double amount = 0;
};

template <class... Terms>
Outcome quote_in(Market& market, ParticipantId who, Of bid, Of ask, const Terms&... terms) {
    Command command{};
    command.kind = CommandKind::quote;
    command.instrument = InstrumentId{1};
    command.participant = who;
    command.price = price(bid.amount);
    command.quantity = Quantity{bid.quantity};
    command.quote = {price(ask.amount), Quantity{ask.quantity}};
    (terms(command), ...);
    return market.apply(command);
}

struct Quotes : ::testing::Test {
    template <class... Terms>
    Outcome quote(ParticipantId who, Of bid, Of ask, const Terms&... terms) {
        return quote_in(market, who, bid, ask, terms...);
    }
    Outcome protect(ParticipantId who, std::int64_t maximum, std::int64_t window) {
        Command command{};
        command.kind = CommandKind::set_quote_protection;
        command.instrument = InstrumentId{1};
        command.participant = who;
        command.quote_protection = {Quantity{maximum}, window};
        return market.apply(command);
    }
    Market market;
};

TEST_F(Quotes, HaveTwoSides) {
    quote(alice, {10, 9}, {20, 11}, client_id(7))
        .expect({"accepted #1 10@9.00 shows 10", "accepted #2 20@11.00 shows 20"});
    quote(bob, {5, 8}, {}).expect({"accepted #3 5@8.00 shows 5"});
    quote(carol, {}, {5, 12}).expect({"accepted #4 5@12.00 shows 5"});
}

TEST_F(Quotes, ReplaceTheLastOne) {
    quote(alice, {10, 9}, {20, 11});
    quote(alice, {10, 9.50}, {20, 10.50})
        .expect({"cancelled quote_replaced #1 10@9.00 left 0",
                 "cancelled quote_replaced #2 20@11.00 left 0", "accepted #3 10@9.50 shows 10",
                 "accepted #4 20@10.50 shows 20"});
    quote(alice, {10, 9}, {})
        .expect({"cancelled quote_replaced #3 10@9.50 left 0",
                 "cancelled quote_replaced #4 20@10.50 left 0", "accepted #5 10@9.00 shows 10"});
    quote(alice, {}, {}).expect({"cancelled quote_replaced #5 10@9.00 left 0"});
    quote(alice, {}, {}).expect_rejected(Reason::unknown_order);
}

TEST_F(Quotes, UnchangedPriceKeepsItsPlaceIfTheQuantityIsNotRaised) {
    quote(alice, {10, 9}, {20, 11});
    market.buy(bob, 10, at(9));
    quote(alice, {8, 9}, {21, 11})
        .expect({"cancelled quote_replaced #2 20@11.00 left 0",
                 "replaced #1>#1 @9.00 left 8 shows 8", "accepted #4 21@11.00 shows 21"});
    EXPECT_EQ(fills(market.sell(carol, 9, at(9)), 3), (std::vector<std::int64_t>{8, 0, 1}));
}

TEST_F(Quotes, TradeAtEntryAsLimitOrders) {
    market.sell(bob, 4, at(10));
    quote(alice, {10, 10}, {10, 11})
        .expect({"accepted #2 10@10.00", "executed #1 4@10.00 left 0 trade 1",
                 "executed #2 4@10.00 left 6 takes trade 1", "rested #2>#2 @10.00 left 6 shows 6",
                 "accepted #3 10@11.00 shows 10"});
}

TEST_F(Quotes, AreCheckedWhole) {
    quote(alice, {10, 9}, {20, 11});
    quote(alice, {10, 11}, {20, 11}).expect_rejected(Reason::invalid_quote);
    quote(alice, {10, 9}, {0, 11}).expect_rejected(Reason::invalid_quote);
    quote(alice, {0, 9}, {1, 11}).expect_rejected(Reason::invalid_quote);
    quote(alice, {10, 9}, {20, 11.005}).expect_rejected(Reason::price_off_tick);
    quote(alice, {10, 9}, {-1, 11}).expect_rejected(Reason::invalid_quantity);
    quote(alice, {10, 0}, {1, 11}).expect_rejected(Reason::invalid_price);
    quote(alice, {10, 9}, {20, 11}, flag(CommandFlags::k_hidden))
        .expect_rejected(Reason::invalid_flags);
    quote(alice, {10, 9}, {20, 11}, id(5)).expect_rejected(Reason::invalid_order_id);
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@9.00 (1)"));
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("20@11.00 (1)"));
}

TEST_F(Quotes, CountInLimitsWithoutTheLastOne) {
    market.set_limits(alice, {.open_orders = 2, .open_notional = 10'000'000});
    quote(alice, {50, 9}, {50, 10})
        .expect({"accepted #1 50@9.00 shows 50", "accepted #2 50@10.00 shows 50"});
    quote(alice, {50, 9}, {51, 10.80}).expect_rejected(Reason::limit_open_notional);
    quote(alice, {60, 9.01}, {40, 10.01});
    market.buy(alice, 1, at(1)).expect_rejected(Reason::limit_open_orders);
    market.cancel(alice, 3);
    market.buy(alice, 1, at(1));
    quote(alice, {1, 9}, {1, 10}).expect_rejected(Reason::limit_open_orders);
    quote(alice, {}, {1, 10})
        .expect({"cancelled quote_replaced #4 40@10.01 left 0", "accepted #6 1@10.00 shows 1"});
}

TEST_F(Quotes, AreOrdersThatOnlyQuotesChange) {
    quote(alice, {10, 9}, {20, 11});
    market.replace(alice, 1, 5, at(9)).expect_rejected(Reason::invalid_quote);
    market
        .sell(alice, 1, at(12),
              [](Command& command) {
                  command.flags |= CommandFlags::k_linked;
                  command.order.contingency = Contingency::one_cancels_other;
                  command.new_order_id = OrderId{1};
              })
        .expect_rejected(Reason::invalid_link);
    market.cancel(alice, 1).expect({"cancelled requested #1 10@9.00 left 0"});
    EXPECT_EQ(market.mass_cancel().last().quantity, Quantity{1});
    quote(alice, {10, 9}, {20, 11})
        .expect({"accepted #3 10@9.00 shows 10", "accepted #4 20@11.00 shows 20"});
    EXPECT_EQ(market.end_day().count(EventKind::expired), 2U);
}

TEST_F(Quotes, FollowThePhase) {
    market.set_phase(Phase::call);
    quote(alice, {10, 11}, {10, 12});
    market.sell(bob, 4, at(10));
    quote(alice, {10, 11}, {5, 11.50});
    market.uncross();
    EXPECT_EQ(market.position(alice), 4);
    market.set_phase(Phase::closed);
    quote(alice, {10, 9}, {20, 11}).expect_rejected(Reason::not_in_phase);
    market.set_state(TradingState::halted);
    quote(alice, {10, 9}, {20, 11}).expect_rejected(Reason::instrument_halted);
}

TEST_F(Quotes, ProtectionCancelsBothSidesOnceTheyTradedTheMaximum) {
    protect(alice, 10, 1'000).expect({"quote_protection_set 0"});
    quote(alice, {100, 9}, {100, 11});
    market.sell(bob, 9, at(9), at_time(1));
    market.buy(bob, 2, at(11), at_time(500))
        .expect({"accepted #4 2@11.00", "executed #2 2@11.00 left 98 shows 98 trade 2",
                 "executed #4 2@11.00 left 0 takes trade 2",
                 "cancelled quote_protection #1 91@9.00 left 0",
                 "cancelled quote_protection #2 98@11.00 left 0"});
}

TEST_F(Quotes, ProtectionCountsWithinItsWindow) {
    protect(alice, 10, 1'000);
    quote(alice, {100, 9}, {100, 11}, at_time(1));
    market.sell(bob, 9, at(9), at_time(1));
    market.sell(bob, 9, at(9), at_time(1'001));
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("82@9.00 (1)"));
    market.sell(bob, 1, at(9), at_time(2'000));
    EXPECT_THAT(market.depth(Side::buy), ElementsAre());
}

TEST_F(Quotes, ProtectionComesAfterTheOrderThatTrades) {
    protect(alice, 10, 1'000);
    quote(alice, {100, 9}, {100, 11});
    market.sell(bob, 60, at(9))
        .expect({"accepted #3 60@9.00", "executed #1 60@9.00 left 40 shows 40 trade 1",
                 "executed #3 60@9.00 left 0 takes trade 1",
                 "cancelled quote_protection #1 40@9.00 left 0",
                 "cancelled quote_protection #2 100@11.00 left 0"});
}

TEST_F(Quotes, ProtectionDoesNotCountWhatAQuoteTakes) {
    protect(alice, 10, 1'000);
    market.sell(bob, 20, at(9));
    quote(alice, {25, 9}, {})
        .expect({"accepted #2 25@9.00", "executed #1 20@9.00 left 0 trade 1",
                 "executed #2 20@9.00 left 5 takes trade 1", "rested #2>#2 @9.00 left 5 shows 5"});
}

TEST_F(Quotes, ProtectionIsRemovedAndRefused) {
    protect(alice, 10, 0).expect_rejected(Reason::invalid_rules);
    protect(alice, -1, 5).expect_rejected(Reason::invalid_rules);
    protect(alice, 0, 5).expect_rejected(Reason::invalid_rules);
    protect(ParticipantId{17}, 1, 5).expect_rejected(Reason::unknown_participant);
    protect(alice, 1, 5);
    protect(alice, 0, 0);
    quote(alice, {10, 9}, {});
    EXPECT_EQ(market.sell(bob, 5, at(9)).count(EventKind::cancelled), 0U);
}

TEST_F(Quotes, ProtectionsAreLimited) {
    EngineConfig config = Market::small();
    config.maximum_participants = 2'000;
    Market many(config);
    Command command{};
    command.kind = CommandKind::set_quote_protection;
    command.instrument = InstrumentId{1};
    command.quote_protection = {Quantity{1}, 1};
    for (std::uint32_t i = 1; i <= QuoteProtection::k_most; ++i) {
        command.participant = ParticipantId{i};
        many.apply(command).expect({"quote_protection_set 0"});
    }
    many.apply(command).expect({"quote_protection_set 0"});
    command.participant = ParticipantId{1'999};
    many.apply(command).expect_rejected(Reason::quote_protections_full);
}

TEST_F(Quotes, HaveTheRoomOfTheLastOne) {
    EngineConfig config = Market::small();
    config.maximum_orders = 2;
    Market narrow(config);
    quote_in(narrow, alice, {10, 9}, {20, 11});
    narrow.buy(bob, 1, at(8)).expect_rejected(Reason::orders_full);
    quote_in(narrow, alice, {10, 9.50}, {20, 10.50});
    quote_in(narrow, alice, {10, 9.50}, {});
    narrow.buy(bob, 1, at(8)).expect({"accepted #5 1@8.00 shows 1"});
    quote_in(narrow, alice, {10, 9.50}, {20, 10.50}).expect_rejected(Reason::orders_full);
    quote_in(narrow, alice, {10, 9.60}, {})
        .expect({"cancelled quote_replaced #3 10@9.50 left 0", "accepted #6 10@9.60 shows 10"});
}

TEST_F(Quotes, CommandsMayGiveTheIds) {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::command;
    Market given(config);
    quote_in(given, alice, {10, 9}, {20, 11}, id(5), new_id(6))
        .expect({"accepted #5 10@9.00 shows 10", "accepted #6 20@11.00 shows 20"});
    quote_in(given, alice, {10, 9}, {20, 12}, id(5), new_id(6))
        .expect({"cancelled quote_replaced #6 20@11.00 left 0",
                 "replaced #5>#5 @9.00 left 10 shows 10", "accepted #6 20@12.00 shows 20"});
    quote_in(given, alice, {10, 9}, {20, 12}, id(7), new_id(7))
        .expect_rejected(Reason::duplicate_order_id);
    quote_in(given, alice, {10, 9}, {20, 12}, id(6), new_id(8))
        .expect_rejected(Reason::duplicate_order_id);
    quote_in(given, alice, {10, 9}, {20, 12}, id(7)).expect_rejected(Reason::invalid_order_id);
}

}  // namespace
}  // namespace damrak::quote_test
