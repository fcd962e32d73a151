// Tick tables: RTS 11 row by row as published, and which prices are valid in any table.

#include <damrak/auction/tick_table.hpp>

#include <array>
#include <cstdint>
#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace damrak::auction::tick_table_test {
namespace {

constexpr std::array k_all_bands{LiquidityBand::below_10,  LiquidityBand::from_10,
                                 LiquidityBand::from_80,   LiquidityBand::from_600,
                                 LiquidityBand::from_2000, LiquidityBand::from_9000};

// The annex of Regulation (EU) 2017/588 in units of 0.0001: first price, then the six tick sizes.
constexpr std::array<std::array<std::int64_t, 7>, 19> k_annex{{
    {0, 5, 2, 1, 1, 1, 1},
    {1'000, 10, 5, 2, 1, 1, 1},
    {2'000, 20, 10, 5, 2, 1, 1},
    {5'000, 50, 20, 10, 5, 2, 1},
    {10'000, 100, 50, 20, 10, 5, 2},
    {20'000, 200, 100, 50, 20, 10, 5},
    {50'000, 500, 200, 100, 50, 20, 10},
    {100'000, 1'000, 500, 200, 100, 50, 20},
    {200'000, 2'000, 1'000, 500, 200, 100, 50},
    {500'000, 5'000, 2'000, 1'000, 500, 200, 100},
    {1'000'000, 10'000, 5'000, 2'000, 1'000, 500, 200},
    {2'000'000, 20'000, 10'000, 5'000, 2'000, 1'000, 500},
    {5'000'000, 50'000, 20'000, 10'000, 5'000, 2'000, 1'000},
    {10'000'000, 100'000, 50'000, 20'000, 10'000, 5'000, 2'000},
    {20'000'000, 200'000, 100'000, 50'000, 20'000, 10'000, 5'000},
    {50'000'000, 500'000, 200'000, 100'000, 50'000, 20'000, 10'000},
    {100'000'000, 1'000'000, 500'000, 200'000, 100'000, 50'000, 20'000},
    {200'000'000, 2'000'000, 1'000'000, 500'000, 200'000, 100'000, 50'000},
    {500'000'000, 5'000'000, 2'000'000, 1'000'000, 500'000, 200'000, 100'000},
}};

// A table with bands at multiples of both ticks, as all published ones have.
TickTable arbitrary_table() {
    TickTable table{Price{*rc::gen::inRange<std::int64_t>(1, 50)}};
    const int more = *rc::gen::inRange(0, 6);
    for (int i = 0; i < more; ++i) {
        const TickBand last = table.bands().back();
        const std::int64_t factor = *rc::gen::inRange<std::int64_t>(1, 6);
        const Price tick{last.tick_size.value * factor};
        const Price from{(last.from_price.value / tick.value + *rc::gen::inRange(1, 40)) *
                         tick.value};
        RC_ASSERT(table.add({from, tick}));
    }
    return table;
}

Price arbitrary_price() { return Price{*rc::gen::inRange<std::int64_t>(-2'000, 200'000)}; }

TEST(Rts11, HasTheTicksOfTheAnnexInEveryRowAndBand) {
    for (const LiquidityBand band : k_all_bands) {
        const TickTable table = rts11_tick_table(band);
        ASSERT_EQ(table.bands().size(), k_annex.size());
        for (std::size_t row = 0; row < k_annex.size(); ++row) {
            const Price tick{k_annex[row][static_cast<std::size_t>(band)]};
            EXPECT_EQ(table.bands()[row], (TickBand{Price{k_annex[row][0]}, tick})) << row;
        }
    }
}

TEST(Rts11, APriceMayBeValidInALiquidBandOnly) {
    const Price price{150'100};  // 15.01
    EXPECT_TRUE(rts11_tick_table(LiquidityBand::from_600).is_on_tick(price));
    EXPECT_FALSE(rts11_tick_table(LiquidityBand::from_80).is_on_tick(price));
}

TEST(Rts11, AnAverageOnTheBoundIsInTheMoreLiquidBand) {
    EXPECT_EQ(liquidity_band(0, 1), LiquidityBand::below_10);
    EXPECT_EQ(liquidity_band(9, 1), LiquidityBand::below_10);
    EXPECT_EQ(liquidity_band(10, 1), LiquidityBand::from_10);
    EXPECT_EQ(liquidity_band(79, 1), LiquidityBand::from_10);
    EXPECT_EQ(liquidity_band(80, 1), LiquidityBand::from_80);
    EXPECT_EQ(liquidity_band(600, 1), LiquidityBand::from_600);
    EXPECT_EQ(liquidity_band(2'000, 1), LiquidityBand::from_2000);
    EXPECT_EQ(liquidity_band(8'999, 1), LiquidityBand::from_2000);
    EXPECT_EQ(liquidity_band(9'000, 1), LiquidityBand::from_9000);
}

TEST(Rts11, AnAverageIsNotRounded) {
    EXPECT_EQ(liquidity_band(2'499, 250), LiquidityBand::below_10);  // 9.996 a day
    EXPECT_EQ(liquidity_band(2'500, 250), LiquidityBand::from_10);
}

TEST(Rule612, HasCentsFromOneDollarOn) {
    const TickTable table = us_equity_tick_table();
    EXPECT_TRUE(table.is_on_tick(Price{9'999}));
    EXPECT_EQ(table.next_above(Price{9'999}), Price{10'000});
    EXPECT_EQ(table.tick_size_at(Price{9'999}), Price{1});
    EXPECT_EQ(table.tick_size_at(Price{10'000}), Price{100});
    EXPECT_FALSE(table.is_on_tick(Price{10'001}));
    EXPECT_EQ(table.next_above(Price{10'000}), Price{10'100});
    EXPECT_EQ(table.next_below(Price{10'000}), Price{9'999});
}

TEST(TickTable, RoundsDownUpAndToTheNearestHalfUp) {
    const TickTable cents{Price{100}};
    EXPECT_EQ(cents.rounded(Price{12'349}, Rounding::down), Price{12'300});
    EXPECT_EQ(cents.rounded(Price{12'301}, Rounding::up), Price{12'400});
    EXPECT_EQ(cents.rounded(Price{12'349}, Rounding::nearest), Price{12'300});
    EXPECT_EQ(cents.rounded(Price{12'350}, Rounding::nearest), Price{12'400});
    EXPECT_EQ(cents.rounded(Price{12'300}, Rounding::up), Price{12'300});
}

TEST(TickTable, RoundsPricesOfSpreadsBelowZeroTheSameWay) {
    const TickTable cents{Price{100}};
    EXPECT_EQ(cents.rounded(Price{-149}, Rounding::down), Price{-200});
    EXPECT_EQ(cents.rounded(Price{-149}, Rounding::up), Price{-100});
    EXPECT_EQ(cents.rounded(Price{-150}, Rounding::nearest), Price{-100});
    EXPECT_EQ(cents.rounded(Price{-151}, Rounding::nearest), Price{-200});
}

TEST(TickTable, RefusesBandsThatDoNotFitTogether) {
    TickTable table{Price{3}};
    EXPECT_FALSE(table.add({Price{10}, Price{5}}));  // 10 is no multiple of 3
    EXPECT_FALSE(table.add({Price{9}, Price{5}}));   // 9 is no multiple of 5
    EXPECT_FALSE(table.add({Price{0}, Price{5}}));
    EXPECT_FALSE(table.add({Price{15}, Price{0}}));
    EXPECT_EQ(table.bands().size(), 1U);
    EXPECT_TRUE(table.add({Price{15}, Price{5}}));
    EXPECT_FALSE(table.add({Price{15}, Price{5}}));
}

TEST(TickTable, RefusesABandMoreThanItHoldsPlacesFor) {
    TickTable table{Price{1}};
    for (std::size_t i = 1; i < TickTable::k_maximum_bands; ++i)
        EXPECT_TRUE(table.add({Price{static_cast<std::int64_t>(i) * 10}, Price{1}}));
    EXPECT_FALSE(table.add({Price{10'000}, Price{1}}));
}

TEST(Quotient, DoesNotOverflowOnProductsOfLargeCounts) {
    constexpr std::int64_t k_large = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(quotient(Wide{k_large} * k_large, k_large, Rounding::up), k_large);
    EXPECT_EQ(basis_points_of(k_large, 10'000, Rounding::down), k_large);
}

RC_GTEST_PROP(TickTable, RoundsToTheValidPricesAround, ()) {
    const TickTable table = arbitrary_table();
    const Price price = arbitrary_price();
    const Price down = table.rounded(price, Rounding::down);
    const Price up = table.rounded(price, Rounding::up);
    RC_ASSERT(table.is_on_tick(down) && table.is_on_tick(up));
    RC_ASSERT(down <= price && price <= up);
    for (Price between = down + Price{1}; between < up; between += Price{1})
        RC_ASSERT(!table.is_on_tick(between));
    const Price nearest = price - down < up - price ? down : up;
    RC_ASSERT(table.rounded(price, Rounding::nearest) == nearest);
}

RC_GTEST_PROP(TickTable, NeighboursAreTheNextValidPrices, ()) {
    const TickTable table = arbitrary_table();
    const Price price = arbitrary_price();
    Price above = price + Price{1};
    while (!table.is_on_tick(above)) above += Price{1};
    Price below = price - Price{1};
    while (!table.is_on_tick(below)) below -= Price{1};
    RC_ASSERT(table.next_above(price) == above);
    RC_ASSERT(table.next_below(price) == below);
}

}  // namespace
}  // namespace damrak::auction::tick_table_test
