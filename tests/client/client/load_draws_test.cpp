// Requests of load clients: equal for equal seeds, in the requested proportions, at prices of the
// model.
#include <damrak/client/detail/load_draws.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <gtest/gtest.h>

namespace damrak::client::load_draws_test {
namespace {

using Counts = std::array<std::uint64_t, k_measured_kinds>;

Counts drawn(const LoadSettings& settings, std::uint64_t number, int count) {
    LoadDraws draws{settings, number};
    Counts counts{};
    for (int i = 0; i < count; ++i) {
        counts[std::to_underlying(draws.kind())] += 1;
        draws.take();
    }
    return counts;
}

TEST(LoadDraws, MixIsExactAfterEachDeck) {
    LoadSettings settings;
    EXPECT_EQ(drawn(settings, 1, 100), (Counts{60, 30, 10}));
    EXPECT_EQ(drawn(settings, 7, 300), (Counts{180, 90, 30}));
    settings.mix = {1, 0, 2};
    EXPECT_EQ(drawn(settings, 1, 9), (Counts{3, 0, 6}));
}

TEST(LoadDraws, FirstOfAClientIsANewOrder) {
    LoadSettings settings;
    settings.mix = {1, 500, 500};
    for (std::uint64_t client = 1; client < 50; ++client)
        EXPECT_EQ((LoadDraws{settings, client}.kind()), RequestKind::new_order);
}

TEST(LoadDraws, UniformPricesReachBothEndsAndNoFurther) {
    const LoadSettings settings;
    LoadDraws draws{settings, 1};
    std::uint32_t lowest = ~0U;
    std::uint32_t highest = 0;
    for (int i = 0; i < 10'000; ++i) {
        const auto terms = draws.new_order();
        lowest = std::min(lowest, terms.price_e2);
        highest = std::max(highest, terms.price_e2);
        EXPECT_GE(terms.quantity, 1U);
        EXPECT_LE(terms.quantity, settings.maximum_quantity);
    }
    EXPECT_EQ(lowest, settings.mid_price_e2 - settings.price_range_e2);
    EXPECT_EQ(highest, settings.mid_price_e2 + settings.price_range_e2);
}

TEST(LoadDraws, OnlyAggressiveOrdersAreBeyondTheMiddle) {
    LoadSettings settings;
    settings.aggressive_percent = 25;
    LoadDraws draws{settings, 1};
    int beyond = 0;
    for (int i = 0; i < 10'000; ++i) {
        const auto terms = draws.new_order();
        EXPECT_NE(terms.price_e2, settings.mid_price_e2);
        const bool buy = terms.side == LoadDraws::k_buy;
        beyond += buy == (terms.price_e2 > settings.mid_price_e2) ? 1 : 0;
    }
    EXPECT_GT(beyond, 2'300);
    EXPECT_LT(beyond, 2'700);
}

TEST(LoadDraws, MiddleWalksTheSameWayForEveryClient) {
    LoadSettings settings;
    settings.prices = PriceModel::walk;
    settings.price_range_e2 = 0;
    LoadDraws one{settings, 1};
    LoadDraws another{settings, 2};
    std::uint32_t before = settings.mid_price_e2;
    bool moved_far = false;
    for (int i = 0; i < 100'000; ++i) {
        const std::uint32_t price = one.new_order().price_e2;
        ASSERT_EQ(price, another.new_order().price_e2);
        ASSERT_LE(price > before ? price - before : before - price, 1U);
        ASSERT_GE(price, settings.mid_price_e2 * 3 / 4);
        ASSERT_LE(price, settings.mid_price_e2 * 5 / 4);
        moved_far |= price > settings.mid_price_e2 + 100 || price + 100 < settings.mid_price_e2;
        before = price;
    }
    EXPECT_TRUE(moved_far);
}

}  // namespace
}  // namespace damrak::client::load_draws_test
