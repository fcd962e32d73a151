#include <damrak/gateway/binary/order_names.hpp>

#include <gtest/gtest.h>

namespace damrak::gateway::binary::order_names_test {
namespace {

struct OrderNamesTest : ::testing::Test {
    OrderNames names{EngineConfig{.maximum_participants = 4, .maximum_orders = 4}};

    Origin origin{.session = SessionId{7}};

    void tell(EventKind kind, std::uint64_t order, std::uint64_t reference,
              std::int64_t remaining) {
        Event event{};
        event.kind = kind;
        event.order_id = OrderId{order};
        event.reference = reference;
        event.remaining = Quantity{remaining};
        names.on_event(event, origin);
    }
    [[nodiscard]] std::uint64_t name_of(std::uint64_t order) const {
        return names.client_order_id(OrderId{order}).value;
    }
};

TEST_F(OrderNamesTest, AreThoseOfOpenOrders) {
    EXPECT_EQ(name_of(1), 0U);
    tell(EventKind::accepted, 1, 77, 10);
    EXPECT_EQ(name_of(1), 77U);
    tell(EventKind::executed, 1, 5, 4);
    EXPECT_EQ(name_of(1), 77U);
    tell(EventKind::executed, 1, 6, 0);
    EXPECT_EQ(name_of(1), 0U);
}

TEST_F(OrderNamesTest, EndWithTheOrderHoweverItEnds) {
    tell(EventKind::accepted, 1, 77, 10);
    tell(EventKind::accepted, 2, 78, 10);
    tell(EventKind::cancelled, 1, 0, 3);
    EXPECT_EQ(name_of(1), 77U) << "a part of it is left";
    tell(EventKind::cancelled, 1, 0, 0);
    tell(EventKind::expired, 2, 0, 0);
    EXPECT_EQ(names.size(), 0U);
}

TEST_F(OrderNamesTest, FollowAnOrderToItsNewId) {
    tell(EventKind::accepted, 1, 77, 10);
    tell(EventKind::replaced, 1, 1, 8);
    EXPECT_EQ(name_of(1), 77U);
    tell(EventKind::replaced, 1, 9, 12);
    EXPECT_EQ(name_of(1), 0U);
    EXPECT_EQ(name_of(9), 77U);
    tell(EventKind::replaced, 3, 4, 12);
    EXPECT_EQ(name_of(4), 0U) << "an order without a name stays without";
}

TEST_F(OrderNamesTest, KeepTheOrdersFirstOwnerAfterChangesByOthers) {
    tell(EventKind::accepted, 1, 0, 10);
    origin.session = SessionId{8};
    tell(EventKind::accepted, 2, 78, 10);
    tell(EventKind::replaced, 1, 9, 12);
    EXPECT_EQ(names.owner(OrderId{9}), SessionId{7});
    EXPECT_EQ(names.owner(OrderId{2}), SessionId{8});
    EXPECT_EQ(names.owner(OrderId{1}), SessionId{}) << "it is not open under that id any more";
}

TEST_F(OrderNamesTest, TakeNoRoomForOrdersOfOtherGateways) {
    for (const SessionId other :
         {SessionId{}, session_at(GatewayNumber{1}, 1), session_at(GatewayNumber{2}, 1)}) {
        origin.session = other;
        for (std::uint64_t order = 1; order <= 100; ++order)
            tell(EventKind::accepted, order, 5, 10);
    }
    EXPECT_EQ(names.size(), 0U);
    origin.session = SessionId{7};
    for (std::uint64_t round = 0; round < 100; ++round) {
        for (std::uint64_t i = 1; i <= 4; ++i)
            tell(EventKind::accepted, round << 40U | i, 7 * round + i, 10);
        for (std::uint64_t i = 1; i <= 4; ++i) {
            EXPECT_EQ(name_of(round << 40U | i), 7 * round + i);
            tell(EventKind::cancelled, round << 40U | i, 0, 0);
        }
    }
}

}  // namespace
}  // namespace damrak::gateway::binary::order_names_test
