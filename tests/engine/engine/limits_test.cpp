// Pre-trade limits: rule book, section 9. Values are price units (0.0001) times quantity.

#include <limits>

#include <cstdint>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::limits_test {
namespace {

using namespace terms;

constexpr std::int64_t value_of(std::int64_t quantity, std::int64_t price_units) {
    return quantity * price_units;
}

struct Limits : ::testing::Test {
    Market market;
};

TEST_F(Limits, AreNoneUntilTheyAreSet) {
    market.buy(alice, 999'999, at(199'999.99))
        .expect({"accepted #1 999999@199999.99 shows 999999"});
}

TEST_F(Limits, BoundTheQuantityOfAnOrder) {
    market.set_limits(alice, {.order_quantity = Quantity{100}}).expect({"limits_set 0"});
    market.buy(alice, 101, at(10.00)).expect_rejected(Reason::limit_order_quantity);
    EXPECT_FALSE(market.buy(alice, 100, at(10.00)).rejected());
}

TEST_F(Limits, BoundTheValueOfAnOrder) {
    market.set_limits(alice, {.order_notional = value_of(100, 100'000)});
    market.buy(alice, 100, at(10.01)).expect_rejected(Reason::limit_order_notional);
    EXPECT_FALSE(market.buy(alice, 100, at(10.00)).rejected());
}

// Section 9: a replace that does not raise a value passes, even if the value is above the limit.
TEST_F(Limits, NeverRejectAReduction) {
    market.buy(alice, 10, at(10.00));
    market.set_limits(alice, {.order_quantity = Quantity{5},
                              .order_notional = value_of(5, 100'000),
                              .open_notional = value_of(5, 100'000),
                              .position = Quantity{5}});
    market.replace(alice, 1, 9, at(10.00)).expect({"replaced #1>#1 @10.00 left 9 shows 9"});
    market.replace(alice, 1, 8, at(9.99)).expect({"replaced #1>#2 @9.99 left 8 shows 8"});
    market.replace(alice, 2, 8, at(9.98)).expect({"replaced #2>#3 @9.98 left 8 shows 8"});
    market.replace(alice, 3, 9, at(9.00)).expect_rejected(Reason::limit_order_quantity);
    market.replace(alice, 3, 8, at(9.99)).expect_rejected(Reason::limit_order_notional);
    market.replace(alice, 3, 7, at(12.00)).expect_rejected(Reason::limit_order_notional);
}

TEST_F(Limits, ValueAMarketOrderAtTheLastTrade) {
    market.set_limits(alice, {.order_notional = value_of(10, 100'000)});
    EXPECT_FALSE(market.buy(alice, 999'999).rejected()) << "no trade yet: it counts as zero";
    market.sell(bob, 1, at(10.00));
    market.buy(carol, 1, at(10.00));
    market.buy(alice, 11).expect_rejected(Reason::limit_order_notional);
    EXPECT_FALSE(market.buy(alice, 10).rejected());
}

TEST_F(Limits, ValueAStopAtItsStopPriceAndAStopLimitAtItsLimit) {
    market.set_limits(alice, {.order_notional = value_of(10, 100'000)});
    market.buy(alice, 10, stop(10.01)).expect_rejected(Reason::limit_order_notional);
    EXPECT_FALSE(market.buy(alice, 10, stop(10.00)).rejected());
    market.buy(alice, 10, at(10.01), stop(9.00)).expect_rejected(Reason::limit_order_notional);
    EXPECT_FALSE(market.buy(alice, 10, at(10.00), stop(11.00)).rejected());
}

TEST_F(Limits, BoundTheNumberOfOpenOrdersInAllInstruments) {
    market.add_instrument(2, Market::stock());
    market.set_limits(alice, {.open_orders = 2});
    market.buy(alice, 1, at(10.00));
    market.buy(alice, 1, stop(20.00), in(2));
    market.sell(alice, 1, at(11.00)).expect_rejected(Reason::limit_open_orders);
    market.cancel(alice, 1);
    EXPECT_FALSE(market.sell(alice, 1, at(11.00)).rejected());
}

TEST_F(Limits, CountImmediateOrdersLikeRestingOnes) {
    market.set_limits(alice, {.open_orders = 0});
    market.buy(alice, 1, at(10.00), ioc).expect_rejected(Reason::limit_open_orders);
}

TEST_F(Limits, BoundTheValueOfOpenOrders) {
    market.set_limits(alice, {.open_notional = value_of(10, 100'000)});
    market.buy(alice, 6, at(10.00));
    market.sell(alice, 5, at(10.00), skip_own).expect_rejected(Reason::limit_open_notional);
    market.sell(bob, 2, at(10.00));
    EXPECT_FALSE(market.sell(alice, 6, at(10.00), skip_own).rejected())
        << "executed quantity is no longer open";
}

TEST_F(Limits, DecreaseWithAPartialCancel) {
    market.set_limits(alice, {.open_notional = value_of(10, 100'000)});
    market.buy(alice, 10, at(10.00));
    market.cancel_part(alice, 1, 4);
    market.buy(alice, 5, at(10.00)).expect_rejected(Reason::limit_open_notional);
    EXPECT_FALSE(market.buy(alice, 4, at(10.00)).rejected());
}

TEST_F(Limits, CountTheReserveOfAnIceberg) {
    market.set_limits(alice, {.open_notional = value_of(100, 100'000)});
    market.buy(alice, 100, at(10.00), showing(1));
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_open_notional);
}

TEST_F(Limits, BoundThePositionAsIfAllOpenOrdersOfTheSideWereFilled) {
    market.set_limits(alice, {.position = Quantity{100}});
    market.buy(alice, 60, at(10.00));
    market.buy(alice, 41, at(10.00)).expect_rejected(Reason::limit_position);
    market.buy(alice, 40, at(10.00));
    market.sell(alice, 101, at(20.00)).expect_rejected(Reason::limit_position);
    EXPECT_FALSE(market.sell(alice, 100, at(20.00)).rejected()) << "either side on its own";
}

TEST_F(Limits, FollowThePosition) {
    market.set_limits(alice, {.position = Quantity{100}});
    market.sell(bob, 100, at(10.00));
    market.buy(alice, 100, at(10.00));
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_position);
    market.sell(alice, 201, at(11.00)).expect_rejected(Reason::limit_position);
    EXPECT_FALSE(market.sell(alice, 200, at(11.00)).rejected());
}

TEST_F(Limits, BoundThePositionInEachInstrument) {
    market.add_instrument(2, Market::stock());
    market.set_limits(alice, {.position = Quantity{100}});
    market.buy(alice, 100, at(10.00), in(1));
    EXPECT_FALSE(market.buy(alice, 100, at(10.00), in(2)).rejected());
}

TEST_F(Limits, ApplyOnlyToTheirParticipant) {
    market.set_limits(alice, {.order_quantity = Quantity{1}});
    EXPECT_FALSE(market.buy(bob, 100, at(10.00)).rejected());
}

TEST_F(Limits, ReportTheFirstOneExceeded) {
    market.set_limits(alice, {.order_quantity = Quantity{0},
                              .order_notional = 0,
                              .open_orders = 0,
                              .open_notional = 0,
                              .position = Quantity{0}});
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_order_quantity);
    market.set_limits(alice, {.order_notional = 0, .open_orders = 0, .open_notional = 0});
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_order_notional);
    market.set_limits(alice, {.open_orders = 0, .open_notional = 0, .position = Quantity{0}});
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_open_orders);
    market.set_limits(alice, {.open_notional = 0, .position = Quantity{0}});
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_open_notional);
    market.set_limits(alice, {.position = Quantity{0}});
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::limit_position);
}

TEST_F(Limits, DoNotAffectOrdersThatAreAlreadyOpen) {
    market.buy(alice, 100, at(10.00));
    market.set_limits(alice, {.order_quantity = Quantity{1}, .open_orders = 0});
    market.sell(bob, 100, at(10.00))
        .expect({"accepted #2 100@10.00", "executed #1 100@10.00 left 0 trade 1",
                 "executed #2 100@10.00 left 0 takes trade 1"});
}

// "A replace is checked with the new open quantity and price, the old order's share taken out
// first, and not against open orders."
TEST_F(Limits, OfAReplaceExcludeTheOldOrder) {
    market.set_limits(
        alice,
        {.open_orders = 1, .open_notional = value_of(10, 100'000), .position = Quantity{10}});
    market.buy(alice, 10, at(10.00));
    market.replace(alice, 1, 10, at(10.01)).expect_rejected(Reason::limit_open_notional);
    market.replace(alice, 1, 11, at(9.00)).expect_rejected(Reason::limit_position);
    market.replace(alice, 1, 10, at(9.00)).expect({"replaced #1>#2 @9.00 left 10 shows 10"});
}

TEST_F(Limits, OfAReplaceAreTheSameForQuantityAndValue) {
    market.buy(alice, 5, at(10.00));
    market.set_limits(alice, {.order_quantity = Quantity{10}});
    market.replace(alice, 1, 11, at(10.00)).expect_rejected(Reason::limit_order_quantity);
    market.set_limits(alice, {.order_notional = value_of(10, 100'000)});
    market.replace(alice, 1, 10, at(10.01)).expect_rejected(Reason::limit_order_notional);
}

TEST_F(Limits, OfAReplaceByTotalCheckTheOpenQuantity) {
    market.buy(alice, 10, at(10.00));
    market.sell(bob, 6, at(10.00));
    market.set_limits(alice, {.order_quantity = Quantity{10}});
    market.replace(alice, 1, 16, at(9.99), in_total)
        .expect({"replaced #1>#3 @9.99 left 10 shows 10"});
}

InstrumentDetails enormous() {
    return {.symbol = Symbol::of("HUGE"),
            .tick_size = Price{1},
            .maximum_price =
                Price{std::numeric_limits<std::int64_t>::max() / k_largest_maximum_quantity.value},
            .lot_size = Quantity{1},
            .maximum_quantity = k_largest_maximum_quantity,
            .unpublished = 1};
}

// "Sums that overflow are above any limit": even where no limit was set.
TEST(LimitsOfEnormousOrders, AnOverflowingValueIsAboveAnyLimit) {
    Market market(Market::small(), enormous());
    const std::int64_t largest = k_largest_maximum_quantity.value;
    constexpr double k_half = 6'710.8864;  // 2^26 price units
    EXPECT_FALSE(market.buy(alice, largest, at(k_half)).rejected());
    market.buy(alice, largest, at(k_half)).expect_rejected(Reason::limit_open_notional);
}

TEST(LimitsOfEnormousOrders, AnOverflowingPositionIsAboveAnyLimit) {
    Accounts accounts{2, 2};
    const AccountIndex account = accounts.open(alice, InstrumentId{1});
    accounts.trade(account, Side::buy, Quantity{std::numeric_limits<std::int64_t>::max() - 5});
    const auto check = [&](std::int64_t quantity) {
        return accounts.check(alice, account, Side::buy, {Quantity{quantity}, 0, 1}, {});
    };
    EXPECT_EQ(check(5), Reason::none);
    EXPECT_EQ(check(6), Reason::limit_position);
}

TEST(LimitsOfEnormousOrders, TheLargestPossibleOrderIsAccepted) {
    Market market(Market::small(), enormous());
    const std::int64_t largest = k_largest_maximum_quantity.value;
    EXPECT_FALSE(market.buy(alice, largest, at(0.0001)).rejected());
    market.buy(alice, largest + 1, at(0.0001)).expect_rejected(Reason::quantity_too_large);
    EXPECT_EQ(market.sell(bob, largest, at(0.0001)).count(EventKind::executed), 2U);
    EXPECT_EQ(market.position(alice), largest);
    EXPECT_EQ(market.position(bob), -largest);
}

}  // namespace
}  // namespace damrak::limits_test
