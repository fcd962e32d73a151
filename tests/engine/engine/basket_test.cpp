// docs/rule-book/combinations.md: baskets.
#include <cstdint>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::basket_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// The third instrument is a basket of two of the first and one of the second.
struct Baskets : ::testing::Test {
    static InstrumentDetails grouped() {
        InstrumentDetails details = Market::stock();
        details.shard_group = 1;
        return details;
    }
    static std::vector<std::string> trades(const Outcome& outcome) {
        std::vector<std::string> lines;
        for (const Event& event : outcome.events())
            if (event.kind == EventKind::executed)
                lines.push_back(
                    fmt::format("{}@{}{} of {}", event.quantity.value, price_text(event.price),
                                has_flag(event, EventFlags::k_aggressor) ? " takes" : "",
                                event.reference & 0xFFFF));
        return lines;
    }
    Baskets() {
        market.add_instrument(2, grouped());
        market.add_instrument(3, grouped());
        market.set_combination(3, CombinationKind::basket,
                               {{InstrumentId{1}, 2}, {InstrumentId{2}, 1}});
        market.sell(alice, 3, at(10));
        market.sell(alice, 9, at(10.10));
        market.sell(bob, 5, at(20), in(2));
    }
    Market market{Market::small(), grouped()};
};

TEST_F(Baskets, TradeWholeWithinTheirLimit) {
    EXPECT_THAT(trades(market.buy(carol, 2, at(40.10), in(3), fok)),
                ElementsAre("2@10.00 of 1", "1@20.00 of 1", "1@40.00 takes of 1", "1@10.00 of 2",
                            "1@10.10 of 2", "1@20.00 of 2", "1@40.10 takes of 2"));
    EXPECT_EQ(market.position(carol, 3), 2);
    EXPECT_EQ(market.position(alice, 1), -4);
    EXPECT_EQ(market.position(bob, 2), -2);
}

TEST_F(Baskets, TradeNothingIfOneUnitCostsMore) {
    market.buy(carol, 2, at(40.05), in(3), fok)
        .expect({"accepted #2199023255553 2@40.05",
                 "cancelled fill_or_kill #2199023255553 2@40.05 left 0"});
    EXPECT_THAT(trades(market.buy(carol, 6, at(99), in(3), fok)), IsEmpty());
    EXPECT_THAT(market.depth(Side::sell), ElementsAre("3@10.00 (1)", "9@10.10 (1)"));
}

TEST_F(Baskets, TakeReservesAndHiddenOrders) {
    market.sell(dave, 6, at(9), showing(1));
    market.sell(dave, 2, at(9), hidden);
    EXPECT_EQ(market.buy(carol, 4, at(38), in(3), fok).last().remaining, Quantity{0});
    EXPECT_EQ(market.position(dave, 1), -8);
}

TEST_F(Baskets, SellToTheBids) {
    market.buy(dave, 4, at(9.90));
    market.buy(dave, 1, at(19.90), in(2));
    market.buy(dave, 1, at(19.80), in(2));
    EXPECT_THAT(trades(market.sell(carol, 2, at(39.60), in(3), fok)),
                ElementsAre("2@9.90 of 1", "1@19.90 of 1", "1@39.70 takes of 1", "2@9.90 of 2",
                            "1@19.80 of 2", "1@39.60 takes of 2"));
}

TEST_F(Baskets, TakeNoOtherOrders) {
    market.buy(carol, 1, at(40), in(3)).expect_rejected(Reason::not_tradable);
    market.buy(carol, 1, at(40), in(3), ioc).expect_rejected(Reason::not_tradable);
    market.buy(carol, 1, in(3), fok).expect_rejected(Reason::not_tradable);
    market.buy(carol, 1, stop(40), in(3)).expect_rejected(Reason::not_tradable);
}

TEST_F(Baskets, WaitForNoLeg) {
    market.set_state(TradingState::halted, 2);
    EXPECT_THAT(trades(market.buy(carol, 1, at(40), in(3), fok)), IsEmpty());
    market.set_state(TradingState::trading, 2);
    market.set_price_band(price(1), price(9.99));
    EXPECT_THAT(trades(market.buy(carol, 1, at(41), in(3), fok)), IsEmpty());
}

TEST_F(Baskets, TradeWithNoOwnOrders) {
    EXPECT_THAT(trades(market.buy(alice, 1, at(40), in(3), fok, skip_own)), IsEmpty());
    EXPECT_EQ(trades(market.buy(alice, 1, at(40), in(3), fok)).size(), 3U);
}

TEST_F(Baskets, GoOnInTheNextSlice) {
    EngineConfig small = Market::small();
    small.maximum_events = 16;
    Market narrow{small, grouped()};
    narrow.add_instrument(2, grouped());
    narrow.add_instrument(3, grouped());
    narrow.set_combination(3, CombinationKind::basket,
                           {{InstrumentId{1}, 20}, {InstrumentId{2}, -1}});
    for (int i = 0; i < 40; ++i) narrow.sell(alice, 1, at(10));
    narrow.buy(bob, 2, at(150), in(2));
    EXPECT_EQ(narrow.buy(carol, 2, at(50), in(3), fok).count(EventKind::executed), 42U);
}

TEST_F(Baskets, HaveALotOfOne) {
    InstrumentDetails lots = grouped();
    lots.lot_size = Quantity{10};
    Market other{Market::small(), lots};
    other.add_instrument(2, lots);
    other.add_instrument(3, lots);
    other.set_combination(3, CombinationKind::basket, {{InstrumentId{1}, 1}, {InstrumentId{2}, 1}})
        .expect_rejected(Reason::invalid_legs);
}

}  // namespace
}  // namespace damrak::basket_test
