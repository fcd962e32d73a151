// docs/rule-book/combinations.md, CB-17: orders at rest of a spread, whose implied price was not
// allowed when they came in.
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/combined_market.hpp"

namespace damrak::waiting_spread_test {
namespace {

using namespace combined;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A's ask and B's bid imply an ask of X at 20, which is not allowed while carol's bid comes in.
struct Waiting : Combined {
    Waiting() {
        market.sell(alice, 5, at(100));
        market.buy(bob, 5, at(80), in(2));
    }
    void wait() { EXPECT_THAT(trades(market.buy(carol, 8, at(21), x())), IsEmpty()); }
    static auto trade() {
        return ElementsAre("A#1 5@100.00 left 0 of X1", "B#1 5@80.00 left 0 of X1",
                           "X#1 5@20.00 left 3 of X1");
    }
};

TEST_F(Waiting, TheyTradeAfterAHalt) {
    for (const std::uint32_t id : {1U, 2U}) market.set_state(TradingState::halted, id);
    wait();
    for (const std::uint32_t id : {4U, 2U, 1U}) {
        EXPECT_THAT(trades(market.set_state(TradingState::halted, 4)), IsEmpty());
        EXPECT_THAT(trades(market.set_state(TradingState::trading, id)), IsEmpty());
    }
    EXPECT_THAT(trades(market.set_state(TradingState::trading, 4)), trade());
    EXPECT_THAT(market.depth(Side::buy, 4), ElementsAre("3@21.00 (1)"));
}

TEST_F(Waiting, TheyTradeAfterACall) {
    market.set_phase(Phase::call);
    wait();
    EXPECT_THAT(trades(market.uncross()), trade());
}

TEST_F(Waiting, TheyTradeAfterTradingAtLast) {
    market.set_phase(Phase::call);
    wait();
    EXPECT_THAT(trades(market.uncross(Phase::at_last)), IsEmpty());
    EXPECT_THAT(trades(market.set_phase(Phase::continuous)), trade());
}

TEST_F(Waiting, TheyTradeWhenTheBandOfALegIsWider) {
    market.set_price_band(price(90), price(99.99));
    wait();
    EXPECT_THAT(trades(market.set_price_band(price(90), price(100))), trade());
}

TEST_F(Waiting, TheyTradeWhenOrdersOfTheirOwnerLeave) {
    const OrderId own = market.sell(carol, 1, at(100)).events().front().order_id;
    EXPECT_THAT(trades(market.buy(carol, 5, at(20), x(), skip_own)), IsEmpty());
    EXPECT_THAT(trades(market.cancel(carol, own.value)), ::testing::SizeIs(3));
}

TEST_F(Waiting, OneThatMayNotTradeIsNotInTheWay) {
    market.sell(carol, 1, at(200));
    EXPECT_THAT(trades(market.buy(carol, 1, at(22), x(), skip_own)), IsEmpty());
    market.set_state(TradingState::halted, 2);
    EXPECT_THAT(trades(market.buy(dave, 2, at(21), x())), IsEmpty());
    EXPECT_THAT(trades(market.set_state(TradingState::trading, 2)),
                ElementsAre("A#1 2@100.00 left 3 of X1", "B#1 2@80.00 left 3 of X1",
                            "X#2 2@20.00 left 0 of X1"));
}

TEST_F(Waiting, ThoseFirstInTheQueueTradeFirstAndKeepTheirPlace) {
    market.set_state(TradingState::halted, 1);
    market.buy(carol, 7, at(20), x(), showing(2));
    market.buy(dave, 2, at(20), x());
    EXPECT_THAT(trades(market.set_state(TradingState::trading, 1)),
                ElementsAre("A#1 2@100.00 left 3 of X1", "B#1 2@80.00 left 3 of X1",
                            "X#1 2@20.00 left 5 of X1", "A#1 2@100.00 left 1 of X2",
                            "B#1 2@80.00 left 1 of X2", "X#2 2@20.00 left 0 of X2",
                            "A#1 1@100.00 left 0 of X3", "B#1 1@80.00 left 0 of X3",
                            "X#1 1@20.00 left 4 of X3"));
}

TEST_F(Waiting, AnAskTradesToo) {
    market.buy(alice, 4, at(99));
    market.sell(bob, 4, at(82), in(2));  // a bid of X at 17
    market.set_state(TradingState::halted, 2);
    EXPECT_THAT(trades(market.sell(carol, 1, at(16), x())), IsEmpty());
    EXPECT_THAT(trades(market.set_state(TradingState::trading, 2)),
                ElementsAre("A#2 1@99.00 left 3 of X1", "B#2 1@82.00 left 3 of X1",
                            "X#1 1@17.00 left 0 of X1"));
}

// Nothing that comes in takes part in it: a leg of two makes no implied price of its own.
TEST_F(Waiting, TheyTradeWhenALegOfTwoHasAUnit) {
    market.set_combination(6, CombinationKind::spread, {{a, 2}, {c, -1}});
    market.buy(bob, 5, at(150), in(3));
    market.cancel(alice, 1);
    EXPECT_THAT(trades(market.buy(carol, 1, at(50), in(6))), IsEmpty());
    market.sell(alice, 1, at(100));
    EXPECT_THAT(trades(market.sell(alice, 1, at(100))), ::testing::SizeIs(4));
}

TEST_F(Waiting, StopsThatTheyElectComeNext) {
    market.set_state(TradingState::halted, 2);
    wait();
    market.buy(dave, 1, stop(100));
    market.sell(alice, 1, at(101));
    EXPECT_EQ(market.set_state(TradingState::trading, 2).count(EventKind::triggered), 1U);
}

}  // namespace
}  // namespace damrak::waiting_spread_test
