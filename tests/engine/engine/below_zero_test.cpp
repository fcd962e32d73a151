// docs/rule-book/prices.md: prices at and below zero.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::below_zero_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

InstrumentDetails below_zero(double minimum = -100) {
    InstrumentDetails details = Market::stock();
    details.unpublished = 1;
    details.minimum_price = price(minimum);
    return details;
}

struct PricesBelowZero : ::testing::Test {
    Market market{Market::small(), below_zero()};
};

TEST_F(PricesBelowZero, TradeLikeOthers) {
    market.sell(alice, 5, at(0)).expect({"accepted #1 5@0.00 shows 5"});
    market.sell(alice, 5, at(-0.01)).expect({"accepted #2 5@-0.01 shows 5"});
    market.buy(bob, 4, at(-0.02)).expect({"accepted #3 4@-0.02 shows 4"});
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("5@-0.01 (1)", "5@0.00 (1)"));
    market.buy(carol, 7, at(0))
        .expect({"accepted #4 7@0.00", "executed #2 5@-0.01 left 0 trade 1",
                 "executed #4 5@-0.01 left 2 takes trade 1",
                 "executed #1 2@0.00 left 3 shows 3 trade 2",
                 "executed #4 2@0.00 left 0 takes trade 2"});
}

TEST_F(PricesBelowZero, HaveAMinimumAndATick) {
    market.buy(alice, 1, at(-100));
    market.buy(alice, 1, at(-100.01)).expect_rejected(Reason::price_too_low);
    market.buy(alice, 1, at(-99.995)).expect_rejected(Reason::price_off_tick);
    market.buy(alice, 1, at(-5), stop(-100.01)).expect_rejected(Reason::price_too_low);
    market.buy(alice, 1, at(200'000)).expect_rejected(Reason::price_too_large);
    Market above{};
    above.buy(alice, 1, at(-1)).expect_rejected(Reason::invalid_price);
}

TEST_F(PricesBelowZero, TriggerStops) {
    market.buy(alice, 1, at(-1));
    market.sell(alice, 2, stop(-1));
    market.buy(bob, 2, at(0));
    market.sell(carol, 1, at(0));
    EXPECT_EQ(market.sell(carol, 2, at(-1)).count(EventKind::triggered), 1U);
    // A stop price of zero is one.
    market.buy(alice, 1, stop(0), at(1));
    EXPECT_THAT(market.replace(alice, 6, 1, at(1), stop(-0.5)).last().kind, EventKind::replaced);
}

TEST_F(PricesBelowZero, CountInLimitsWithoutTheirSign) {
    market.set_limits(alice, {.order_notional = price(50).value, .open_notional = price(80).value});
    market.buy(alice, 6, at(-10)).expect_rejected(Reason::limit_order_notional);
    market.buy(alice, 5, at(-10));
    market.sell(alice, 4, at(10)).expect_rejected(Reason::limit_open_notional);
    market.sell(alice, 3, at(10));
    market.cancel(alice, 1);
    market.buy(alice, 5, at(-10));
}

TEST_F(PricesBelowZero, MayBeTheResultOfAnAuction) {
    market.set_phase(Phase::call);
    market.buy(alice, 5, at(0));
    market.sell(bob, 5, at(0));
    market.buy(alice, 1);
    market.uncross(Phase::at_last)
        .expect({"uncrossed 5@0.00 surplus 1",
                 "executed #3 1@0.00 left 0 (hidden) in cross trade 2",
                 "executed #2 1@0.00 left 4 shows 4 in cross trade 2",
                 "executed #1 4@0.00 left 1 shows 1 in cross trade 3",
                 "executed #2 4@0.00 left 0 in cross trade 3", "phase_changed 4"});
    // Trading at last is at that price, although it is zero.
    EXPECT_EQ(market.sell(carol, 1, at(-1), ioc).count(EventKind::executed), 2U);
}

TEST_F(PricesBelowZero, HaveBandsAndMargins) {
    market.set_price_band(price(-2), price(0));
    market.buy(alice, 1, at(1));
    EXPECT_THAT(market.depth(Side::buy), ElementsAre("1@0.00 (1)"));
    market.set_price_band({}, {});
    market.set_price_limits({.market_collar = {.basis_points = 1'000}});
    market.sell(bob, 1, at(10));
    market.sell(bob, 1, at(11));
    market.sell(bob, 1, at(11.01));
    market.mass_cancel();
    // A tenth of ten below minus ten.
    for (const double bid : {-10.0, -11.0, -11.01}) market.buy(bob, 1, at(bid));
    EXPECT_EQ(market.sell(carol, 3, ioc).count(EventKind::executed), 4U);
}

TEST_F(PricesBelowZero, ArePeggedAndTrailedByNone) {
    market.buy(alice, 1, at(-1));
    market
        .buy(bob, 1, at(1), hidden,
             [](Command& command) {
                 command.flags |= CommandFlags::k_pegged;
                 command.order.peg = PegReference::primary;
             })
        .expect_rejected(Reason::invalid_peg);
    market
        .sell(bob, 1, stop(-1),
              [](Command& command) {
                  command.flags |= CommandFlags::k_trailing;
                  command.order.offset = price(1);
              })
        .expect_rejected(Reason::invalid_trail);
}

TEST(BelowZero, IsForUnpublishedInstruments) {
    Market market;
    InstrumentDetails details = below_zero();
    details.unpublished = 0;
    market.add_instrument(2, details).expect_rejected(Reason::invalid_instrument);
    details = below_zero(-100.001);
    market.add_instrument(2, details).expect_rejected(Reason::invalid_instrument);
    details = below_zero(1);
    market.add_instrument(2, details).expect_rejected(Reason::invalid_instrument);
    details = below_zero();
    details.minimum_price = Price{std::int64_t{-100} << 55U};
    market.add_instrument(2, details).expect_rejected(Reason::invalid_instrument);
    market.add_instrument(2, below_zero()).expect({"instrument_added 0"});
    market.add_tick_band(-50, 0.05, 2).expect_rejected(Reason::invalid_instrument);
    market.add_tick_band(50, 0.05, 2);
    market.buy(terms::alice, 1, at(-0.01), in(2));
    market.buy(terms::alice, 1, at(50.01), in(2)).expect_rejected(Reason::price_off_tick);
}

}  // namespace
}  // namespace damrak::below_zero_test
