// Instrument definitions: which are valid, and which prices are valid in their tick bands.

#include <damrak/domain/instrument.hpp>

#include <cstdint>
#include <functional>
#include <limits>

#include <gtest/gtest.h>

namespace damrak::instrument_test {
namespace {

constexpr std::int64_t k_largest = std::numeric_limits<std::int64_t>::max();

InstrumentDefinition sound() {
    InstrumentDefinition definition;
    definition.id = InstrumentId{1};
    definition.symbol = Symbol::of("AAPL");
    return definition;
}

// 0.0001 below 1.00 and 0.01 from there on, as in SEC Rule 612; 0.05 from 100.00 on.
InstrumentDefinition banded() {
    InstrumentDefinition definition = sound();
    definition.tick_bands[0].tick_size = Price{1};
    EXPECT_EQ(definition.add_band({Price{10'000}, Price{100}}), Reason::none);
    EXPECT_EQ(definition.add_band({Price{1'000'000}, Price{500}}), Reason::none);
    return definition;
}

Reason check_with(const std::function<void(InstrumentDefinition&)>& change) {
    InstrumentDefinition definition = sound();
    change(definition);
    return definition.check();
}

TEST(Symbol, KeepsUpToSixteenCharacters) {
    EXPECT_EQ(Symbol::of("AAPL").view(), "AAPL");
    EXPECT_EQ(Symbol::of("").view(), "");
    EXPECT_EQ(Symbol::of("0123456789ABCDEF").view(), "0123456789ABCDEF");
    EXPECT_EQ(Symbol::of("0123456789ABCDEFG").view(), "0123456789ABCDEF");
    EXPECT_EQ(Symbol::of("A"), Symbol::of("A"));
}

TEST(InstrumentDefinition, IsValidWithASymbolAndTheDefaults) {
    EXPECT_EQ(sound().check(), Reason::none);
    EXPECT_EQ(sound().tick_size_at(Price{123}), Price{100});
    EXPECT_EQ(sound().maximum_price, Price{1'999'999'900});
}

TEST(InstrumentDefinition, NeedsAPrintableSymbol) {
    for (const char* symbol : {"", "A B", "A\t", "\x7f", "caf\xe9"})
        EXPECT_EQ(check_with([&](auto& it) { it.symbol = Symbol::of(symbol); }),
                  Reason::invalid_instrument)
            << symbol;
}

TEST(InstrumentDefinition, NeedsPositiveSizes) {
    for (const std::int64_t bad : {std::int64_t{0}, std::int64_t{-1}, -k_largest}) {
        EXPECT_EQ(check_with([&](auto& it) { it.tick_bands[0].tick_size = Price{bad}; }),
                  Reason::invalid_instrument);
        EXPECT_EQ(check_with([&](auto& it) { it.lot_size = Quantity{bad}; }),
                  Reason::invalid_instrument);
        EXPECT_EQ(check_with([&](auto& it) { it.maximum_price = Price{bad}; }),
                  Reason::invalid_instrument);
        EXPECT_EQ(check_with([&](auto& it) { it.maximum_quantity = Quantity{bad}; }),
                  Reason::invalid_instrument);
    }
}

TEST(InstrumentDefinition, NeedsAKnownMatchingPolicy) {
    EXPECT_EQ(check_with([](auto& it) { it.policy = static_cast<MatchingPolicy>(1); }),
              Reason::invalid_instrument);
}

TEST(InstrumentDefinition, HasAtMostNineDecimals) {
    EXPECT_EQ(check_with([](auto& it) { it.price_decimals = 9; }), Reason::none);
    EXPECT_EQ(check_with([](auto& it) { it.price_decimals = 10; }), Reason::invalid_instrument);
}

// Decision "Price": a published instrument stays within the maxima of ITCH and OUCH.
TEST(InstrumentDefinition, ExceedsThePublishedMaximaOnlyUnpublished) {
    const auto dear = [](auto& it) { it.maximum_price = k_published_maximum_price + Price{1}; };
    const auto large = [](auto& it) {
        it.maximum_quantity = k_published_maximum_quantity + Quantity{1};
    };
    EXPECT_EQ(check_with(dear), Reason::invalid_instrument);
    EXPECT_EQ(check_with(large), Reason::invalid_instrument);
    EXPECT_EQ(check_with([&](auto& it) {
                  it.unpublished = true;
                  dear(it);
                  large(it);
              }),
              Reason::none);
}

// The sum of the orders that an engine can have fits in 64 bits.
TEST(InstrumentDefinition, LimitsItsLargestOrder) {
    const auto with = [](std::int64_t quantity) {
        return check_with([&](auto& it) {
            it.unpublished = true;
            it.tick_bands[0].tick_size = Price{1};
            it.maximum_price = Price{100};
            it.maximum_quantity = Quantity{quantity};
        });
    };
    EXPECT_EQ(with(68'719'476'736), Reason::none);
    EXPECT_EQ(with(68'719'476'737), Reason::invalid_instrument);
}

TEST(InstrumentDefinition, LimitsTheNotionalOfItsLargestOrder) {
    const auto with = [](std::int64_t price, std::int64_t quantity) {
        return check_with([&](auto& it) {
            it.unpublished = true;
            it.tick_bands[0].tick_size = Price{1};
            it.maximum_price = Price{price};
            it.maximum_quantity = Quantity{quantity};
        });
    };
    EXPECT_EQ(with(1'000'000'000'000'000'000, 9), Reason::none);
    EXPECT_EQ(with(1'000'000'000'000'000'000, 10), Reason::invalid_instrument);
    EXPECT_EQ(with(k_largest, 1), Reason::none);
    EXPECT_EQ(with(k_largest, 2), Reason::invalid_instrument);
}

TEST(InstrumentDefinition, ReachesAtLeastOneTickAndOneLot) {
    EXPECT_EQ(check_with([](auto& it) { it.tick_bands[0].tick_size = it.maximum_price; }),
              Reason::none);
    EXPECT_EQ(
        check_with([](auto& it) { it.tick_bands[0].tick_size = it.maximum_price + Price{1}; }),
        Reason::invalid_instrument);
    EXPECT_EQ(check_with([](auto& it) { it.lot_size = it.maximum_quantity + Quantity{1}; }),
              Reason::invalid_instrument);
}

TEST(TickBands, HoldFromTheirPriceUpToTheNext) {
    const InstrumentDefinition definition = banded();
    EXPECT_EQ(definition.tick_size_at(Price{0}), Price{1});
    EXPECT_EQ(definition.tick_size_at(Price{9'999}), Price{1});
    EXPECT_EQ(definition.tick_size_at(Price{10'000}), Price{100});
    EXPECT_EQ(definition.tick_size_at(Price{999'999}), Price{100});
    EXPECT_EQ(definition.tick_size_at(Price{1'000'000}), Price{500});
    EXPECT_EQ(definition.tick_size_at(Price{k_largest}), Price{500});
    EXPECT_EQ(definition.common_tick(), Price{1});
}

TEST(TickBands, TellWhichPricesAreValid) {
    const InstrumentDefinition definition = banded();
    EXPECT_TRUE(definition.on_tick(Price{9'999}));
    EXPECT_TRUE(definition.on_tick(Price{10'000}));
    EXPECT_FALSE(definition.on_tick(Price{10'001}));
    EXPECT_TRUE(definition.on_tick(Price{999'900}));
    EXPECT_FALSE(definition.on_tick(Price{1'000'100}));
    EXPECT_TRUE(definition.on_tick(Price{1'000'500}));
}

TEST(TickBands, FindTheNextPriceBelowAcrossTheirEdge) {
    const InstrumentDefinition definition = banded();
    EXPECT_EQ(definition.next_price_below(Price{1'000'500}), Price{1'000'000});
    EXPECT_EQ(definition.next_price_below(Price{1'000'000}), Price{999'900});
    EXPECT_EQ(definition.next_price_below(Price{10'000}), Price{9'999});
    EXPECT_EQ(definition.next_price_below(Price{10'050}), Price{10'000});
    EXPECT_EQ(definition.next_price_below(Price{2}), Price{1});
    EXPECT_EQ(definition.next_price_below(Price{1}), Price{0}) << "none below the lowest";
}

TEST(TickBands, FindTheNextPriceAboveAcrossTheirEdge) {
    const InstrumentDefinition definition = banded();
    EXPECT_EQ(definition.next_price_above(Price{0}), Price{1});
    EXPECT_EQ(definition.next_price_above(Price{9'999}), Price{10'000});
    EXPECT_EQ(definition.next_price_above(Price{10'000}), Price{10'100});
    EXPECT_EQ(definition.next_price_above(Price{999'900}), Price{1'000'000});
    EXPECT_EQ(definition.next_price_above(Price{1'000'000}), Price{1'000'500});
}

TEST(TickBands, AgreeThatBelowUndoesAboveAtEveryValidPrice) {
    const InstrumentDefinition definition = banded();
    Price price{9'900};
    for (int step = 0; step < 12'000; ++step) {
        const Price above = definition.next_price_above(price);
        ASSERT_TRUE(definition.on_tick(above)) << above.value;
        ASSERT_EQ(definition.next_price_below(above), price) << above.value;
        price = above;
    }
    EXPECT_GT(price, Price{1'000'000}) << "the walk passed all bands";
}

TEST(TickBands, MayGrowFinerWithThePrice) {
    InstrumentDefinition definition = sound();
    EXPECT_EQ(definition.add_band({Price{1'000}, Price{10}}), Reason::none);
    EXPECT_EQ(definition.common_tick(), Price{10});
    EXPECT_EQ(definition.next_price_above(Price{900}), Price{1'000});
    EXPECT_EQ(definition.next_price_above(Price{1'000}), Price{1'010});
}

TEST(TickBands, AreRefusedUnlessTheyStartOnATickOfBothSides) {
    InstrumentDefinition definition = sound();
    EXPECT_EQ(definition.add_band({Price{1'050}, Price{10}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.add_band({Price{1'100}, Price{200}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.band_count, 1);
}

TEST(TickBands, AreRefusedUnlessTheyRiseWithinThePrices) {
    InstrumentDefinition definition = banded();
    EXPECT_EQ(definition.add_band({Price{1'000'000}, Price{1'000}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.add_band({Price{500'000}, Price{1'000}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.add_band({definition.maximum_price, Price{500}}),
              Reason::invalid_instrument);
    EXPECT_EQ(definition.add_band({Price{2'000'000}, Price{0}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.add_band({Price{2'000'000}, Price{-500}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.band_count, 3);
}

// The book counts in the common tick. In the second liquidity band of RTS 11 that is none of them.
TEST(TickBands, HaveAUnitOfWhichAllAreMultiples) {
    InstrumentDefinition definition = sound();
    definition.tick_bands[0].tick_size = Price{20};
    EXPECT_EQ(definition.common_tick(), Price{20});
    EXPECT_EQ(definition.add_band({Price{10'000}, Price{50}}), Reason::none);
    EXPECT_EQ(definition.common_tick(), Price{10});
    EXPECT_EQ(definition.add_band({Price{20'000}, Price{100}}), Reason::none);
    EXPECT_EQ(definition.common_tick(), Price{10});
    EXPECT_EQ(definition.next_price_above(definition.floor()), Price{20});
    EXPECT_EQ(definition.next_price_above(Price{9'980}), Price{10'000});
    EXPECT_EQ(definition.next_price_above(Price{10'000}), Price{10'050});
    EXPECT_EQ(definition.next_price_below(Price{10'000}), Price{9'980});
}

TEST(TickBands, AreAtMostTwenty) {
    InstrumentDefinition definition = sound();
    for (std::int64_t i = 1; i < 20; ++i)
        EXPECT_EQ(definition.add_band({Price{i * 1'000}, Price{100}}), Reason::none);
    EXPECT_EQ(definition.add_band({Price{20'000}, Price{100}}), Reason::invalid_instrument);
    EXPECT_EQ(definition.band_count, 20);
}

}  // namespace
}  // namespace damrak::instrument_test
