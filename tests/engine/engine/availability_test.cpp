// The quantity available to fill-or-kill orders and minimum quantities, before anything trades.
// Rule book, section 6.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::availability_test {
namespace {

using namespace terms;

struct Availability : ::testing::Test {
    // Whether alice can buy this quantity at 10.00 at once; if so, she does.
    template <class... Terms>
    bool buys_whole(std::int64_t quantity, const Terms&... terms) {
        const Outcome outcome = market.buy(alice, quantity, at(10.00), fok, terms...);
        return outcome.last().reason != Reason::fill_or_kill;
    }
    Market market;
};

TEST_F(Availability, AddsUpTheOrdersOfAllLevelsToTheLimit) {
    market.sell(bob, 3, at(9.98));
    market.sell(bob, 3, at(9.99));
    market.sell(bob, 3, at(10.00));
    market.sell(bob, 3, at(10.01));
    EXPECT_FALSE(buys_whole(10));
    EXPECT_TRUE(buys_whole(9));
}

TEST_F(Availability, CountsHiddenOrders) {
    market.sell(bob, 5, at(10.00));
    market.sell(bob, 5, at(10.00), hidden);
    market.sell(bob, 5, at(9.00), hidden);
    EXPECT_FALSE(buys_whole(16));
    EXPECT_TRUE(buys_whole(15));
}

TEST_F(Availability, CountsTheReserveOfIcebergs) {
    market.sell(bob, 100, at(10.00), showing(10));
    EXPECT_FALSE(buys_whole(101));
    EXPECT_TRUE(buys_whole(100));
}

TEST_F(Availability, CountsHeldOrdersThatWouldTrade) {
    market.sell(bob, 100, at(10.00), at_least(100));
    EXPECT_FALSE(buys_whole(99));
    EXPECT_TRUE(buys_whole(100));
}

TEST_F(Availability, CountsOwnOrdersWithoutASelfTradeRule) {
    market.sell(alice, 5, at(10.00));
    EXPECT_TRUE(buys_whole(5));
}

TEST_F(Availability, UnderCancelOldestCountsAllButOwnOrders) {
    market.sell(alice, 5, at(10.00));
    market.sell(bob, 5, at(10.00));
    EXPECT_FALSE(buys_whole(6, cancel_oldest));
    EXPECT_TRUE(buys_whole(5, cancel_oldest));
}

TEST_F(Availability, UnderRulesThatEndTheOrderCountsOrdersBeforeAnOwnOne) {
    for (const auto prevention :
         {SelfTradePrevention::cancel_newest, SelfTradePrevention::cancel_both,
          SelfTradePrevention::decrement_and_cancel}) {
        market.sell(bob, 5, at(10.00));
        market.sell(alice, 5, at(10.00));
        market.sell(bob, 5, at(10.00));
        EXPECT_FALSE(buys_whole(6, rule(prevention)));
        EXPECT_TRUE(buys_whole(5, rule(prevention)));
        market.mass_cancel();
    }
}

TEST_F(Availability, CountsOnlyTheSliceOfAnIcebergBeforeAnOwnOrder) {
    market.sell(bob, 100, at(10.00), showing(10));
    market.sell(alice, 1, at(10.00));
    EXPECT_FALSE(buys_whole(11, cancel_newest)) << "its next slice ranks after the own order";
    EXPECT_TRUE(buys_whole(10, cancel_newest));
}

TEST_F(Availability, UnderSkipOwnEndsWithTheFirstLevelWithAnOwnOrder) {
    market.sell(bob, 5, at(9.99));
    market.sell(alice, 5, at(10.00));
    market.sell(bob, 5, at(10.00));
    EXPECT_FALSE(buys_whole(11, skip_own));
    EXPECT_TRUE(buys_whole(10, skip_own));
    market.mass_cancel();
    market.sell(alice, 5, at(9.99));
    market.sell(bob, 5, at(10.00));
    EXPECT_FALSE(buys_whole(5, skip_own));
}

}  // namespace
}  // namespace damrak::availability_test
