// Replaces that change what the engine keeps of an order: it is withdrawn and entered again, which
// its user hears of as one replace, or as the end of the order.
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include <damrak/base/serialize.hpp>

#include "support/ouch_user.hpp"

namespace damrak::gateway::ouch::ouch_replaces_test {
namespace {

class OuchReplaces : public OuchOrdersTest {
  protected:
    /// Order 1 with 100 shares, of which 30 are executed.
    OuchReplaces() {
        enter(orders_, 1);
        Event executed = order_event(EventKind::executed, 1, 70);
        executed.quantity = {30};
        tell(orders_, executed, RequestKind::enter, {});
    }
    /// Replaces it by reference 2: immediate, at least 20 of it, and named.
    static std::string replace(std::uint32_t quantity) {
        v50::ReplaceOrder message{.orig_user_ref = 1,
                                  .user_ref = 2,
                                  .quantity = quantity,
                                  .price_e4 = 1'000'100,
                                  .time_in_force = '3',
                                  .display = 'A',
                                  .iso = 'N',
                                  .cl_ord_id = *Token::from("D"),
                                  .appendage = {}};
        message.appendage.add(wire::ouch::Option::minimum_quantity, std::uint32_t{20});
        return bytes_of(message);
    }
    void withdraw(std::uint32_t quantity) {
        Event cancelled = order_event(EventKind::cancelled, 1, 0);
        cancelled.quantity = {70};
        cancelled.reason = Reason::requested;
        tell(orders_, cancelled, RequestKind::withdraw, replace(quantity));
    }
    /// The exchange's answer to order 1 as order 9.
    void answer(OuchOrders& orders, EventKind kind, std::int64_t remaining) {
        Event event = order_event(kind, kind == EventKind::accepted ? 9 : 0, remaining);
        event.reference = 1;
        event.price = {1'000'100};
        tell(orders, event, RequestKind::enter_anew, {});
    }
    static const OuchOrders::Order* find(const OuchOrders& orders, const char* token) {
        return orders.find(1, *Token::from(token));
    }
};

TEST_F(OuchReplaces, AreOneMessageAndHaveTheNewTerms) {
    withdraw(150);
    EXPECT_EQ(letters(orders_), "SAE") << "not before the exchange has the new order";
    ASSERT_EQ(orders_.withdrawn().size(), 1U);
    EXPECT_TRUE(orders_.has_withdrawn(1));
    EXPECT_EQ(orders_.withdrawn()[0].wanted.quantity, 150U);
    EXPECT_EQ(orders_.order_of(orders_.withdrawn()[0]).executed, 30);
    answer(orders_, EventKind::accepted, 120);
    EXPECT_EQ(letters(orders_), "SAEU");
    EXPECT_TRUE(orders_.withdrawn().empty());
    EXPECT_EQ(find(orders_, "1"), nullptr);
    const auto* const order = find(orders_, "2");
    ASSERT_NE(order, nullptr);
    EXPECT_EQ(order->id, OrderId{9});
    EXPECT_EQ(order->open, 120);
    EXPECT_EQ(order->executed, 30) << "of the chain";
    EXPECT_EQ(order->before, 30) << "which the engine does not know";
    EXPECT_EQ(order->terms.side, 'B');
    EXPECT_EQ(order->terms.life, session::ouch::Life::immediate);
    EXPECT_EQ(order->terms.minimum_quantity, 20U);
    EXPECT_EQ(order->terms.price_e4, 1'000'100U);
    EXPECT_EQ(orders_.open_orders({3}), 1U);
}

TEST_F(OuchReplaces, ThatTheExchangeRejectsEndTheOrderAndLeaveTheirTokenFree) {
    withdraw(150);
    answer(orders_, EventKind::rejected, 0);
    EXPECT_EQ(letters(orders_), "SAEC");
    EXPECT_EQ(last_byte(orders_, 17), 'U');
    EXPECT_EQ(find(orders_, "1"), nullptr);
    EXPECT_FALSE(orders_.is_taken(1, *Token::from("2")));
    EXPECT_EQ(orders_.open_orders({3}), 0U);
}

TEST_F(OuchReplaces, OfWhichNothingIsLeftEndTheOrderAtOnce) {
    withdraw(30);
    EXPECT_EQ(letters(orders_), "SAEC");
    EXPECT_TRUE(orders_.withdrawn().empty());
}

TEST_F(OuchReplaces, InAPhaseWithoutChangesAreRejectedAndLeaveTheOrder) {
    Event refused = order_event(EventKind::rejected, 1, 0);
    refused.reason = Reason::not_in_phase;
    tell(orders_, refused, RequestKind::withdraw, replace(150));
    EXPECT_EQ(letters(orders_), "SAEJ");
    EXPECT_NE(find(orders_, "1"), nullptr);
    EXPECT_TRUE(orders_.is_taken(1, *Token::from("2")));
}

TEST_F(OuchReplaces, GoOnAfterTheyWereSavedAndLoaded) {
    withdraw(150);
    const auto bytes =
        saved_bytes([&](auto& archive) { OuchOrders::transfer(std::as_const(orders_), archive); });
    OuchOrders loaded{small_engine()};
    LoadArchive archive{bytes};
    OuchOrders::transfer(loaded, archive);
    ASSERT_TRUE(archive.complete());
    ASSERT_EQ(loaded.withdrawn().size(), 1U);
    answer(loaded, EventKind::accepted, 120);
    EXPECT_EQ(letters(loaded), "SAEU");
    ASSERT_NE(find(loaded, "2"), nullptr);
}

TEST_F(OuchReplaces, DecideWhoIsNamedOnTheFeeds) {
    EXPECT_TRUE(orders_.is_anonymous({1})) << "displayed, but not attributable";
    EXPECT_FALSE(orders_.is_anonymous({7})) << "of another gateway";
    withdraw(150);
    answer(orders_, EventKind::accepted, 120);
    EXPECT_FALSE(orders_.is_anonymous({9}));
}

}  // namespace
}  // namespace damrak::gateway::ouch::ouch_replaces_test
