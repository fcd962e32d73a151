// Post-only: rejected if it would trade, or moved behind the opposite best price. Rule book,
// section 8; FIX 5.0 SP2 ExecInst(18)=6, "participate, don't initiate".

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::post_only_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

struct PostOnly : ::testing::Test {
    Market market;
};

TEST_F(PostOnly, RestsIfItMeetsNoOrder) {
    market.sell(bob, 10, at(10.01));
    market.buy(alice, 10, at(10.00), post_only).expect({"accepted #2 10@10.00 shows 10"});
    market.buy(alice, 10, at(10.00), post_only_reprice).expect({"accepted #3 10@10.00 shows 10"});
}

TEST_F(PostOnly, IsRejectedIfItWouldTrade) {
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(10.00), post_only).expect_rejected(Reason::post_only_would_trade);
    market.buy(alice, 10, at(10.05), post_only).expect_rejected(Reason::post_only_would_trade);
}

TEST_F(PostOnly, IsRejectedIfItWouldTradeWithAHiddenOrder) {
    market.buy(bob, 10, at(10.00), hidden);
    market.sell(alice, 10, at(10.00), post_only).expect_rejected(Reason::post_only_would_trade);
}

TEST_F(PostOnly, IsRejectedEvenIfOnlyOwnOrdersAreInTheWay) {
    market.buy(alice, 10, at(10.00));
    market.sell(alice, 10, at(10.00), post_only, skip_own)
        .expect_rejected(Reason::post_only_would_trade);
}

TEST_F(PostOnly, WithRepriceBuysOneTickBelowTheBestAsk) {
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(10.05), post_only_reprice)
        .expect({"accepted #2 10@9.99 shows 10 repriced"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@9.99 (1)"));
}

TEST_F(PostOnly, WithRepriceSellsOneTickAboveTheBestBid) {
    market.buy(bob, 10, at(10.00));
    market.sell(alice, 10, at(10.00), post_only_reprice)
        .expect({"accepted #2 10@10.01 shows 10 repriced"});
}

TEST_F(PostOnly, WithRepriceJoinsTheBackOfItsNewPrice) {
    market.buy(carol, 5, at(9.99));
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(10.00), post_only_reprice);
    EXPECT_EQ(market.sell(dave, 1, at(9.99)).events()[1].order_id, OrderId{1});
}

// SEC Rule 612: ticks of 0.0001 below 1.00 and of 0.01 from there on.
TEST_F(PostOnly, WithRepriceFollowsTheTickSizesAcrossBands) {
    InstrumentDetails details = Market::stock();
    details.tick_size = Price{1};
    market.add_instrument(2, details);
    market.add_tick_band(1.00, 0.01, 2);
    market.sell(bob, 10, at(1.00), in(2));
    EXPECT_EQ(market.buy(alice, 10, at(1.00), post_only_reprice, in(2)).last().price,
              price(0.9999));
    market.mass_cancel();
    market.buy(bob, 10, at(0.9999), in(2));
    EXPECT_EQ(market.sell(alice, 10, at(0.5), post_only_reprice, in(2)).last().price, price(1.00));
    market.mass_cancel();
    market.buy(bob, 10, at(1.00), in(2));
    EXPECT_EQ(market.sell(alice, 10, at(1.00), post_only_reprice, in(2)).last().price, price(1.01));
}

TEST_F(PostOnly, WithRepriceIsRejectedIfNoPriceIsLeft) {
    market.sell(bob, 10, at(0.01));
    market.buy(alice, 10, at(0.01), post_only_reprice)
        .expect_rejected(Reason::post_only_would_trade);
    market.mass_cancel();
    market.buy(bob, 10, at(199'999.99));
    market.sell(alice, 10, at(199'999.99), post_only_reprice)
        .expect_rejected(Reason::post_only_would_trade);
}

TEST_F(PostOnly, StaysPostOnlyWhenItIsReplaced) {
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 10, at(9.98), post_only);
    market.buy(alice, 10, at(9.98), post_only_reprice);
    market.replace(alice, 2, 10, at(10.00)).expect_rejected(Reason::post_only_would_trade);
    market.replace(alice, 3, 10, at(10.00))
        .expect({"replaced #3>#4 @9.99 left 10 shows 10 repriced"});
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("10@9.99 (1)", "10@9.98 (1)"));
}

TEST_F(PostOnly, MayBeAnIceberg) {
    market.sell(bob, 10, at(10.00));
    market.buy(alice, 100, at(10.00), post_only_reprice, showing(10))
        .expect({"accepted #2 100@9.99 shows 10 repriced"});
}

// "Limits are checked at the price that was asked, and then at the new one."
TEST_F(PostOnly, WithRepriceIsLimitedAtTheRequestedPrice) {
    market.sell(bob, 10, at(10.00));
    market.set_limits(alice, {.order_notional = 10 * 99'900});
    market.buy(alice, 10, at(10.00), post_only_reprice)
        .expect_rejected(Reason::limit_order_notional);
}

TEST_F(PostOnly, WithRepriceIsLimitedAtTheNewPriceToo) {
    market.buy(bob, 10, at(10.00));
    market.set_limits(alice, {.order_notional = 10 * 100'000});
    market.sell(alice, 10, at(10.00), post_only_reprice)
        .expect_rejected(Reason::limit_order_notional);
    market.sell(alice, 9, at(10.00), post_only_reprice)
        .expect({"accepted #2 9@10.01 shows 9 repriced"});
}

TEST_F(PostOnly, WithRepriceIsLimitedAtTheNewPriceOfAReplaceToo) {
    market.buy(bob, 10, at(10.00));
    market.sell(alice, 9, at(10.05), post_only_reprice);
    market.set_limits(alice, {.order_notional = 10 * 100'000});
    market.replace(alice, 2, 10, at(10.00)).expect_rejected(Reason::limit_order_notional);
    market.replace(alice, 2, 9, at(10.00))
        .expect({"replaced #2>#3 @10.01 left 9 shows 9 repriced"});
}

}  // namespace
}  // namespace damrak::post_only_test
