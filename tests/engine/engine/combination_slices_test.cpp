// docs/rule-book/combinations.md: what trades across books does not depend on slices.
#include <cstddef>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::combination_slices_test {
namespace {

using namespace terms;

/// Instrument 3 is instrument 1 less instrument 2. A slice has `maximum_events` events.
struct Sliced : Market {
    explicit Sliced(std::uint32_t maximum_events) : Market{config(maximum_events), leg()} {
        add_instrument(2, leg());
        InstrumentDetails spread = leg();
        spread.unpublished = 1;
        spread.minimum_price = price(-10'000);
        add_instrument(3, spread);
        set_combination(3, CombinationKind::spread, {{InstrumentId{1}, 1}, {InstrumentId{2}, -1}})
            .expect({"combination_set 0"});
    }
    static EngineConfig config(std::uint32_t maximum_events) {
        EngineConfig config = small();
        config.maximum_events = maximum_events;
        return config;
    }
    static InstrumentDetails leg() {
        InstrumentDetails details = stock();
        details.shard_group = 1;
        return details;
    }
};

TEST(CombinationSlices, ATradeAcrossBooksGoesOnInTheNextSlice) {
    Sliced narrow{16};
    for (int i = 0; i < 20; ++i) narrow.sell(alice, 1, at(100));
    for (int i = 0; i < 10; ++i) narrow.buy(bob, 2, at(80), in(2));
    EXPECT_EQ(narrow.buy(carol, 20, at(20), in(3)).count(EventKind::executed), 31U);
}

// The corridor does not allow the second implied price until the first trade at 98.50. By then the
// order is at that price of its own book, and looks again only behind it.
TEST(CombinationSlices, ASliceThatEndsWithinAPriceChangesNothing) {
    for (const std::uint32_t events : {16U, 64U}) {
        Sliced narrow{events};
        narrow.sell(alice, 1, at(100));
        narrow.buy(bob, 1, at(100));
        narrow.set_price_limits({.dynamic_corridor = {200, 0}, .on_breach = OnBreach::cancel});
        narrow.buy(bob, 5, at(50), in(2));
        narrow.buy(bob, 1, at(51.90), in(3));
        narrow.buy(bob, 3, at(49.00), in(3));
        for (int i = 0; i < 12; ++i) narrow.buy(bob, 1, at(98.50));
        std::vector<Price> prices;
        const Outcome sold = narrow.sell(carol, 14, at(98.50));
        for (const Event& event : sold.events())
            if (event.kind == EventKind::executed && has_flag(event, EventFlags::k_aggressor))
                prices.push_back(event.price);
        std::vector<Price> wanted(13, price(98.50));
        wanted.front() = price(101.90);
        wanted.push_back(price(99.00));
        EXPECT_EQ(prices, wanted) << events;
    }
}

// A cancel lets an order go that trades across books; that elects stops in another one of them.
TEST(CombinationSlices, TurnsInAnotherBookGoOnInTheNextSlice) {
    const auto events_of = [](std::uint32_t maximum_events, std::size_t stops) {
        Sliced narrow{maximum_events};
        for (std::size_t i = 0; i < stops; ++i) narrow.buy(dave, 1, stop(100));
        const OrderId own = narrow.sell(bob, 1, at(90), in(2)).events().front().order_id;
        narrow.buy(bob, 1, at(95), in(2), skip_own);
        narrow.sell(alice, 1, at(100));
        narrow.buy(carol, 1, at(10), in(3));
        return narrow.cancel(bob, own.value, in(2)).events();
    };
    for (std::size_t stops = 1; stops < 12; ++stops) {
        const auto all = events_of(128, stops);
        EXPECT_GT(all.size(), 4 + stops);
        EXPECT_EQ(events_of(16, stops), all) << stops;
    }
}

// An order at rest waits for a halt to end. Its trade fills slices, and elects stops in a leg.
TEST(CombinationSlices, ATradeOfAnOrderAtRestGoesOnInTheNextSlice) {
    const auto events_of = [](std::uint32_t maximum_events, int asks) {
        Sliced narrow{maximum_events};
        for (int i = 0; i < asks; ++i) narrow.sell(alice, 1, at(100));
        narrow.buy(dave, 1, stop(100));
        narrow.sell(alice, 2, at(101));
        for (int i = 0; i < 4; ++i) narrow.buy(bob, 5, at(80), in(2));
        narrow.set_state(TradingState::halted);
        narrow.buy(carol, 30, at(20), in(3));
        return narrow.set_state(TradingState::trading).events();
    };
    for (int asks = 1; asks < 20; ++asks) {
        const auto all = events_of(128, asks);
        EXPECT_GT(all.size(), static_cast<std::size_t>(asks));
        EXPECT_EQ(events_of(16, asks), all) << asks;
    }
}

}  // namespace
}  // namespace damrak::combination_slices_test
