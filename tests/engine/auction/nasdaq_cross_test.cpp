// Nasdaq's imbalance indicator and the limits of its crosses.

#include <damrak/auction/detail/nasdaq_cross.hpp>

#include <cstdint>

#include <gtest/gtest.h>

#include "engine/auction/call.hpp"

namespace damrak::auction::nasdaq_cross_test {
namespace {

using testing::Call;
using testing::limit;

constexpr Price cents(std::int64_t count) { return Price{count * 100}; }
const TickTable k_cents{Price{100}};

PriceTerms terms_between(std::int64_t bid, std::int64_t offer) {
    return {.rule = PriceRule::nasdaq,
            .reference = Midpoint{cents(bid), cents(offer)},
            .ticks = &k_cents};
}

TEST(CrossThreshold, IsTenPerCentOfTheMidpointBeyondBidAndOffer) {
    EXPECT_EQ(cross_threshold(cents(1000), cents(1100), k_nasdaq_margin),
              (PriceRange{cents(895), cents(1205)}));
}

TEST(CrossThreshold, IsAtLeastFiftyCents) {
    EXPECT_EQ(cross_threshold(cents(400), cents(402), k_nasdaq_margin),
              (PriceRange{cents(350), cents(452)}));
}

TEST(CrossThreshold, HasTheMarginOfTheVenue) {
    const Margin of_funds{.basis_points = 300, .at_least{0}};
    EXPECT_EQ(cross_threshold(cents(10'000), cents(10'000), of_funds),
              (PriceRange{cents(9'700), cents(10'300)}));
}

TEST(OpeningCross, IsValidNearTheLastCloseOrTheLastTrade) {
    EXPECT_TRUE(opening_is_valid(cents(1100), {.last_close = cents(1000)}, k_nasdaq_margin));
    EXPECT_FALSE(opening_is_valid(cents(1101), {.last_close = cents(1000)}, k_nasdaq_margin));
    EXPECT_TRUE(opening_is_valid(
        cents(1200), {.last_close = cents(1000), .last_trade = cents(1150)}, k_nasdaq_margin));
    EXPECT_TRUE(opening_is_valid(cents(900), {.last_trade = cents(950)}, k_nasdaq_margin));
}

TEST(OpeningCross, IsComparedWithTheBidAboveTheCloseAndWithTheOfferBelow) {
    OpeningBenchmarks benchmarks{.last_close = cents(1000), .best_bid = cents(1190)};
    EXPECT_TRUE(opening_is_valid(cents(1200), benchmarks, k_nasdaq_margin));
    benchmarks = {.last_close = cents(1000), .best_offer = cents(1190)};
    EXPECT_FALSE(opening_is_valid(cents(1200), benchmarks, k_nasdaq_margin));
    benchmarks.best_offer = cents(820);
    EXPECT_TRUE(opening_is_valid(cents(810), benchmarks, k_nasdaq_margin));
    EXPECT_FALSE(opening_is_valid(cents(810), {.best_offer = cents(820)}, k_nasdaq_margin));
}

TEST(Imbalance, CountsWhatIsPairedAndLeftAtThePriceWithinBidAndOffer) {
    // Inside 10.00 × 10.05, 300 execute at any price and the buyer of 500 at 10.10 stays.
    const Call all({limit(500, 1010), limit(100, 1000)}, {limit(300, 999), limit(100, 1005)});
    const Call cross_only({limit(500, 1010)}, {limit(300, 999)});
    const ImbalanceIndicator found = imbalance_indicator(
        cross_only.book(), all.book(), terms_between(1000, 1005), {cents(1000), cents(1005)});
    EXPECT_EQ(found, (ImbalanceIndicator{.current_reference = cents(1005),
                                         .paired{400},
                                         .imbalance{100},
                                         .direction = 'B',
                                         .far = cents(1010),
                                         .near = cents(1010),
                                         .variation = 'L'}));
}

TEST(Imbalance, NamesTheSideThatIsLeft) {
    const Call sellers({limit(100, 1005)}, {limit(400, 1000)});
    const PriceRange inside{cents(1000), cents(1005)};
    ImbalanceIndicator found =
        imbalance_indicator({}, sellers.book(), terms_between(1000, 1005), inside);
    EXPECT_EQ(found.direction, 'S');
    EXPECT_EQ(found.imbalance, Quantity{300});
    EXPECT_EQ(found.far, std::nullopt);
    const Call even({limit(100, 1005)}, {limit(100, 1000)});
    found = imbalance_indicator({}, even.book(), terms_between(1000, 1005), inside);
    EXPECT_EQ(found.direction, 'N');
    EXPECT_EQ(found.current_reference, cents(1003));
}

TEST(Imbalance, HasNoPriceWhereNothingWouldTrade) {
    const Call apart({limit(100, 1000)}, {limit(400, 1005)});
    EXPECT_EQ(imbalance_indicator({}, apart.book(), terms_between(1000, 1005),
                                  {cents(1000), cents(1005)}),
              ImbalanceIndicator{});
}

TEST(Imbalance, KeepsFarAndNearToItselfBeforeTheFullIndicator) {
    const Call all({limit(400, 1010)}, {limit(400, 1000)});
    const ImbalanceIndicator full = imbalance_indicator(
        all.book(), all.book(), terms_between(1000, 1005), {cents(1000), cents(1005)});
    ASSERT_TRUE(full.far && full.near);
    const ImbalanceIndicator early = abbreviated(full);
    EXPECT_FALSE(early.far || early.near);
    EXPECT_EQ(early.variation, ' ');
    EXPECT_EQ(early.paired, full.paired);
}

TEST(Imbalance, TellsTheVariationOfTheNearPriceInWholePerCent) {
    const auto of = [](std::int64_t near) { return price_variation(Price{near}, Price{10'000}); };
    EXPECT_EQ(of(10'000), 'L');
    EXPECT_EQ(of(10'099), 'L');
    EXPECT_EQ(of(10'100), '1');
    EXPECT_EQ(of(9'900), '1');
    EXPECT_EQ(of(10'999), '9');
    EXPECT_EQ(of(11'000), 'A');
    EXPECT_EQ(of(11'999), 'A');
    EXPECT_EQ(of(12'000), 'B');
    EXPECT_EQ(of(13'000), 'C');
    EXPECT_EQ(of(30'000), 'C');
    EXPECT_EQ(price_variation(Price{1}, std::nullopt), ' ');
    EXPECT_EQ(price_variation(std::nullopt, Price{1}), ' ');
}

}  // namespace
}  // namespace damrak::auction::nasdaq_cross_test
