// Bounded memory: a full pool causes a reject with its own reason, and nothing else. Rule book,
// section 2, step 11.

#include <algorithm>
#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::capacity_test {
namespace {

using namespace terms;

EngineConfig with(void (*change)(EngineConfig&)) {
    EngineConfig config = Market::small();
    change(config);
    return config;
}

TEST(Capacity, OfOrdersCountsAllInstrumentsTogether) {
    Market market(with([](EngineConfig& config) { config.maximum_orders = 4; }));
    market.add_instrument(2, Market::stock());
    for (int i = 0; i < 3; ++i) market.buy(alice, 1, at(10.00), in(i % 2 == 0 ? 1 : 2));
    market.buy(alice, 1, stop(20.00));
    market.buy(alice, 1, at(10.00)).expect_rejected(Reason::orders_full);
    market.cancel(alice, 1);
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected());
}

// Also rejects an order that would trade at once: before matching, nobody knows whether it will
// rest.
TEST(Capacity, OfOrdersIsCheckedBeforeAnOrderIsMatched) {
    Market market(with([](EngineConfig& config) { config.maximum_orders = 1; }));
    market.sell(bob, 1, at(10.00));
    market.buy(alice, 1, at(10.00), ioc).expect_rejected(Reason::orders_full);
}

TEST(Capacity, OfOrdersIsFreedByTrades) {
    Market market(with([](EngineConfig& config) { config.maximum_orders = 2; }));
    market.sell(bob, 1, at(10.00));
    market.buy(alice, 1, at(10.00));
    market.sell(bob, 1, at(10.00));
    EXPECT_FALSE(market.sell(bob, 1, at(10.00)).rejected());
    market.sell(bob, 1, at(10.00)).expect_rejected(Reason::orders_full);
}

TEST(Capacity, OfOrdersDoesNotPreventAReplace) {
    Market market(with([](EngineConfig& config) { config.maximum_orders = 1; }));
    market.buy(alice, 1, at(10.00));
    market.replace(alice, 1, 5, at(11.00)).expect({"replaced #1>#2 @11.00 left 5 shows 5"});
}

TEST(Capacity, OfExtensionsLimitsOnlyOrdersThatNeedOne) {
    Market market(with([](EngineConfig& config) { config.maximum_extensions = 1; }));
    market.buy(alice, 10, at(10.00), showing(1));
    market.buy(alice, 10, at(10.00), showing(1)).expect_rejected(Reason::extensions_full);
    market.buy(alice, 10, stop(20.00)).expect_rejected(Reason::extensions_full);
    market.buy(alice, 10, at(10.00), at_least(5)).expect_rejected(Reason::extensions_full);
    market.buy(alice, 10, at(10.00), until(5)).expect_rejected(Reason::extensions_full);
    EXPECT_FALSE(market.buy(alice, 10, at(10.00), hidden).rejected());
    market.cancel(alice, 1);
    EXPECT_FALSE(market.buy(alice, 10, at(10.00), until(5)).rejected());
}

// "A stop counts until it is triggered, a minimum quantity until it is done with."
TEST(Capacity, OfExtensionsIsFreedByATriggeredStop) {
    Market market(with([](EngineConfig& config) { config.maximum_extensions = 1; }));
    market.buy(alice, 10, at(9.00), stop(10.00));
    market.sell(bob, 1, at(10.00));
    market.buy(carol, 1, at(10.00));
    EXPECT_FALSE(market.buy(alice, 10, at(9.00), showing(1)).rejected());
}

TEST(Capacity, OfExtensionsIsFreedByAHeldOrderThatTraded) {
    Market market(with([](EngineConfig& config) { config.maximum_extensions = 1; }));
    market.buy(alice, 10, at(10.00), at_least(5));
    market.buy(alice, 10, at(10.00), at_least(5)).expect_rejected(Reason::extensions_full);
    market.sell(bob, 5, at(10.00));
    EXPECT_FALSE(market.buy(alice, 10, at(9.00), showing(1)).rejected());
}

TEST(Capacity, OfAccountsCountsPairsOfParticipantAndInstrument) {
    Market market(with([](EngineConfig& config) { config.maximum_accounts = 2; }));
    market.add_instrument(2, Market::stock());
    market.buy(alice, 1, at(10.00), in(1));
    market.buy(alice, 1, at(10.00), in(2));
    market.buy(bob, 1, at(10.00)).expect_rejected(Reason::accounts_full);
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected());
    market.mass_cancel();
    market.buy(bob, 1, at(10.00)).expect_rejected(Reason::accounts_full);
}

TEST(Capacity, OfInstrumentsIsTheirLargestId) {
    Market market;
    market.add_instrument(4, Market::stock()).expect({"instrument_added 0"});
    market.add_instrument(5, Market::stock()).expect_rejected(Reason::invalid_instrument);
}

TEST(Capacity, OfPriceLevelsRejectsInTimeAndRecovers) {
    Market market(with([](EngineConfig& config) { config.maximum_levels = 8; }));
    market.leave_reference_out();
    int accepted = 0;
    while (!market.buy(alice, 1, at(10.00 + 0.01 * accepted)).rejected()) ++accepted;
    EXPECT_GE(accepted, 5);
    EXPECT_LE(accepted, 8);
    market.sell(bob, 1, at(50.00)).expect_rejected(Reason::levels_full);
    market.cancel(alice, 1);
    EXPECT_FALSE(market.sell(bob, 1, at(50.00)).rejected());
}

// With prices as far apart as possible, the nodes of the price ladder are exhausted first.
TEST(Capacity, OfLadderNodesRejectsInTimeAndRecovers) {
    Market market(with([](EngineConfig& config) { config.maximum_ladder_nodes = 40; }));
    market.leave_reference_out();
    std::int64_t cents = 1;
    std::vector<std::uint64_t> orders;
    for (;; cents += 4'096) {
        const Outcome outcome = market.buy(alice, 1, at(static_cast<double>(cents) / 100.0));
        if (outcome.rejected()) {
            outcome.expect_rejected(Reason::levels_full);
            break;
        }
        orders.push_back(outcome.id());
    }
    EXPECT_GT(orders.size(), 5U);
    market.mass_cancel();
    EXPECT_EQ(market.engine().store().nodes.pool().used(), 0U);
    EXPECT_FALSE(market.buy(alice, 1, at(10.00)).rejected());
}

// Section 10: a stop that would rest is cancelled if the price levels could run out.
TEST(Capacity, OfPriceLevelsEndsStopsThatCouldNotRest) {
    Market market(with([](EngineConfig& config) { config.maximum_levels = 8; }));
    market.leave_reference_out();
    for (int i = 0; i < 12; ++i) market.buy(alice, 1, at(5.00 + i), stop(20.00));
    market.sell(bob, 1, at(20.00));
    const Outcome outcome = market.buy(carol, 1, at(20.00));
    EXPECT_EQ(outcome.count(EventKind::triggered), 12U);
    EXPECT_GT(std::ranges::count(outcome.events(), Reason::levels_full, &Event::reason), 3);
    EXPECT_THAT(market.depth(Side::buy), ::testing::Contains("1@5.00 (1)"))
        << "while there is room";
}

TEST(Capacity, OfEverythingIsTheSumOfItsParts) {
    const Market market;
    const EngineInto<EventRecorder>& engine = market.engine();
    EXPECT_GT(engine.store().bytes(), 10'000U * sizeof(Order));
    EXPECT_GT(engine.accounts().bytes(), 64U * sizeof(Account));
}

}  // namespace
}  // namespace damrak::capacity_test
