// Who trades in a cross: worked examples, and properties against a model that hands out lot by lot.

#include <damrak/auction/cross_allocation.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/base/random.hpp>

#include "engine/auction/call.hpp"
#include "support/test_size.hpp"

namespace damrak::auction::cross_allocation_test {
namespace {

using ::testing::ElementsAre;

CrossOrder at(std::int64_t quantity, std::int64_t cents, std::uint64_t batch = 0) {
    return {Quantity{quantity}, Price{cents * 100}, batch};
}
CrossOrder at_market(std::int64_t quantity) { return {.quantity{quantity}}; }

std::vector<std::int64_t> fills_of(CrossRule rule, std::int64_t executable,
                                   const std::vector<CrossOrder>& orders, std::int64_t lot = 1) {
    std::vector<Quantity> fills(orders.size(), Quantity{-1});
    const Quantity filled =
        allocate_cross(rule, Quantity{executable}, Quantity{lot}, orders, fills);
    std::vector<std::int64_t> counts;
    for (const Quantity fill : fills) counts.push_back(fill.value);
    EXPECT_EQ(filled.value, std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
    return counts;
}

std::vector<CrossTrade> trades_of(const std::vector<Quantity>& buys,
                                  const std::vector<Quantity>& sells) {
    std::vector<CrossTrade> trades;
    CrossTrades cross(buys, sells);
    while (const auto trade = cross.next()) trades.push_back(*trade);
    EXPECT_FALSE(cross.next());
    return trades;
}

TEST(Cross, FillsOrdersThroughThePriceWholeAndTheMarginByTime) {
    // At 10.01, 500 are executable: buys 300@10.04, 200@10.02; sells 400@9.98, 250@10.01.
    EXPECT_THAT(fills_of(CrossRule::price_time, 500, {at(300, 1004), at(200, 1002)}),
                ElementsAre(300, 200));
    EXPECT_THAT(fills_of(CrossRule::price_time, 500, {at(400, 998), at(250, 1001)}),
                ElementsAre(400, 100));
}

TEST(Cross, FillsMarketOrdersBeforeLimits) {
    EXPECT_THAT(fills_of(CrossRule::price_time, 90, {at_market(80), at(40, 1004)}),
                ElementsAre(80, 10));
}

TEST(Cross, RationsOrdersAtTheMarginProRataWithTheRestToTheEarliest) {
    // 70 among 30, 30, 40: 21, 21, 28. 71 among them: 21.3, 21.3, 28.4, and one is left.
    EXPECT_THAT(fills_of(CrossRule::pro_rata, 170,
                         {at(100, 1002), at(30, 1000), at(30, 1000), at(40, 1000)}),
                ElementsAre(100, 21, 21, 28));
    EXPECT_THAT(fills_of(CrossRule::pro_rata, 171,
                         {at(100, 1002), at(30, 1000), at(30, 1000), at(40, 1000)}),
                ElementsAre(100, 22, 21, 28));
}

TEST(Cross, RationsInLots) {
    // 400 among 300, 300: two lots of 100 each. 500: two and a half, the rest to the earliest.
    EXPECT_THAT(fills_of(CrossRule::pro_rata, 400, {at(300, 1000), at(300, 1000)}, 100),
                ElementsAre(200, 200));
    EXPECT_THAT(fills_of(CrossRule::pro_rata, 500, {at(300, 1000), at(300, 1000)}, 100),
                ElementsAre(300, 200));
}

TEST(Cross, SharesAmongMarketOrdersToo) {
    EXPECT_THAT(fills_of(CrossRule::pro_rata, 30, {at_market(20), at_market(40), at(5, 1000)}),
                ElementsAre(10, 20, 0));
}

TEST(Cross, OfABatchFillsEarlierBatchesFirst) {
    EXPECT_THAT(fills_of(CrossRule::batch, 200,
                         {at(100, 1002, 1), at(60, 1000, 1), at(90, 1000, 2), at(30, 1000, 2)}),
                ElementsAre(100, 60, 30, 10));
}

TEST(Cross, WithNothingToExecuteFillsNobody) {
    EXPECT_THAT(fills_of(CrossRule::pro_rata, 0, {at(100, 1002), at(60, 1000)}), ElementsAre(0, 0));
    EXPECT_THAT(fills_of(CrossRule::batch, 10, {}), ElementsAre());
}

TEST(CrossTrades, PairTheFirstWithTheFirst) {
    EXPECT_THAT(trades_of({Quantity{300}, Quantity{200}}, {Quantity{400}, Quantity{100}}),
                ElementsAre(CrossTrade{0, 0, Quantity{300}}, CrossTrade{1, 0, Quantity{100}},
                            CrossTrade{1, 1, Quantity{100}}));
}

TEST(CrossTrades, PassOverOrdersThatAreNotFilled) {
    EXPECT_THAT(trades_of({Quantity{0}, Quantity{5}, Quantity{0}},
                          {Quantity{0}, Quantity{2}, Quantity{0}, Quantity{3}}),
                ElementsAre(CrossTrade{1, 1, Quantity{2}}, CrossTrade{1, 3, Quantity{3}}));
    EXPECT_THAT(trades_of({}, {}), ElementsAre());
}

std::vector<CrossOrder> random_orders(RandomStream& random) {
    std::vector<CrossOrder> orders(random.below(10));
    for (CrossOrder& order : orders) {
        order.quantity = Quantity{1 + random.below(30)};
        if (random.below(5) > 0) order.limit = Price{1 + random.below(3)};
        order.batch = random.below(3);
    }
    std::ranges::stable_sort(orders, {}, [](const CrossOrder& order) {
        return std::pair{order.limit ? -order.limit->value : -100, order.batch};
    });
    return orders;
}

// Those of one priority get their shares by counting, not by division.
std::vector<std::int64_t> model_fills(CrossRule rule, std::int64_t left,
                                      const std::vector<CrossOrder>& orders) {
    std::vector<std::int64_t> fills(orders.size(), 0);
    std::vector<bool> done(orders.size(), false);
    for (std::size_t first = 0; first < orders.size(); ++first) {
        if (done[first]) continue;
        std::vector<std::size_t> group{first};
        for (std::size_t i = first + 1; i < orders.size() && rule != CrossRule::price_time; ++i)
            if (orders[i].limit == orders[first].limit &&
                (rule == CrossRule::pro_rata || orders[i].batch == orders[first].batch))
                group.push_back(i);
        std::int64_t total = 0;
        for (const std::size_t i : group) total += orders[i].quantity.value;
        const std::int64_t share = std::min(left, total);
        for (const std::size_t i : group) {
            done[i] = true;
            while ((fills[i] + 1) * total <= share * orders[i].quantity.value) ++fills[i];
            left -= fills[i];
        }
        std::int64_t rest = share;
        for (const std::size_t i : group) rest -= fills[i];
        for (std::size_t i = 0; rest > 0; ++i, --rest, --left) ++fills[group[i]];
    }
    return fills;
}

TEST(CrossModel, AgreesOnRandomOrders) {
    const auto crosses = test_size::scaled(std::uint64_t{50'000});
    for (std::uint64_t seed = 0; seed < crosses; ++seed) {
        RandomStream random(seed);
        const std::vector<CrossOrder> orders = random_orders(random);
        const std::int64_t executable = random.below(200);
        const auto rule = static_cast<CrossRule>(random.below(3));
        ASSERT_EQ(fills_of(rule, executable, orders), model_fills(rule, executable, orders))
            << "seed " << seed;
    }
}

// The whole cross of a call: what is executable is traded, at most one order of all is filled in
// part under price-time, and nothing that could have traded through the price is left.
RC_GTEST_PROP(CrossProperty, LeavesNothingThroughThePrice, (std::uint64_t seed)) {
    RandomStream random(seed);
    std::vector<CrossOrder> buys = random_orders(random);
    std::vector<CrossOrder> sells = random_orders(random);
    std::ranges::stable_sort(sells, {},
                             [](const CrossOrder& o) { return o.limit.value_or(Price{}); });
    const auto call_orders = [](const std::vector<CrossOrder>& orders) {
        std::vector<testing::CallOrder> call;
        for (const CrossOrder& order : orders) call.push_back({order.quantity, order.limit});
        return call;
    };
    const testing::Call call(call_orders(buys), call_orders(sells));
    const Equilibrium found = equilibrium(call.book(), {.reference = Midpoint::at(Price{2})});
    RC_PRE(found.price.has_value());
    std::erase_if(buys, [&](const CrossOrder& o) { return o.limit && *o.limit < *found.price; });
    std::erase_if(sells, [&](const CrossOrder& o) { return o.limit && *o.limit > *found.price; });
    std::vector<Quantity> bought(buys.size());
    std::vector<Quantity> sold(sells.size());
    const Quantity lot{1};
    RC_ASSERT(allocate_cross(CrossRule::price_time, found.executable, lot, buys, bought) ==
              found.executable);
    RC_ASSERT(allocate_cross(CrossRule::price_time, found.executable, lot, sells, sold) ==
              found.executable);
    int in_part = 0;
    const auto check = [&](const std::vector<CrossOrder>& orders,
                           const std::vector<Quantity>& fills) {
        for (std::size_t i = 0; i < orders.size(); ++i) {
            const bool whole = fills[i] == orders[i].quantity;
            in_part += fills[i].value > 0 && !whole ? 1 : 0;
            RC_ASSERT(whole || !orders[i].limit || *orders[i].limit == *found.price);
        }
    };
    check(buys, bought);
    check(sells, sold);
    RC_ASSERT(in_part <= 1);
}

RC_GTEST_PROP(CrossProperty, TradesWhatIsFilledOncePerPair, (std::uint64_t seed)) {
    RandomStream random(seed);
    std::vector<Quantity> bought(random.below(8));
    for (Quantity& quantity : bought) quantity = Quantity{random.below(5)};
    const Quantity total = std::accumulate(bought.begin(), bought.end(), Quantity{});
    std::vector<Quantity> sold;
    for (Quantity left = total; left.value > 0; left -= sold.back())
        sold.push_back(std::min(left, Quantity{random.below(4)}));
    std::set<std::pair<std::size_t, std::size_t>> pairs;
    std::vector<Quantity> bought_in_trades(bought.size());
    std::vector<Quantity> sold_in_trades(sold.size());
    for (const CrossTrade& trade : trades_of(bought, sold)) {
        RC_ASSERT(pairs.emplace(trade.buy, trade.sell).second);
        RC_ASSERT(trade.quantity > Quantity{0});
        bought_in_trades[trade.buy] += trade.quantity;
        sold_in_trades[trade.sell] += trade.quantity;
    }
    RC_ASSERT(bought_in_trades == bought);
    RC_ASSERT(sold_in_trades == sold);
}

}  // namespace
}  // namespace damrak::auction::cross_allocation_test
