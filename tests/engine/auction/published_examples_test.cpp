// Whole auctions as venues publish them: the examples of price determination in Xetra's market
// model, and those of Euronext for pure market orders, from the orders to the trades.

#include <cstdint>
#include <optional>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/auction/cross_allocation.hpp>
#include <damrak/auction/equilibrium.hpp>

#include "engine/auction/call.hpp"

namespace damrak::auction::published_examples_test {
namespace {

using testing::Call;
using testing::CallOrder;
using ::testing::ElementsAre;
using testing::limit;
using testing::market;

constexpr Price cents(std::int64_t count) { return Price{count * 100}; }
const TickTable k_cents{Price{100}};

Equilibrium xetra(const Call& call) {
    return equilibrium(
        call.book(),
        {.rule = PriceRule::xetra, .reference = Midpoint::at(cents(200)), .ticks = &k_cents});
}
Equilibrium outcome(std::int64_t price, std::int64_t executable, std::int64_t surplus) {
    return {cents(price), Quantity{executable}, Quantity{surplus}};
}

TEST(XetraExample, OfExactlyOneLimitWithTheGreatestQuantityAndTheLeastSurplus) {
    EXPECT_EQ(xetra(Call({limit(300, 200), limit(200, 199), limit(300, 198), limit(100, 196)},
                         {limit(400, 197), limit(300, 198), limit(100, 200)})),
              outcome(198, 700, 100));
}

TEST(XetraExample, OfASurplusOfBuyers) {
    EXPECT_EQ(xetra(Call({limit(600, 200), limit(200, 197)},
                         {limit(300, 197), limit(100, 198), limit(100, 199), limit(400, 201)})),
              outcome(200, 500, 100));
}

TEST(XetraExample, OfASurplusOfSellers) {
    EXPECT_EQ(xetra(Call({limit(300, 202), limit(100, 201), limit(100, 199), limit(400, 197)},
                         {limit(600, 198), limit(200, 201)})),
              outcome(198, 500, -100));
}

TEST(XetraExample, OfTheReferenceBetweenLimitsWithoutSurplus) {
    EXPECT_EQ(xetra(Call({limit(300, 202), limit(200, 201), limit(100, 197)},
                         {limit(200, 198), limit(300, 199), limit(100, 203)})),
              outcome(200, 500, 0));
}

TEST(XetraExample, OfTheReferenceBetweenASurplusOfBuyersAndOneOfSellers) {
    EXPECT_EQ(xetra(Call({limit(100, 202), limit(100, 199), limit(1'000, 198)},
                         {limit(100, 198), limit(100, 201), limit(1'000, 202)})),
              outcome(200, 100, 0));
}

TEST(XetraExample, OfABookThatIsNotExecutable) {
    EXPECT_EQ(xetra(Call({limit(100, 200), limit(400, 199)}, {limit(200, 201), limit(300, 202)})),
              Equilibrium{});
}

TEST(XetraExample, OfMarketOrdersAlone) {
    EXPECT_EQ(xetra(Call({market(200)}, {market(100)})), outcome(200, 100, 100));
    EXPECT_EQ(xetra(Call({market(100)}, {market(200)})), outcome(200, 100, -100));
}

// Where market orders meet a limit, Euronext's examples take prices that nobody named, as Nasdaq's
// rule does.
Equilibrium euronext(const Call& call) {
    return equilibrium(
        call.book(),
        {.rule = PriceRule::nasdaq, .reference = Midpoint::at(cents(1'000)), .ticks = &k_cents});
}

struct NamedTrade {
    char buyer, seller;
    std::int64_t quantity;
    friend bool operator==(const NamedTrade&, const NamedTrade&) = default;
};

std::vector<CrossOrder> in_order(const std::vector<CallOrder>& orders) {
    std::vector<CrossOrder> list;
    for (const CallOrder& order : orders) list.push_back({order.quantity, order.limit});
    return list;
}

TEST(EuronextExample, OfAMarketOrderThatIsFilledWhole) {
    const std::vector sells{market(40), limit(100, 1'008), limit(60, 1'015)};
    const Call before({market(50), limit(90, 1'010), limit(10, 990)}, sells);
    EXPECT_EQ(euronext(before), outcome(1'008, 140, 0));
    const std::vector buys{market(50), market(20), limit(90, 1'010), limit(10, 990)};
    const Call after(buys, sells);
    EXPECT_EQ(euronext(after), outcome(1'010, 140, 20));

    // Buyers A, G, B and sellers D, E trade; C and F have limits behind the price.
    const Quantity executable{140};
    std::vector<Quantity> bought(3);
    std::vector<Quantity> sold(2);
    allocate_cross(CrossRule::price_time, executable, Quantity{1},
                   in_order({buys.begin(), buys.begin() + 3}), bought);
    allocate_cross(CrossRule::price_time, executable, Quantity{1},
                   in_order({sells.begin(), sells.begin() + 2}), sold);
    std::vector<NamedTrade> trades;
    CrossTrades cross(bought, sold);
    while (const auto trade = cross.next())
        trades.push_back({"AGB"[trade->buy], "DE"[trade->sell], trade -> quantity.value});
    EXPECT_THAT(trades, ElementsAre(NamedTrade{'A', 'D', 40}, NamedTrade{'A', 'E', 10},
                                    NamedTrade{'G', 'E', 20}, NamedTrade{'B', 'E', 70}));
}

TEST(EuronextExample, OfAPriceAboveTheBestLimitAndEqualToTheReference) {
    EXPECT_EQ(euronext(Call({market(40)}, {limit(40, 998)})), outcome(1'000, 40, 0));
}

TEST(EuronextExample, OfAPriceAtTheBestLimitBelowTheReference) {
    EXPECT_EQ(euronext(Call({market(40)}, {limit(41, 998)})), outcome(998, 40, -1));
}

TEST(EuronextExample, OfAPriceAtTheBestLimitAboveTheReference) {
    EXPECT_EQ(euronext(Call({market(40)}, {limit(40, 1'002)})), outcome(1'002, 40, 0));
}

}  // namespace
}  // namespace damrak::auction::published_examples_test
