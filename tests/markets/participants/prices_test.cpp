// Prices as participants choose them.
#include <damrak/participants/detail/prices.hpp>

#include <gtest/gtest.h>

namespace damrak::participants::detail::prices_test {
namespace {

TEST(Prices, AreOnTicksAndNotWorseThanWanted) {
    InstrumentDefinition of;
    of.tick_bands[0] = {Price{0}, Price{25}};
    EXPECT_EQ(on_tick(110, of, Side::buy), Price{100});
    EXPECT_EQ(on_tick(110, of, Side::sell), Price{125});
    EXPECT_EQ(on_tick(100, of, Side::sell), Price{100});
    EXPECT_EQ(on_tick(-110, of, Side::buy), Price{25}) << "the lowest price";
}

TEST(Prices, BelowZeroAreRoundedInTheSameDirection) {
    InstrumentDefinition of;
    of.tick_bands[0] = {Price{-1'000}, Price{25}};
    EXPECT_EQ(on_tick(-110, of, Side::buy), Price{-125});
    EXPECT_EQ(on_tick(-110, of, Side::sell), Price{-100});
    EXPECT_EQ(on_tick(-125, of, Side::buy), Price{-125});
    EXPECT_EQ(on_tick(0.5, of, Side::buy), Price{0});
    EXPECT_EQ(on_tick(-5'000, of, Side::buy), Price{-1'000});
}

}  // namespace
}  // namespace damrak::participants::detail::prices_test
