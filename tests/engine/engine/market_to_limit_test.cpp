// docs/rule-book/market-to-limit.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::market_to_limit_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

const auto to_limit = flag(CommandFlags::k_to_limit);

TEST(MarketToLimit, RestsAtTheFirstPriceThatItMeets) {
    Market market;
    market.sell(bob, 40, at(10.00));
    market.sell(bob, 40, at(10.01));
    market.buy(alice, 50, to_limit)
        .expect({"accepted #3 50@10.00", "executed #1 40@10.00 left 0 trade 1",
                 "executed #3 40@10.00 left 10 takes trade 1",
                 "rested #3>#3 @10.00 left 10 shows 10"});
}

TEST(MarketToLimit, NeedsADisplayedPrice) {
    Market market;
    market.sell(bob, 40, at(10.00), hidden);
    market.buy(alice, 50, to_limit).expect_rejected(Reason::no_opposite_price);
    market.sell(bob, 40, at(10.02));
    market.buy(alice, 100, to_limit);
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("20@10.02 (1)"));
}

TEST(MarketToLimit, RestsAtThePriceOfTheAuction) {
    Market market;
    market.set_phase(Phase::call);
    market.sell(bob, 40, at(10.00));
    market.buy(alice, 50, to_limit).expect({"accepted #2 50@0.00 hidden"});
    market.uncross().expect({"uncrossed 40@10.00 surplus 10",
                             "executed #2 40@10.00 left 10 hidden in cross trade 2",
                             "executed #1 40@10.00 left 0 in cross trade 2",
                             "rested #2>#2 @10.00 left 10 shows 10", "phase_changed 0"});
}

// A call that becomes sealed: what is left stands ahead of what was sealed.
TEST(MarketToLimit, RestsAfterACallThatWasSealedBehindIt) {
    Market market;
    market.set_phase(Phase::call);
    market.buy(alice, 50, to_limit);
    market.set_phase(Phase::call, AuctionRule::frequent_batch, true);
    market.sell(bob, 40, at(10.00));
    market.buy(carol, 5, at(10.00));
    market.uncross().expect({"uncrossed 40@10.00 surplus 15",
                             "executed #1 40@10.00 left 10 hidden in cross trade 2",
                             "executed #2 40@10.00 left 0 (hidden) in cross trade 2",
                             "rested #1>#1 @10.00 left 10 shows 10",
                             "rested #3>#3 @10.00 left 5 shows 5", "phase_changed 0"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("15@10.00 (2)"));
}

TEST(MarketToLimit, EndsWithAnAuctionWithoutAPrice) {
    Market market;
    market.set_phase(Phase::call);
    market.buy(alice, 50, to_limit);
    market.uncross().expect({"uncrossed 0@0.00 surplus 0",
                             "cancelled unfilled_remainder #1 50@0.00 left 0 (hidden)",
                             "phase_changed 0"});
}

TEST(MarketToLimit, RestsAtTheNearestValidPrice) {
    Market market;
    market.add_tick_band(10, 0.05);
    market.set_phase(Phase::call, AuctionRule::frequent_batch);
    market.sell(bob, 10, at(10.00));
    market.buy(carol, 10, at(10.05));
    market.buy(alice, 5, to_limit);
    market.uncross();
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("5@10.05 (1)"));
}

TEST(MarketToLimit, IsAMarketOrderWithoutOtherTerms) {
    Market market;
    market.sell(bob, 40, at(10.00));
    for (const auto& outcome :
         {market.buy(alice, 1, at(10), to_limit), market.buy(alice, 1, to_limit, ioc),
          market.buy(alice, 1, to_limit, fok), market.buy(alice, 2, to_limit, at_least(1)),
          market.buy(alice, 1, to_limit, stop(11))})
        outcome.expect_rejected(Reason::invalid_combination);
    market.set_phase(Phase::call, AuctionRule::frequent_batch, true);
    market.buy(alice, 1, to_limit).expect_rejected(Reason::not_in_phase);
}

TEST(UncrossConditions, HoldBackAnAuctionWithoutAPrice) {
    Market market;
    market.set_phase(Phase::call);
    market.buy(alice, 1, at(10));
    market.uncross(Phase::continuous, UncrossConditions::k_has_price)
        .expect_rejected(Reason::no_auction_price);
    market.sell(bob, 1, at(10));
    EXPECT_EQ(market.uncross(Phase::continuous, UncrossConditions::k_has_price)
                  .count(EventKind::executed),
              2U);
}

TEST(UncrossConditions, HoldBackAPriceOutsideItsCorridor) {
    Market market;
    market.set_price_limits({.auction_corridor = {.basis_points = 500}});
    market.set_price_band({}, {}, price(10));
    market.set_phase(Phase::call);
    market.buy(alice, 1, at(10.51));
    const std::uint64_t low = market.sell(bob, 1, at(10.51)).id();
    market.uncross(Phase::continuous, UncrossConditions::k_price_in_corridor)
        .expect_rejected(Reason::auction_price_outside);
    market.cancel(bob, low);
    market.sell(bob, 1, at(10.50));
    market.buy(carol, 1, at(10.50));
    market.uncross(Phase::call, UncrossConditions::k_price_in_corridor);
    // 10.50 is the reference of the next auction.
    market.buy(alice, 1, at(11.03));
    market.sell(bob, 1, at(11.03));
    market.uncross(Phase::continuous, UncrossConditions::k_price_in_corridor)
        .expect_rejected(Reason::auction_price_outside);
    EXPECT_EQ(market.uncross().count(EventKind::executed), 2U);
}

TEST(UncrossConditions, HoldBackMarketOrdersThatWouldBeLeft) {
    Market market;
    market.set_phase(Phase::call);
    market.buy(alice, 5);
    market.sell(bob, 4, at(10));
    market.uncross(Phase::continuous, UncrossConditions::k_no_market_orders_left)
        .expect_rejected(Reason::market_orders_left);
    market.sell(bob, 1, at(11));
    EXPECT_EQ(market.uncross(Phase::continuous, UncrossConditions::k_no_market_orders_left)
                  .count(EventKind::executed),
              4U);
}

TEST(UncrossConditions, AreKnown) {
    Market market;
    market.set_phase(Phase::call);
    market.uncross(Phase::continuous, 8).expect_rejected(Reason::invalid_state);
}

}  // namespace
}  // namespace damrak::market_to_limit_test
