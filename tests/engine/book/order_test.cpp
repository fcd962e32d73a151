// Order records: sixteen bits of terms without loss, and the sizes on which the memory budget is
// based.

#include <damrak/book/order.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace damrak::order_test {
namespace {

// The budget: the hot part of a resting order is at most one cache line of 64 bytes.
TEST(Order, TakesOneCacheLine) {
    EXPECT_EQ(sizeof(Order), 64U);
    EXPECT_EQ(alignof(Order), 64U);
    EXPECT_EQ(sizeof(OrderExtension), 64U);
    EXPECT_EQ(sizeof(Level), 32U);
}

TEST(OrderAttributes, KeepEveryCombinationOfTermsApart) {
    for (const auto side : {Side::buy, Side::sell})
        for (unsigned type = 0; type < 4; ++type)
            for (unsigned tif = 0; tif < 5; ++tif)
                for (unsigned rule = 0; rule < 6; ++rule) {
                    const OrderAttributes terms(side, static_cast<OrderType>(type),
                                                static_cast<TimeInForce>(tif),
                                                static_cast<SelfTradePrevention>(rule));
                    ASSERT_EQ(terms.side(), side);
                    ASSERT_EQ(terms.type(), static_cast<OrderType>(type));
                    ASSERT_EQ(terms.time_in_force(), static_cast<TimeInForce>(tif));
                    ASSERT_EQ(terms.self_trade_prevention(),
                              static_cast<SelfTradePrevention>(rule));
                    ASSERT_FALSE(terms.undisplayed() || terms.waiting());
                }
}

TEST(OrderAttributes, SetAndClearOneBitAndNothingElse) {
    const OrderAttributes plain(Side::sell, OrderType::stop_limit, TimeInForce::fok,
                                SelfTradePrevention::skip_own);
    for (const std::uint16_t bit :
         {OrderAttributes::k_hidden, OrderAttributes::k_held, OrderAttributes::k_pending,
          OrderAttributes::k_elected, OrderAttributes::k_post_only,
          OrderAttributes::k_post_only_reprice}) {
        OrderAttributes terms = plain;
        ASSERT_FALSE(terms.has(bit));
        terms.set(bit);
        ASSERT_TRUE(terms.has(bit));
        ASSERT_EQ(terms.type(), plain.type());
        ASSERT_EQ(terms.self_trade_prevention(), plain.self_trade_prevention());
        terms.clear(bit);
        ASSERT_EQ(terms.bits(), plain.bits());
    }
}

TEST(OrderAttributes, DistinguishHiddenFromPendingOrders) {
    OrderAttributes hidden;
    hidden.set(OrderAttributes::k_hidden);
    OrderAttributes held;
    held.set(OrderAttributes::k_held);
    OrderAttributes pending;
    pending.set(OrderAttributes::k_pending);
    OrderAttributes elected;
    elected.set(OrderAttributes::k_elected);
    EXPECT_TRUE(hidden.undisplayed() && held.undisplayed());
    EXPECT_FALSE(pending.undisplayed() || elected.undisplayed());
    EXPECT_TRUE(pending.waiting() && elected.waiting());
    EXPECT_FALSE(hidden.waiting() || held.waiting());
}

TEST(Order, KeepsItsTermsBesideItsArrival) {
    Order order{};
    const OrderAttributes terms(Side::sell, OrderType::market, TimeInForce::ioc,
                                SelfTradePrevention::cancel_both);
    order.set_terms(terms);
    order.set_arrival((std::uint64_t{1} << 48U) - 1);
    EXPECT_EQ(order.terms().bits(), terms.bits());
    order.set_arrival(0);
    EXPECT_EQ(order.terms().bits(), terms.bits());
}

}  // namespace
}  // namespace damrak::order_test
