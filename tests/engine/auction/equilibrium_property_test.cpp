// The auction price on arbitrary calls: equal to the model that tries every price, and optimal by
// its own measure whatever the venue.

#include <algorithm>
#include <cstdint>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/base/random.hpp>

#include "engine/auction/call.hpp"
#include "support/test_size.hpp"

namespace damrak::auction::equilibrium_property_test {
namespace {

using testing::Call;
using testing::CallOrder;

constexpr PriceRange k_all{Price{-60}, Price{120}};
constexpr int k_rules = 5;

const TickTable k_ones{Price{1}};
const TickTable k_threes{Price{3}};
const TickTable k_banded = [] {
    TickTable table{Price{1}};
    EXPECT_TRUE(table.add({Price{24}, Price{4}}));
    return table;
}();

// Few prices and sizes, so that ties of every kind are frequent.
class RandomCall {
  public:
    explicit RandomCall(std::uint64_t seed) : random_(seed) {}

    Call call(const TickTable& ticks) { return Call(orders(ticks), orders(ticks)); }
    PriceTerms terms() {
        PriceTerms terms;
        terms.rule = static_cast<PriceRule>(random_.below(k_rules));
        if (random_.below(8) != 0) {
            const Price low{price()};
            terms.reference = Midpoint{low, low + Price{random_.below(4)}};
        }
        terms.prefer_higher = random_.coin();
        terms.ticks = random_.coin() ? &k_ones : random_.coin() ? &k_threes : &k_banded;
        if (random_.below(4) == 0) {
            const std::int64_t low = price();
            terms.threshold = {Price{low}, Price{low + random_.below(12)}};
        }
        return terms;
    }

  private:
    std::int64_t price() { return std::int64_t{random_.below(spread_)} - 10; }

    std::vector<CallOrder> orders(const TickTable& ticks) {
        spread_ = 2 + random_.below(50);
        std::vector<CallOrder> orders(random_.below(6));
        const std::uint32_t sizes = 1 + random_.below(5);
        const std::uint32_t markets = random_.below(4);
        for (CallOrder& order : orders) {
            order.quantity = Quantity{1 + random_.below(sizes)};
            if (random_.below(8) >= markets)
                order.limit = ticks.rounded(Price{price()}, Rounding::down);
        }
        return orders;
    }

    RandomStream random_;
    std::uint32_t spread_ = 20;
};

TEST(AuctionPriceModel, AgreesOnRandomCallsOfAllVenues) {
    const auto calls = test_size::scaled(std::uint64_t{60'000});
    std::uint64_t priced = 0;
    for (std::uint64_t seed = 0; seed < calls; ++seed) {
        RandomCall random(seed);
        const PriceTerms terms = random.terms();
        const Call call = random.call(*terms.ticks);
        const Equilibrium expected = testing::model_equilibrium(call, terms, k_all);
        const Equilibrium found = equilibrium(call.book(), terms);
        ASSERT_EQ(found, expected) << "seed " << seed << " rule " << static_cast<int>(terms.rule);
        priced += found.price ? 1U : 0U;
    }
    EXPECT_GT(priced, calls / 3);
}

Call arbitrary_call() {
    const auto side = [] {
        std::vector<CallOrder> orders;
        const auto count = *rc::gen::inRange(0, 30);
        for (int i = 0; i < count; ++i) {
            CallOrder order{Quantity{*rc::gen::inRange<std::int64_t>(1, 1'000)}, std::nullopt};
            if (*rc::gen::inRange(0, 10) > 0)
                order.limit = Price{*rc::gen::inRange<std::int64_t>(-50, 100)};
            orders.push_back(order);
        }
        return orders;
    };
    std::vector<CallOrder> buys = side();
    return Call(std::move(buys), side());
}

PriceTerms arbitrary_terms() {
    return {.rule = static_cast<PriceRule>(*rc::gen::inRange(0, k_rules)),
            .reference = Midpoint::at(Price{*rc::gen::inRange<std::int64_t>(-50, 100)}),
            .prefer_higher = *rc::gen::arbitrary<bool>()};
}

RC_GTEST_PROP(AuctionPriceProperty, NoOtherPriceExecutesMoreOrLeavesLess, ()) {
    const Call call = arbitrary_call();
    const Equilibrium found = equilibrium(call.book(), arbitrary_terms());
    RC_PRE(call.has_limits());
    for (Price price = k_all.low; price <= k_all.high; price += Price{1}) {
        const CurvePoint point = curve_at(call.book(), price);
        RC_ASSERT(point.executable() <= found.executable);
    }
    if (!found.price) return;
    const CurvePoint at_price = curve_at(call.book(), *found.price);
    RC_ASSERT(at_price.executable() == found.executable);
    RC_ASSERT(at_price.surplus() == found.surplus);
}

// Everything mirrored: buyers become sellers, prices change their sign.
RC_GTEST_PROP(AuctionPriceProperty, FavoursNeitherSide, ()) {
    const Call call = arbitrary_call();
    const auto mirrored = [](std::vector<CallOrder> orders) {
        for (CallOrder& order : orders)
            if (order.limit) order.limit = -*order.limit;
        return orders;
    };
    const Call mirror(mirrored(call.sells()), mirrored(call.buys()));
    const PriceTerms terms = arbitrary_terms();
    PriceTerms mirrored_terms = terms;
    mirrored_terms.reference = Midpoint::at(-terms.reference->low);
    mirrored_terms.prefer_higher = !terms.prefer_higher;
    const Equilibrium found = equilibrium(call.book(), terms);
    const Equilibrium other = equilibrium(mirror.book(), mirrored_terms);
    RC_ASSERT(found.price.has_value() == other.price.has_value());
    if (found.price) RC_ASSERT(*found.price == -*other.price);
    RC_ASSERT(found.surplus == -other.surplus);
}

RC_GTEST_PROP(CurveWalkProperty, VisitsEveryLimitOnceWithItsDemandAndSupply, ()) {
    const Call call = arbitrary_call();
    const CallBook book = call.book();
    std::vector<Price> limits;
    for (const PriceLevel& level : book.bids) limits.push_back(level.price);
    for (const PriceLevel& level : book.asks) limits.push_back(level.price);
    std::ranges::sort(limits);
    limits.erase(std::ranges::unique(limits).begin(), limits.end());
    std::vector<Price> visited;
    CurveWalk walk(book);
    const CurvePoint below = curve_at(book, k_all.low);
    RC_ASSERT(walk.gap().surplus() == below.surplus());
    while (walk.next()) {
        visited.push_back(walk.point().price);
        RC_ASSERT(walk.point() == curve_at(book, walk.point().price));
        const Price between = walk.point().price + Price{1};
        if (walk.has_next() && walk.next_price() == between) continue;
        const CurvePoint behind = curve_at(book, between);
        RC_ASSERT(walk.gap().demand == behind.demand);
        RC_ASSERT(walk.gap().supply == behind.supply);
    }
    RC_ASSERT(visited == limits);
}

}  // namespace
}  // namespace damrak::auction::equilibrium_property_test
