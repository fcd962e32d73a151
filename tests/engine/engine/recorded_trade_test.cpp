// Trades that a recording reports: clients' orders that rank before the recorded order trade first.
// Rule book, section 12.

#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::recorded_trade_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr ParticipantId recording = dave;

Command recorded(std::uint64_t order, std::int64_t quantity, double amount) {
    Command command{};
    command.kind = CommandKind::recorded_trade;
    command.instrument = InstrumentId{1};
    command.participant = recording;
    command.order_id = OrderId{order};
    command.quantity = Quantity{quantity};
    command.price = price(amount);
    return command;
}

// A trade with a resting order on this side that the recording does not show.
Command unseen_trade(Side side, std::int64_t quantity, double amount) {
    Command command = recorded(0, quantity, amount);
    command.side = side;
    command.flags = CommandFlags::k_print_rest;
    return command;
}

struct RecordedTrades : ::testing::Test {
    Market market;
};

TEST_F(RecordedTrades, ExecuteTheirOrderIfNoClientRanksBeforeIt) {
    market.sell(recording, 10, at(10.00));
    market.apply(recorded(1, 4, 10.00))
        .expect({"executed #1 4@10.00 left 6 shows 6 trade 1",
                 "executed #0 4@10.00 left 0 takes trade 1"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("6@10.00 (1)"));
}

TEST_F(RecordedTrades, FillClientOrdersBeforeItAtTheirOwnPrices) {
    market.sell(alice, 3, at(9.99));
    market.sell(bob, 2, at(10.00));
    market.sell(recording, 10, at(10.00));
    market.sell(carol, 5, at(10.00));
    market.apply(recorded(3, 8, 10.00))
        .expect({"executed #1 3@9.99 left 0 trade 1", "executed #0 3@9.99 left 5 takes trade 1",
                 "executed #2 2@10.00 left 0 trade 2", "executed #0 2@10.00 left 3 takes trade 2",
                 "executed #3 3@10.00 left 7 shows 7 trade 3",
                 "executed #0 3@10.00 left 0 takes trade 3"});
}

TEST_F(RecordedTrades, SkipOtherOrdersOfTheRecording) {
    market.buy(recording, 5, at(10.02));
    market.buy(recording, 5, at(10.01));
    market.buy(alice, 1, at(10.01));
    market.apply(recorded(2, 5, 10.01))
        .expect({"executed #2 5@10.01 left 0 trade 1", "executed #0 5@10.01 left 0 takes trade 1"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("5@10.02 (1)", "1@10.01 (1)"));
}

TEST_F(RecordedTrades, EndWithTheirOrder) {
    market.sell(recording, 3, at(10.00));
    market.sell(alice, 5, at(10.00));
    market.apply(recorded(1, 8, 10.00))
        .expect({"executed #1 3@10.00 left 0 trade 1", "executed #0 3@10.00 left 5 takes trade 1"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("5@10.00 (1)"));
}

TEST_F(RecordedTrades, TradeAtTheirOwnPrice) {
    market.sell(recording, 10, at(10.00));
    market.apply(recorded(1, 4, 9.98))
        .expect({"executed #1 4@9.98 left 6 shows 6 trade 1",
                 "executed #0 4@9.98 left 0 takes trade 1"});
    market.cancel(recording, 1).expect({"cancelled requested #1 6@10.00 left 0"});
}

TEST_F(RecordedTrades, MeetHiddenClientOrdersAfterAllDisplayedOnes) {
    market.sell(alice, 5, at(10.00), hidden);
    market.sell(recording, 5, at(10.00));
    market.apply(recorded(2, 5, 10.00))
        .expect({"executed #2 5@10.00 left 0 trade 1", "executed #0 5@10.00 left 0 takes trade 1"});
    market.sell(bob, 5, at(9.99), hidden);
    market.sell(recording, 5, at(10.00));
    market.apply(recorded(4, 5, 10.00))
        .expect({"executed #3 5@9.99 left 0 (hidden) trade 2",
                 "executed #0 5@9.99 left 0 takes trade 2"});
}

TEST_F(RecordedTrades, WithUnseenOrdersFillBetterClientOrdersAndAreReported) {
    market.buy(alice, 2, at(10.01));
    market.buy(bob, 2, at(10.00));
    market.apply(unseen_trade(Side::buy, 5, 10.00))
        .expect({"executed #1 2@10.01 left 0 trade 1", "executed #0 2@10.01 left 3 takes trade 1",
                 "executed #0 3@10.00 left 0 (hidden) trade 2",
                 "executed #0 3@10.00 left 0 takes trade 2"});
}

TEST_F(RecordedTrades, WithOrdersThatAreGoneFillBetterClientOrders) {
    market.buy(recording, 5, at(10.00));
    market.sell(alice, 5, at(10.00));
    market.buy(bob, 2, at(10.01));
    market.buy(carol, 2, at(10.00));
    market.apply(recorded(1, 5, 10.00))
        .expect({"executed #3 2@10.01 left 0 trade 2", "executed #0 2@10.01 left 3 takes trade 2"});
}

TEST_F(RecordedTrades, ElectStops) {
    market.sell(recording, 10, at(10.00));
    market.buy(alice, 2, stop(10.00));
    market.apply(recorded(1, 4, 10.00))
        .expect({"executed #1 4@10.00 left 6 shows 6 trade 1",
                 "executed #0 4@10.00 left 0 takes trade 1", "triggered #2 @0.00 left 2",
                 "executed #1 2@10.00 left 4 shows 4 trade 2",
                 "executed #2 2@10.00 left 0 takes trade 2"});
}

TEST_F(RecordedTrades, LeaveThePositionOfTheRecordingUnchanged) {
    market.sell(recording, 10, at(10.00));
    market.sell(alice, 3, at(9.99));
    market.apply(recorded(1, 5, 10.00));
    EXPECT_EQ(market.position(recording), 3);  // bought from alice
    EXPECT_EQ(market.position(alice), -3);
}

TEST_F(RecordedTrades, AreRejectedWithAReason) {
    market.sell(recording, 10, at(10.00));
    market.sell(alice, 10, at(10.00));
    market.buy(recording, 10, stop(11.00));
    market.apply(recorded(2, 5, 10.00)).expect_rejected(Reason::not_owner);
    market.apply(recorded(3, 5, 10.00)).expect_rejected(Reason::invalid_state);
    market.apply(recorded(1, 0, 10.00)).expect_rejected(Reason::invalid_quantity);
    market.apply(recorded(1, 5, 0.00)).expect_rejected(Reason::invalid_price);
    market.apply(recorded(1, 5, 10.001)).expect_rejected(Reason::price_off_tick);
    Command command = recorded(1, 5, 10.00);
    command.flags = CommandFlags::k_hidden;
    market.apply(command).expect_rejected(Reason::invalid_flags);
    market.set_state(TradingState::halted);
    market.apply(recorded(1, 5, 10.00)).expect_rejected(Reason::instrument_halted);
}

TEST_F(RecordedTrades, ContinueInTheNextSlice) {
    EngineConfig config = Market::small();
    config.maximum_events = 16;
    Market tight{config};
    for (int i = 0; i < 40; ++i) tight.sell(alice, 1, at(9.00 + i * 0.01));
    tight.sell(recording, 10, at(10.00));
    const Outcome outcome = tight.apply(recorded(41, 45, 10.00));
    EXPECT_EQ(outcome.events().size(), 82U);
    EXPECT_THAT(tight.depth(Side::sell), ElementsAre("5@10.00 (1)"));
}

}  // namespace
}  // namespace damrak::recorded_trade_test
