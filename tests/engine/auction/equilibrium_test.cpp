// The price of a call auction: worked examples of every rule of docs/rule-book/call-auctions.md,
// under all venues.

#include <damrak/auction/equilibrium.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/auction/call.hpp"

namespace damrak::auction::equilibrium_test {
namespace {

using testing::Call;
using testing::limit;
using testing::market;

constexpr Price cents(std::int64_t count) { return Price{count * 100}; }

const TickTable k_cents{Price{100}};

PriceTerms terms_of(PriceRule rule, std::int64_t reference_cents) {
    return {.rule = rule, .reference = Midpoint::at(cents(reference_cents)), .ticks = &k_cents};
}

struct Prices {
    std::optional<std::int64_t> xetra, lse, euronext, nasdaq, batch;
};

// Checks the price in cents under each rule, and what is executed and left over at it.
void expect_prices(const Call& call, std::int64_t reference_cents, const Prices& expected,
                   std::int64_t executable, std::int64_t surplus) {
    const std::array rows{std::pair{PriceRule::xetra, expected.xetra},
                          std::pair{PriceRule::lse, expected.lse},
                          std::pair{PriceRule::euronext, expected.euronext},
                          std::pair{PriceRule::nasdaq, expected.nasdaq},
                          std::pair{PriceRule::frequent_batch, expected.batch}};
    for (const auto& [rule, price] : rows) {
        SCOPED_TRACE(static_cast<int>(rule));
        const Equilibrium found = equilibrium(call.book(), terms_of(rule, reference_cents));
        ASSERT_EQ(found.price.has_value(), price.has_value());
        if (!price) continue;
        EXPECT_EQ(*found.price, cents(*price));
        EXPECT_EQ(found.executable, Quantity{executable});
        EXPECT_EQ(found.surplus, Quantity{surplus});
    }
}

TEST(AuctionPrice, ExecutesMostAndThenLeavesLeast) {
    const Call call({limit(300, 1004), limit(200, 1002), limit(500, 1000)},
                    {limit(400, 998), limit(250, 1001), limit(300, 1003)});
    expect_prices(call, 1000, {1001, 1001, 1001, 1001, 1001}, 500, -150);
}

TEST(AuctionPrice, RisesUnderPressureOfBuyersExceptOnEuronext) {
    const Call call({limit(500, 1005)}, {limit(300, 995), limit(200, 1010)});
    expect_prices(call, 999, {1005, 1005, 995, 1005, 1005}, 300, 200);
}

TEST(AuctionPrice, FallsUnderPressureOfSellersExceptOnEuronext) {
    const Call call({limit(300, 1005), limit(200, 990)}, {limit(500, 995)});
    expect_prices(call, 1002, {995, 995, 1005, 995, 995}, 300, -200);
}

TEST(AuctionPrice, MayBeTheReferenceThatIsNobodysLimit) {
    const Call call({limit(200, 1002), limit(100, 998)}, {limit(200, 998), limit(100, 1002)});
    const auto xetra = equilibrium(call.book(), terms_of(PriceRule::xetra, 1000));
    EXPECT_EQ(xetra, (Equilibrium{cents(1000), Quantity{200}, Quantity{0}}));
    const auto nasdaq = equilibrium(call.book(), terms_of(PriceRule::nasdaq, 1001));
    EXPECT_EQ(nasdaq, (Equilibrium{cents(1001), Quantity{200}, Quantity{0}}));
    // The middle of the limits, where curves meet on an interval.
    const auto batch = equilibrium(call.book(), terms_of(PriceRule::frequent_batch, 1001));
    EXPECT_EQ(batch, (Equilibrium{cents(1000), Quantity{200}, Quantity{0}}));
}

TEST(AuctionPrice, IsTheHigherOfTwoLimitsEquallyNearUnlessTheTermsSayOtherwise) {
    const Call call({limit(200, 1002), limit(100, 998)}, {limit(200, 998), limit(100, 1002)});
    for (const PriceRule rule : {PriceRule::lse, PriceRule::euronext}) {
        PriceTerms terms = terms_of(rule, 1000);
        EXPECT_EQ(equilibrium(call.book(), terms),
                  (Equilibrium{cents(1002), Quantity{200}, Quantity{-100}}));
        terms.prefer_higher = false;
        EXPECT_EQ(equilibrium(call.book(), terms),
                  (Equilibrium{cents(998), Quantity{200}, Quantity{100}}));
    }
}

TEST(AuctionPrice, WithoutSurplusIsTheReferenceBetweenTheLimitsOrTheLimitNearestToIt) {
    const Call call({limit(500, 1006)}, {limit(500, 994)});
    expect_prices(call, 1001, {1001, 1006, 1006, 1001, 1000}, 500, 0);
    expect_prices(call, 1020, {1006, 1006, 1006, 1006, 1000}, 500, 0);
    expect_prices(call, 980, {994, 994, 994, 994, 1000}, 500, 0);
}

TEST(AuctionPrice, OfMarketOrdersAloneIsTheReferenceExceptOnNasdaq) {
    const Call call({market(500)}, {market(300)});
    expect_prices(call, 1000, {1000, 1000, 1000, std::nullopt, 1000}, 300, 200);
    EXPECT_EQ(equilibrium(call.book(), {.rule = PriceRule::xetra}), Equilibrium{});
}

TEST(AuctionPrice, CountsMarketOrdersAtEveryPrice) {
    const Call call({market(80)}, {limit(40, 1002), limit(40, 1004)});
    expect_prices(call, 1000, {1004, 1004, 1004, 1004, 1004}, 80, 0);
}

TEST(AuctionPrice, OnNasdaqMayLieBehindAllLimitsThatMarketOrdersMeet) {
    const Call call({market(80)}, {limit(40, 1002), limit(40, 1004)});
    expect_prices(call, 1010, {1004, 1004, 1004, 1010, 1004}, 80, 0);
}

TEST(AuctionPrice, DoesNotExistWhereNothingCanBeExecuted) {
    const Call apart({limit(100, 999)}, {limit(100, 1001)});
    expect_prices(apart, 1000, {}, 0, 0);
    const Call one_sided({limit(100, 999), market(50)}, {});
    expect_prices(one_sided, 1000, {}, 0, 0);
    expect_prices(Call({}, {}), 1000, {}, 0, 0);
}

TEST(AuctionPrice, OfABatchWhoseCurvesCrossAtOnePriceIsThatPrice) {
    const Call call({limit(100, 1002), limit(60, 1000), limit(90, 1000), limit(30, 1000)},
                    {limit(200, 999)});
    EXPECT_EQ(equilibrium(call.book(), {.rule = PriceRule::frequent_batch}),
              (Equilibrium{cents(1000), Quantity{200}, Quantity{80}}));
}

TEST(AuctionPrice, OffTickIsRoundedToTheNearestValidPrice) {
    const Call call({limit(100, 1005)}, {limit(100, 1000)});
    PriceTerms terms{.rule = PriceRule::frequent_batch, .ticks = &k_cents};
    EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1003));
    terms.prefer_higher = false;
    EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1002));
    PriceTerms xetra{.rule = PriceRule::xetra, .ticks = &k_cents};
    xetra.reference = Midpoint::at(Price{100'251});
    EXPECT_EQ(equilibrium(call.book(), xetra).price, cents(1003));
    xetra.reference = Midpoint::at(Price{100'249});
    EXPECT_EQ(equilibrium(call.book(), xetra).price, cents(1002));
}

TEST(AuctionPrice, WithoutAReferenceIsTheHigherOfThePricesLeft) {
    const Call call({limit(500, 1006)}, {limit(500, 994)});
    for (const PriceRule rule :
         {PriceRule::xetra, PriceRule::lse, PriceRule::euronext, PriceRule::nasdaq}) {
        PriceTerms terms{.rule = rule, .ticks = &k_cents};
        EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1006));
        terms.prefer_higher = false;
        EXPECT_EQ(equilibrium(call.book(), terms).price, cents(994));
    }
}

TEST(AuctionPrice, MayBeBelowZero) {
    const Call call({limit(10, -500)}, {limit(10, -700)});
    EXPECT_EQ(equilibrium(call.book(), terms_of(PriceRule::xetra, -650)).price, cents(-650));
    EXPECT_EQ(equilibrium(call.book(), terms_of(PriceRule::frequent_batch, 0)).price, cents(-600));
}

TEST(NasdaqPrice, IsTheEnteredPriceOfSharesThatStayUnexecuted) {
    // All prices from 10.00 to 10.05 execute 300 and leave 100 of the buyer at 10.05.
    const Call call({limit(400, 1005)}, {limit(300, 1000)});
    EXPECT_EQ(equilibrium(call.book(), terms_of(PriceRule::nasdaq, 1001)).price, cents(1005));
}

TEST(NasdaqPrice, IsNearestToTheMidpointOfTheBestPricesIfOnlyMarketOrdersStayUnexecuted) {
    const Call call({market(400)}, {limit(300, 1000)});
    PriceTerms terms{.rule = PriceRule::nasdaq, .ticks = &k_cents};
    terms.reference = Midpoint{cents(1003), cents(1006)};
    EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1005));
    terms.prefer_higher = false;
    EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1004));
}

TEST(NasdaqPrice, OutsideTheThresholdGivesWayToTheBestInside) {
    const Call call({limit(400, 1205)}, {limit(300, 1000)});
    PriceTerms terms = terms_of(PriceRule::nasdaq, 1001);
    terms.threshold = {cents(950), cents(1150)};
    // The entered price 12.05 is outside, so that the midpoint decides.
    EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1001));
    terms.threshold = {cents(1100), cents(1150)};
    EXPECT_EQ(equilibrium(call.book(), terms).price, cents(1100));
    terms.threshold = {cents(900), cents(950)};
    EXPECT_EQ(equilibrium(call.book(), terms), Equilibrium{});
}

TEST(Surplus, BelongsToTheSideThatIsLeftOver) {
    EXPECT_EQ((Equilibrium{cents(1), Quantity{5}, Quantity{3}}).surplus_side(), Side::buy);
    EXPECT_EQ((Equilibrium{cents(1), Quantity{5}, Quantity{-3}}).surplus_side(), Side::sell);
    EXPECT_EQ((Equilibrium{cents(1), Quantity{5}, Quantity{0}}).surplus_side(), std::nullopt);
}

}  // namespace
}  // namespace damrak::auction::equilibrium_test
