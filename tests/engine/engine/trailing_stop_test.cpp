// docs/rule-book/trailing-stops.md.
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::trailing_stop_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

/// A stop at a distance, without a first price unless stop() gives one.
auto trailing(double distance) {
    return [=](Command& command) {
        command.flags |= CommandFlags::k_trailing;
        command.order.offset = price(distance);
        command.order_type =
            has_limit(command.order_type) ? OrderType::stop_limit : OrderType::stop;
        if (command.price == Price{}) command.order_type = OrderType::stop;
    };
}

struct TrailingStops : ::testing::Test {
    /// Between others.
    void trade_at(double amount) {
        market.sell(bob, 1, at(amount));
        market.buy(carol, 1, at(amount), ioc);
    }
    bool is_waiting(std::uint64_t order) {
        const Outcome found = market.query(alice, order);
        return has_flag(found.events().front(), EventFlags::k_waiting);
    }
    Market market;
};

TEST_F(TrailingStops, FollowTheMarketUpAndNotDown) {
    trade_at(80);
    const std::uint64_t order = market.sell(alice, 5, trailing(4)).id();
    trade_at(83);
    trade_at(81);
    trade_at(86);
    trade_at(82.01);
    EXPECT_TRUE(is_waiting(order));
    market.buy(bob, 3, at(81.50));
    market.sell(bob, 1, at(82));
    market.buy(carol, 1, at(82), ioc)
        .expect({"accepted #14 1@82.00", "executed #13 1@82.00 left 0 trade 6",
                 "executed #14 1@82.00 left 0 takes trade 6", "triggered #3 @0.00 left 5",
                 "executed #12 3@81.50 left 0 trade 7", "executed #3 3@81.50 left 2 takes trade 7",
                 "cancelled unfilled_remainder #3 2@0.00 left 0"});
}

TEST_F(TrailingStops, FollowTheMarketDownIfTheyBuy) {
    trade_at(80);
    const std::uint64_t order = market.buy(alice, 5, trailing(4)).id();
    trade_at(70);
    trade_at(73.99);
    EXPECT_TRUE(is_waiting(order));
    trade_at(74);
    market.query(alice, order).expect_rejected(Reason::unknown_order);
}

TEST_F(TrailingStops, NeedATradeOrAFirstPrice) {
    market.sell(alice, 1, trailing(4)).expect_rejected(Reason::no_trail_reference);
    const std::uint64_t order = market.sell(alice, 1, stop(70), trailing(4)).id();
    trade_at(72);
    trade_at(71);
    EXPECT_TRUE(is_waiting(order));
    trade_at(70);
    market.query(alice, order).expect_rejected(Reason::unknown_order);
}

TEST_F(TrailingStops, TakeTheNearerOfTwoFirstPrices) {
    trade_at(80);
    const std::uint64_t near = market.sell(alice, 1, stop(79), trailing(4)).id();
    const std::uint64_t far = market.sell(alice, 1, stop(60), trailing(4)).id();
    trade_at(79);
    market.query(alice, near).expect_rejected(Reason::unknown_order);
    trade_at(76.01);
    EXPECT_TRUE(is_waiting(far));
    trade_at(76);
    market.query(alice, far).expect_rejected(Reason::unknown_order);
}

TEST_F(TrailingStops, MoveByTheBestPriceOfASweep) {
    trade_at(80);
    const std::uint64_t order = market.sell(alice, 1, trailing(4)).id();
    for (const double each : {85.0, 83.0, 81.0}) market.buy(bob, 1, at(each));
    // 85, 83 and 81: 81 is its stop price, and it is reached.
    market.sell(carol, 3, at(81), ioc);
    market.query(alice, order).expect_rejected(Reason::unknown_order);
}

TEST_F(TrailingStops, KeepTheirLimit) {
    trade_at(80);
    market.sell(alice, 1, at(75), trailing(4));
    trade_at(90);
    market.sell(bob, 1, at(86));
    EXPECT_EQ(market.buy(carol, 1, at(86), ioc).events().back().price, price(75));
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("1@75.00 (1)"));
}

TEST_F(TrailingStops, AreReplacedWithAndWithoutAStopPrice) {
    trade_at(80);
    const std::uint64_t order = market.sell(alice, 5, trailing(4)).id();
    market.replace(alice, order, 4);
    const std::uint64_t moved = market.replace(alice, order, 6).events().front().reference;
    trade_at(82);
    EXPECT_TRUE(is_waiting(moved));
    const auto ask = [](Command& command) { command.order.stop_price = price(70); };
    const std::uint64_t lower = market.replace(alice, moved, 6, ask).events().front().reference;
    trade_at(73);
    EXPECT_TRUE(is_waiting(lower));
    trade_at(70);
    market.query(alice, lower).expect_rejected(Reason::unknown_order);
}

TEST_F(TrailingStops, StayInAnAuctionWithoutTrades) {
    trade_at(80);
    const std::uint64_t order = market.sell(alice, 5, trailing(4)).id();
    const auto ask = [](Command& command) { command.order.stop_price = price(70); };
    const std::uint64_t lower = market.replace(alice, order, 6, ask).events().front().reference;
    market.set_phase(Phase::call);
    market.uncross();
    trade_at(73);
    EXPECT_TRUE(is_waiting(lower)) << "at 70, not at 4 from the last trade";
}

TEST_F(TrailingStops, FollowAnAuction) {
    trade_at(80);
    const std::uint64_t order = market.sell(alice, 1, trailing(4)).id();
    market.set_phase(Phase::call);
    market.buy(bob, 1, at(90));
    market.sell(carol, 1, at(90));
    market.uncross(Phase::call);
    market.uncross();
    trade_at(86.01);
    EXPECT_TRUE(is_waiting(order));
    trade_at(86);
    market.query(alice, order).expect_rejected(Reason::unknown_order);
}

TEST_F(TrailingStops, HaveASoundDistance) {
    trade_at(80);
    for (const double distance : {0.0, -1.0, 0.005, 1e6})
        market.sell(alice, 1, trailing(distance)).expect_rejected(Reason::invalid_trail);
    market.buy(alice, 1, at(70), flag(CommandFlags::k_trailing))
        .expect_rejected(Reason::invalid_combination);
    // At most the last trade away, or there is no price for a sell.
    market.sell(alice, 1, trailing(80)).expect_rejected(Reason::no_trail_reference);
}

TEST_F(TrailingStops, AreBoundedPerParticipantAndInstrument) {
    trade_at(80);
    for (int i = 0; i < 100; ++i) market.sell(alice, 1, trailing(4));
    market.sell(alice, 1, trailing(4)).expect_rejected(Reason::limit_pegged_orders);
    market.sell(dave, 1, trailing(4));
    trade_at(70);  // triggers them all
    market.buy(alice, 1, trailing(4));
}

}  // namespace
}  // namespace damrak::trailing_stop_test
