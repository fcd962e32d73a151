// Collars and what follows when they are breached: docs/rule-book/collars.md.

#include <damrak/auction/detail/collars.hpp>

#include <array>
#include <cstdint>
#include <optional>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/auction/curves.hpp>
#include <damrak/auction/detail/call_end.hpp>

namespace damrak::auction::collars_test {
namespace {

constexpr Price whole(std::int64_t count) { return Price{count * 10'000}; }
constexpr PriceRange range(std::int64_t low, std::int64_t high) {
    return {whole(low), whole(high)};
}
constexpr Margin per_cent(std::int64_t count) { return {.basis_points = count * 100}; }

const Collars::Terms k_two_and_five{per_cent(2), per_cent(5)};

TEST(Collars, BeginAroundTheLastPriceOfADayBefore) {
    const Collars collars(k_two_and_five, whole(100));
    EXPECT_EQ(collars.allowed(), range(98, 102));
}

TEST(Collars, IncludeTheirEnds) {
    const Collars collars(k_two_and_five, whole(100));
    EXPECT_EQ(collars.breach_at(whole(102)), Breach::none);
    EXPECT_EQ(collars.breach_at(whole(98)), Breach::none);
    EXPECT_EQ(collars.breach_at(whole(102) + Price{1}), Breach::dynamic_corridor);
    EXPECT_EQ(collars.breach_at(whole(98) - Price{1}), Breach::dynamic_corridor);
}

TEST(Collars, MoveTheDynamicCorridorWithEveryTrade) {
    Collars collars(k_two_and_five, whole(100));
    collars.on_trade(whole(102));
    EXPECT_EQ(collars.breach_at(whole(104)), Breach::none);
    EXPECT_EQ(collars.breach_at(whole(99)), Breach::dynamic_corridor);
}

TEST(Collars, MoveTheStaticCorridorWithAuctionsOnly) {
    Collars collars(k_two_and_five, whole(100));
    collars.on_trade(whole(104));
    EXPECT_EQ(collars.breach_at(whole(105)), Breach::none);
    EXPECT_EQ(collars.breach_at(whole(105) + Price{1}), Breach::static_corridor);
    EXPECT_EQ(collars.allowed().high, whole(105));
    EXPECT_EQ(collars.allowed().low, Price{1'019'200});
    collars.on_auction(whole(104));
    EXPECT_EQ(collars.breach_at(whole(106)), Breach::none);
}

TEST(Collars, LetAnAggressorTradeUpToTheirEdge) {
    // Asks 50@101, 50@102, 50@103; a market buy of 120 comes in.
    const Collars collars(k_two_and_five, whole(100));
    const std::array asks{PriceLevel{whole(101), Quantity{50}},
                          PriceLevel{whole(102), Quantity{50}},
                          PriceLevel{whole(103), Quantity{50}}};
    Quantity left{120};
    for (const PriceLevel& ask : asks)
        if (collars.allowed().contains(ask.price)) left -= std::min(left, ask.quantity);
    EXPECT_EQ(left, Quantity{20});
    EXPECT_EQ(collars.breach_at(whole(103)), Breach::dynamic_corridor);
}

TEST(FatFinger, IsABuyFarAboveOrASellFarBelow) {
    EXPECT_FALSE(is_fat_finger(Side::buy, whole(110), whole(100), per_cent(10)));
    EXPECT_TRUE(is_fat_finger(Side::buy, whole(110) + Price{1}, whole(100), per_cent(10)));
    EXPECT_FALSE(is_fat_finger(Side::buy, whole(1), whole(100), per_cent(10)));
    EXPECT_FALSE(is_fat_finger(Side::sell, whole(90), whole(100), per_cent(10)));
    EXPECT_TRUE(is_fat_finger(Side::sell, whole(90) - Price{1}, whole(100), per_cent(10)));
    EXPECT_FALSE(is_fat_finger(Side::sell, whole(900), whole(100), per_cent(10)));
}

TEST(Margin, IsRoundedDownSoThatNoPriceInItIsTooFar) {
    // 2 % of 1.0049 is 0.020098.
    EXPECT_EQ(per_cent(2).around(Price{10'049}), (PriceRange{Price{9'849}, Price{10'249}}));
}

TEST(Margin, HasAMinimum) {
    const Margin margin{.basis_points = 200, .at_least{500}};
    EXPECT_EQ(margin.around(Price{10'000}), (PriceRange{Price{9'500}, Price{10'500}}));
    EXPECT_EQ(margin.around(Price{100'000}), (PriceRange{Price{98'000}, Price{102'000}}));
}

TEST(Margin, OfAPriceBelowZeroIsThatOfThePriceAboveZero) {
    EXPECT_EQ(per_cent(2).around(whole(-100)), range(-102, -98));
}

RC_GTEST_PROP(MarginProperty, ContainsExactlyThePricesWithinTheMargin, ()) {
    const std::int64_t price = *rc::gen::inRange<std::int64_t>(-3'000, 3'000);
    const Margin margin{.basis_points = *rc::gen::inRange<std::int64_t>(0, 3'000)};
    const std::int64_t other = price + *rc::gen::inRange<std::int64_t>(-1'000, 1'000);
    const bool within = std::abs(other - price) * 10'000 <= std::abs(price) * margin.basis_points;
    RC_ASSERT(margin.around(Price{price}).contains(Price{other}) == within);
}

VolatilityCall::Terms stages(std::initializer_list<VolatilityCall::Stage> list) {
    VolatilityCall::Terms terms;
    terms.stage_count = list.size();
    std::ranges::copy(list, terms.stages.begin());
    return terms;
}

constexpr Timestamp k_ten = minutes(10 * 60);

TEST(VolatilityCall, EndsWithAnAuctionWithinTheWiderCorridor) {
    VolatilityCall call(stages({{per_cent(4), minutes(5)}}), k_ten, whole(100));
    EXPECT_EQ(call.earliest_end(), k_ten + minutes(5));
    EXPECT_EQ(call.corridor(), range(96, 104));
    EXPECT_EQ(call.on_end(k_ten + minutes(5), whole(104)), CallEnd::auction);
}

TEST(VolatilityCall, EndsWithoutAnAuctionWhereNothingCanBeExecuted) {
    VolatilityCall call(stages({{per_cent(4)}}), k_ten, whole(100));
    EXPECT_EQ(call.on_end(k_ten + minutes(2), std::nullopt), CallEnd::no_price);
}

TEST(VolatilityCall, OfOneStageIsExtendedUntilTheOperatorEndsIt) {
    VolatilityCall call(stages({{per_cent(4)}}), k_ten, whole(100));
    EXPECT_EQ(call.on_end(k_ten + minutes(2), whole(105)), CallEnd::by_hand);
    EXPECT_EQ(call.on_end(k_ten + minutes(9), whole(105)), CallEnd::by_hand);
    EXPECT_EQ(call.on_end(k_ten + minutes(9), std::nullopt), CallEnd::no_price);
}

TEST(VolatilityCall, WidensItsCorridorFromStageToStage) {
    VolatilityCall call(stages({{per_cent(4), minutes(2)}, {per_cent(8), minutes(3)}}), k_ten,
                        whole(100));
    EXPECT_EQ(call.on_end(k_ten + minutes(2), whole(107)), CallEnd::extended);
    EXPECT_EQ(call.earliest_end(), k_ten + minutes(5));
    EXPECT_EQ(call.corridor(), range(92, 108));
    VolatilityCall other = call;
    EXPECT_EQ(call.on_end(k_ten + minutes(5), whole(107)), CallEnd::auction);
    EXPECT_EQ(other.on_end(k_ten + minutes(5), whole(109)), CallEnd::by_hand);
}

constexpr Equilibrium at(std::int64_t price, std::int64_t executable) {
    return {whole(price), Quantity{executable}, {}};
}
const AuctionExtensions::Terms k_ten_per_cent{.tolerance = per_cent(10)};

TEST(AuctionExtensions, AreNotNeededNearTheReference) {
    AuctionExtensions extensions(k_ten_per_cent);
    EXPECT_EQ(extensions.on_end(k_ten, {}, at(110, 50), whole(100)), std::nullopt);
    EXPECT_EQ(extensions.on_end(k_ten, {}, at(500, 50), std::nullopt), std::nullopt);
    EXPECT_EQ(extensions.on_end(k_ten, {}, {}, whole(100)), std::nullopt);
}

TEST(AuctionExtensions, ForAPriceFarAwayAreTwo) {
    AuctionExtensions extensions(k_ten_per_cent);
    EXPECT_EQ(extensions.on_end(k_ten, {}, at(111, 50), whole(100)), k_ten + minutes(5));
    EXPECT_EQ(extensions.on_end(k_ten, {}, at(89, 50), whole(100)), k_ten + minutes(5));
    EXPECT_EQ(extensions.on_end(k_ten, {}, at(89, 50), whole(100)), std::nullopt);
}

TEST(AuctionExtensions, ForMarketOrdersIsOneAndComesFirst) {
    AuctionExtensions::Terms terms = k_ten_per_cent;
    terms.market_order_time = minutes(2);
    AuctionExtensions extensions(terms);
    const CallBook book{.market_buys{60}, .market_sells{10}};
    EXPECT_EQ(extensions.on_end(k_ten, book, at(111, 50), whole(100)), k_ten + minutes(2));
    EXPECT_EQ(extensions.on_end(k_ten, book, at(111, 50), whole(100)), k_ten + minutes(5));
    EXPECT_EQ(extensions.on_end(k_ten, book, at(100, 50), whole(100)), std::nullopt);
}

TEST(AuctionExtensions, ForMarketOrdersLookAtBothSidesAndAtWhatIsExecuted) {
    const CallBook sells{.market_sells{51}};
    EXPECT_TRUE(AuctionExtensions(k_ten_per_cent).on_end(k_ten, sells, at(100, 50), whole(100)));
    const CallBook whole_executed{.market_buys{50}, .market_sells{50}};
    EXPECT_FALSE(
        AuctionExtensions(k_ten_per_cent).on_end(k_ten, whole_executed, at(100, 50), whole(100)));
    const CallBook alone{.market_buys{1}};
    EXPECT_TRUE(AuctionExtensions(k_ten_per_cent).on_end(k_ten, alone, {}, whole(100)));
}

}  // namespace
}  // namespace damrak::auction::collars_test
