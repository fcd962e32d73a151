// Instruments: added at any time, halted and resumed, each with its own ticks, lots and counters.
// Rule book, sections 1 and 2.

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::instrument_test {
namespace {

using namespace terms;
using ::testing::ElementsAre;

struct Instruments : ::testing::Test {
    Market market;
};

TEST_F(Instruments, TradeFromTheMomentTheyAreAdded) {
    market.buy(alice, 1, at(10.00), in(2)).expect_rejected(Reason::unknown_instrument);
    market.add_instrument(2, Market::stock()).expect({"instrument_added 0"});
    EXPECT_FALSE(market.buy(alice, 1, at(10.00), in(2)).rejected());
}

TEST_F(Instruments, ThatAreHaltedTakeNoOrdersAndDoNotTrade) {
    market.sell(bob, 10, at(10.00));
    market.set_state(TradingState::halted).expect({"trading_state_changed 1"});
    market.buy(alice, 10, at(10.00)).expect_rejected(Reason::instrument_halted);
    market.buy(alice, 10, stop(11.00)).expect_rejected(Reason::instrument_halted);
    market.query(bob, 1).expect({"order_status #1 executed 0 @10.00 left 10 shows 10"});
    market.set_state(TradingState::trading).expect({"trading_state_changed 0"});
    EXPECT_EQ(market.buy(alice, 10, at(10.00)).count(EventKind::executed), 2U);
}

TEST_F(Instruments, AreHaltedOneByOne) {
    market.add_instrument(2, Market::stock());
    market.set_state(TradingState::halted, 2);
    EXPECT_FALSE(market.buy(alice, 1, at(10.00), in(1)).rejected());
    market.buy(alice, 1, at(10.00), in(2)).expect_rejected(Reason::instrument_halted);
}

TEST_F(Instruments, LetOrdersExpireInAHalt) {
    market.buy(alice, 1, at(10.00), until(100));
    market.buy(alice, 1, at(10.00));
    market.set_state(TradingState::halted);
    market.tick(100).expect({"expired good_till_date #1 1@10.00 left 0"});
    market.end_day().expect({"expired end_of_day #2 1@10.00 left 0", "day_ended 1"});
}

// SEC Rule 612: 0.0001 below 1.00, 0.01 from there on.
TEST_F(Instruments, HaveTickSizesThatDependOnThePrice) {
    InstrumentDetails details = Market::stock();
    details.tick_size = Price{1};
    market.add_instrument(2, details);
    market.add_tick_band(1.00, 0.01, 2).expect({"tick_band_added 0"});
    EXPECT_FALSE(market.buy(alice, 1, at(0.9999), in(2)).rejected());
    EXPECT_FALSE(market.buy(alice, 1, at(1.01), in(2)).rejected());
    market.buy(alice, 1, at(1.0001), in(2)).expect_rejected(Reason::price_off_tick);
    market.buy(alice, 1, stop(1.0001), in(2)).expect_rejected(Reason::price_off_tick);
}

TEST_F(Instruments, TradeAcrossTheEdgeOfTickBands) {
    InstrumentDetails details = Market::stock();
    details.tick_size = Price{1};
    market.add_instrument(2, details);
    market.add_tick_band(1.00, 0.01, 2);
    market.sell(bob, 1, at(1.00), in(2));
    market.sell(bob, 1, at(0.9999), in(2));
    market.sell(bob, 1, at(1.01), in(2));
    EXPECT_THAT(market.depth(Side::sell, 2),
                ElementsAre("1@0.9999 (1)", "1@1.00 (1)", "1@1.01 (1)"));
    const Outcome outcome = market.buy(alice, 2, at(1.00), in(2));
    EXPECT_EQ(outcome.events()[1].price, price(0.9999));
    EXPECT_EQ(outcome.events()[3].price, price(1.00));
}

TEST_F(Instruments, ThatAreUnpublishedMayExceedThePricesOfTheFeeds) {
    InstrumentDetails dear = Market::stock();
    dear.maximum_price = Price{1'000'000'000'000};
    market.add_instrument(2, dear).expect_rejected(Reason::invalid_instrument);
    dear.unpublished = 1;
    market.add_instrument(2, dear).expect({"instrument_added 0"});
    EXPECT_FALSE(market.buy(alice, 1, at(99'999'999.00), in(2)).rejected());
}

// Prices up to 10^18 units with an odd tick of 7: the tick count of a price is always exact.
TEST_F(Instruments, CountTicksExactlyAtAnyPrice) {
    const std::int64_t far = 1'000'000'000'000'000'000;
    InstrumentDetails details = {.symbol = Symbol::of("FAR"),
                                 .tick_size = Price{7},
                                 .maximum_price = Price{far},
                                 .lot_size = Quantity{1},
                                 .maximum_quantity = Quantity{9},
                                 .unpublished = 1};
    market.add_instrument(2, details);
    const auto units = [](std::int64_t value) {
        return [=](Command& command) {
            command.price = Price{value};
            command.order_type = OrderType::limit;
        };
    };
    const std::int64_t multiple = far - far % 7;
    EXPECT_EQ(market.buy(alice, 1, units(multiple), in(2)).last().price, Price{multiple});
    EXPECT_EQ(market.buy(alice, 1, units(7), in(2)).last().price, Price{7});
    for (std::int64_t off = 1; off < 7; ++off)
        market.buy(alice, 1, units(multiple - off), in(2)).expect_rejected(Reason::price_off_tick);
}

// "Instruments: thousands, added at start or while running."
TEST(ManyInstruments, AreAddedWhileOthersTrade) {
    constexpr std::uint32_t k_count = 5'000;
    EngineConfig config;
    config.maximum_instruments = k_count;
    EventRecorder recorder;
    EngineInto<EventRecorder> engine(config, recorder);
    const auto apply = [&](const Command& command) {
        recorder.events.clear();
        engine.apply(command);
        return recorder.events;
    };
    for (std::uint32_t id = 1; id <= k_count; ++id) {
        Command add{};
        add.kind = CommandKind::add_instrument;
        add.instrument = InstrumentId{id};
        add.definition = Market::stock();
        ASSERT_EQ(apply(add)[0].kind, EventKind::instrument_added);
        Command sell{};
        sell.kind = CommandKind::new_order;
        sell.instrument = InstrumentId{id};
        sell.side = Side::sell;
        sell.participant = bob;
        sell.quantity = Quantity{2};
        sell.price = price(10.00);
        ASSERT_EQ(apply(sell)[0].order_id.value, (std::uint64_t{id - 1} << 40U) + 1);
        // Someone trades in an instrument that was added long ago.
        Command buy = sell;
        buy.instrument = InstrumentId{id / 2 + 1};
        buy.side = Side::buy;
        buy.participant = alice;
        buy.quantity = Quantity{1};
        ASSERT_EQ(apply(buy).size(), 3U);
    }
    engine.check_invariants();
}

}  // namespace
}  // namespace damrak::instrument_test
