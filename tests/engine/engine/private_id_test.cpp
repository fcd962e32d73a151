// Ids of an engine that counts undisplayed orders apart: what the public sees counts displayed
// orders only. Rule book, section 1.
#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::private_id_test {
namespace {

using namespace terms;

EngineConfig apart() {
    EngineConfig config = Market::small();
    config.order_id_source = OrderIdSource::engine_apart;
    return config;
}

/// The n-th order that came in undisplayed.
constexpr std::uint64_t hidden_id(std::uint64_t n) { return k_private_order | n; }

/// What the feeds show of these events: references of orders that came into sight.
std::vector<std::uint64_t> references(const Outcome& outcome) {
    std::vector<std::uint64_t> shown;
    for (const Event& event : outcome.events()) {
        if (event.displayed.value == 0) continue;
        if (event.kind == EventKind::accepted || event.kind == EventKind::triggered)
            shown.push_back(event.order_id.value);
        if (event.kind == EventKind::rested || event.kind == EventKind::refreshed ||
            event.kind == EventKind::replaced)
            shown.push_back(event.reference);
    }
    return shown;
}

struct PrivateIds : ::testing::Test {
    /// The id of the next displayed order.
    std::uint64_t next_public() { return market.buy(dave, 1, at(1.00)).id(); }

    Market market{apart()};
};

TEST_F(PrivateIds, OrdersThatNobodySeesAreCountedApart) {
    EXPECT_EQ(next_public(), 1U);
    EXPECT_EQ(market.buy(alice, 5, at(9.00), hidden).id(), hidden_id(1));
    EXPECT_EQ(market.buy(alice, 5, at(9.00), ioc).id(), hidden_id(2));
    EXPECT_EQ(market.buy(alice, 5, at(9.00), fok).id(), hidden_id(3));
    EXPECT_EQ(market.buy(alice, 5).id(), hidden_id(4)) << "a market order";
    EXPECT_EQ(market.buy(alice, 5, stop(20.00)).id(), hidden_id(5));
    EXPECT_EQ(market.buy(alice, 5, at(21.00), stop(20.00)).id(), hidden_id(6));
    EXPECT_EQ(market.buy(alice, 5, at(9.00), at_least(3)).id(), hidden_id(7));
    EXPECT_EQ(market.buy(alice, 5, at(9.00), showing(2)).id(), 2U) << "an iceberg is displayed";
    EXPECT_EQ(next_public(), 3U);
}

TEST_F(PrivateIds, AStopThatComesToRestTakesAPublicIdAndKeepsItsOwn) {
    market.buy(alice, 5, at(10.10), stop(10.05));
    market.sell(bob, 1, at(10.05));
    const Outcome trade = market.buy(carol, 1, at(10.05), ioc);
    EXPECT_THAT(references(trade), ::testing::ElementsAre(2));
    EXPECT_EQ(trade.last().kind, EventKind::rested);
    EXPECT_EQ(trade.last().order_id.value, hidden_id(1));
    EXPECT_EQ(next_public(), 3U);
    market.cancel(alice, hidden_id(1)).expect({"cancelled requested #549755813889 5@10.10 left 0"});
}

TEST_F(PrivateIds, EachReplaceOfSuchAnOrderShowsAnotherOne) {
    market.buy(alice, 5, at(10.10), stop(10.05));
    market.sell(bob, 1, at(10.05));
    market.buy(carol, 1, at(10.05), ioc);
    EXPECT_THAT(references(market.replace(alice, hidden_id(1), 4, at(10.10))),
                ::testing::ElementsAre(hidden_id(1)))
        << "in place: the feeds know it already";
    const Outcome moved = market.replace(alice, hidden_id(1), 4, at(10.00));
    EXPECT_EQ(moved.events().front().displayed.value, 0);
    EXPECT_THAT(references(moved), ::testing::ElementsAre(3));
    EXPECT_EQ(moved.last().order_id.value, hidden_id(3));
}

TEST_F(PrivateIds, TheRestOfAnOrderWithAMinimumIsShownUnderAPublicId) {
    market.sell(bob, 3, at(10.00));
    const Outcome entry = market.buy(alice, 5, at(10.00), at_least(3));
    EXPECT_THAT(references(entry), ::testing::ElementsAre(2));
    EXPECT_EQ(entry.last().order_id.value, hidden_id(1));
}

TEST_F(PrivateIds, TheRestOfAMarketToLimitOrderIsShownUnderAPublicId) {
    market.sell(bob, 3, at(10.00));
    const Outcome entry = market.buy(alice, 5, flag(CommandFlags::k_to_limit));
    EXPECT_THAT(references(entry), ::testing::ElementsAre(2));
    EXPECT_EQ(entry.last().order_id.value, hidden_id(1));
}

TEST_F(PrivateIds, AnIcebergShowsEachSliceUnderTheNextPublicId) {
    EXPECT_EQ(market.buy(alice, 6, at(10.10), showing(2)).id(), 1U);
    market.buy(carol, 1, at(10.00), hidden);
    EXPECT_THAT(references(market.sell(bob, 2, at(10.10), ioc)), ::testing::ElementsAre(2));
    EXPECT_EQ(next_public(), 3U);
}

TEST_F(PrivateIds, OrdersOfASealedCallAreShownAfterItUnderTheirIds) {
    market.set_phase(Phase::call, AuctionRule::xetra, true);
    EXPECT_EQ(market.buy(alice, 5, at(9.00)).id(), 1U) << "it will be displayed";
    EXPECT_EQ(market.buy(alice, 5, at(9.10), lasting(TimeInForce::at_auction)).id(), hidden_id(1));
    EXPECT_THAT(references(market.uncross()), ::testing::ElementsAre(1));
    EXPECT_EQ(next_public(), 2U);
}

TEST_F(PrivateIds, WhatIsRefusedIsCountedWithThem) {
    Command refused{};
    refused.kind = CommandKind::new_order;
    refused.flags = CommandFlags::k_number_refused;
    refused.instrument = InstrumentId{1};
    refused.participant = alice;
    market.apply(refused);
    EXPECT_EQ(next_public(), 1U);
    EXPECT_EQ(market.buy(alice, 5, at(9.00), hidden).id(), hidden_id(2));
}

}  // namespace
}  // namespace damrak::private_id_test
