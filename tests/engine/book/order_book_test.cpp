// The order book of one instrument: queues in time order, hidden after displayed orders, totals and
// counts per price, depth and order of visits.

#include <damrak/book/order_book.hpp>

#include <cstdint>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::order_book_test {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class OrderBookTest : public ::testing::Test {
  protected:
    OrderIndex add(Side side, Tick tick, std::int64_t quantity, std::uint16_t bits = 0,
                   std::int64_t reserve = 0) {
        const OrderIndex index = store_.order_pool.take();
        Order& order = store_.order(index);
        order = {};
        order.tick = tick;
        order.quantity = Quantity{quantity};
        OrderAttributes terms(side, OrderType::limit, TimeInForce::day, SelfTradePrevention::none);
        terms.set(bits);
        order.rank = terms.bits();
        book_.add(store_, index, Quantity{reserve});
        return index;
    }
    OrderIndex hidden(Side side, Tick tick, std::int64_t quantity) {
        return add(side, tick, quantity, OrderAttributes::k_hidden);
    }
    void remove(OrderIndex index, std::int64_t reserve = 0) {
        book_.remove(store_, index, Quantity{reserve});
        store_.order_pool.give_back(index);
    }
    [[nodiscard]] std::vector<OrderIndex> visiting_order(Side side) const {
        std::vector<OrderIndex> orders;
        book_.for_each_order(store_, side, [&](OrderIndex i) {
            orders.push_back(i);
            return true;
        });
        return orders;
    }
    [[nodiscard]] std::vector<DepthLevel> depth(Side side, std::size_t levels = 100) const {
        std::vector<DepthLevel> found;
        book_.for_each_level(store_, side, [&](const DepthLevel& level) {
            found.push_back(level);
            return found.size() < levels;
        });
        return found;
    }
    [[nodiscard]] const Level& level_of(OrderIndex index) const {
        return store_.level(store_.order(index).level);
    }

    BookStore store_{{.orders = 100, .extensions = 10, .levels = 100, .ladder_nodes = 100}};
    OrderBook book_;
};

TEST_F(OrderBookTest, IsEmptyAtFirstAndOwnsNothing) {
    EXPECT_THAT(depth(Side::buy), IsEmpty());
    EXPECT_THAT(visiting_order(Side::sell), IsEmpty());
    EXPECT_EQ(book_.best(store_, Side::buy).quantity, Quantity{0});
    EXPECT_TRUE(book_.side(Side::sell).empty());
    EXPECT_EQ(store_.level_pool.used(), 0U);
}

TEST_F(OrderBookTest, QueuesOrdersOfOnePriceByTime) {
    const OrderIndex a = add(Side::buy, 100, 1);
    const OrderIndex b = add(Side::buy, 100, 2);
    const OrderIndex c = add(Side::buy, 100, 3);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(a, b, c));
    EXPECT_EQ(book_.front(store_, Side::buy), a);
}

TEST_F(OrderBookTest, PutsTheHighestBidAndTheLowestAskFirst) {
    const OrderIndex low_bid = add(Side::buy, 99, 1);
    const OrderIndex high_bid = add(Side::buy, 101, 1);
    const OrderIndex high_ask = add(Side::sell, 105, 1);
    const OrderIndex low_ask = add(Side::sell, 103, 1);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(high_bid, low_bid));
    EXPECT_THAT(visiting_order(Side::sell), ElementsAre(low_ask, high_ask));
    EXPECT_EQ(book_.best(store_, Side::buy).tick, 101);
    EXPECT_EQ(book_.best(store_, Side::sell).tick, 103);
}

TEST_F(OrderBookTest, CountsQuantityAndOrdersOfEachPrice) {
    add(Side::sell, 100, 10);
    add(Side::sell, 100, 20);
    add(Side::sell, 101, 5);
    EXPECT_THAT(depth(Side::sell),
                ElementsAre(DepthLevel{100, Quantity{30}, 2}, DepthLevel{101, Quantity{5}, 1}));
}

TEST_F(OrderBookTest, GivesDepthToTheRequestedLevel) {
    for (Tick tick = 1; tick <= 50; ++tick) add(Side::sell, tick * 1'000, 1);
    EXPECT_EQ(depth(Side::sell, 10).size(), 10U);
    EXPECT_EQ(depth(Side::sell, 10).back().tick, 10'000);
    EXPECT_EQ(depth(Side::sell).size(), 50U);
}

TEST_F(OrderBookTest, ReducesAnOrderInItsPlace) {
    const OrderIndex a = add(Side::buy, 100, 10);
    const OrderIndex b = add(Side::buy, 100, 5);
    book_.reduce(store_, a, Quantity{4});
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(a, b));
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{100, Quantity{11}, 2}));
}

TEST_F(OrderBookTest, RemovesFromFrontMiddleAndBackOfAQueue) {
    const OrderIndex a = add(Side::buy, 100, 1);
    const OrderIndex b = add(Side::buy, 100, 2);
    const OrderIndex c = add(Side::buy, 100, 4);
    const OrderIndex d = add(Side::buy, 100, 8);
    remove(b);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(a, c, d));
    remove(a);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(c, d));
    remove(d);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(c));
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{100, Quantity{4}, 1}));
    const OrderIndex e = add(Side::buy, 100, 16);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(c, e));
}

TEST_F(OrderBookTest, DropsAPriceWithItsLastOrder) {
    const OrderIndex best = add(Side::sell, 100, 1);
    const OrderIndex next = add(Side::sell, 200, 1);
    remove(best);
    EXPECT_EQ(book_.best(store_, Side::sell).tick, 200);
    remove(next);
    EXPECT_TRUE(book_.side(Side::sell).empty());
    EXPECT_EQ(store_.level_pool.used(), 0U);
    EXPECT_EQ(store_.nodes.pool().used(), 0U);
}

TEST_F(OrderBookTest, AllowsCrossedPrices) {
    add(Side::buy, 105, 1);
    add(Side::sell, 100, 1);
    EXPECT_GT(book_.best(store_, Side::buy).tick, book_.best(store_, Side::sell).tick);
}

TEST_F(OrderBookTest, PutsHiddenOrdersBehindDisplayedOnesOfTheirPrice) {
    const OrderIndex hidden_first = hidden(Side::buy, 100, 1);
    const OrderIndex shown_later = add(Side::buy, 100, 1);
    const OrderIndex better = hidden(Side::buy, 101, 1);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(better, shown_later, hidden_first));
    EXPECT_EQ(book_.front(store_, Side::buy), better);
}

TEST_F(OrderBookTest, PutsHeldOrdersInTheHiddenQueue) {
    const OrderIndex held = add(Side::buy, 100, 1, OrderAttributes::k_held);
    const OrderIndex shown = add(Side::buy, 100, 1);
    const OrderIndex later = hidden(Side::buy, 100, 1);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(shown, held, later));
}

TEST_F(OrderBookTest, ShowsNothingOfHiddenOrders) {
    hidden(Side::sell, 99, 7);
    add(Side::sell, 100, 5);
    hidden(Side::sell, 100, 3);
    EXPECT_THAT(depth(Side::sell), ElementsAre(DepthLevel{100, Quantity{5}, 1}));
    EXPECT_EQ(book_.best(store_, Side::sell).tick, 100);
    EXPECT_EQ(book_.side(Side::sell).best_key(), price_key(Side::sell, 99));
}

TEST_F(OrderBookTest, KeepsAPriceWhileEitherQueueIsUsed) {
    const OrderIndex shown = add(Side::sell, 100, 5);
    const OrderIndex concealed = hidden(Side::sell, 100, 3);
    EXPECT_EQ(store_.level_pool.used(), 2U);
    remove(shown);
    EXPECT_THAT(visiting_order(Side::sell), ElementsAre(concealed));
    EXPECT_EQ(book_.front(store_, Side::sell), concealed);
    const OrderIndex again = add(Side::sell, 100, 5);
    remove(concealed);
    EXPECT_EQ(store_.level_pool.used(), 1U);
    EXPECT_THAT(visiting_order(Side::sell), ElementsAre(again));
    remove(again);
    EXPECT_EQ(store_.level_pool.used(), 0U);
    EXPECT_TRUE(book_.side(Side::sell).empty());
}

TEST_F(OrderBookTest, KeepsTheReserveOfIcebergsOutOfTheDepth) {
    const OrderIndex iceberg = add(Side::buy, 100, 10, 0, 90);
    add(Side::buy, 100, 5);
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{100, Quantity{15}, 2}));
    EXPECT_EQ(level_of(iceberg).reserve, Quantity{90});
    book_.reduce_reserve(store_, iceberg, Quantity{40});
    EXPECT_EQ(level_of(iceberg).reserve, Quantity{50});
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{100, Quantity{15}, 2}));
    const Level& level = level_of(iceberg);
    remove(iceberg, 50);
    EXPECT_EQ(level.reserve, Quantity{0});
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{100, Quantity{5}, 1}));
}

TEST_F(OrderBookTest, VisitsEveryOrderWhileTheyAreRemoved) {
    for (const Tick tick : {100, 101, 5'000}) {
        hidden(Side::sell, tick, 1);
        add(Side::sell, tick, 1);
        add(Side::sell, tick, 1);
    }
    const std::vector<OrderIndex> expected = visiting_order(Side::sell);
    std::vector<OrderIndex> visited;
    book_.for_each_order(store_, Side::sell, [&](OrderIndex i) {
        visited.push_back(i);
        remove(i);
        return true;
    });
    EXPECT_EQ(visited, expected);
    EXPECT_EQ(visited.size(), 9U);
    EXPECT_EQ(store_.order_pool.used(), 0U);
    EXPECT_EQ(store_.level_pool.used(), 0U);
    EXPECT_EQ(store_.nodes.pool().used(), 0U);
}

TEST_F(OrderBookTest, VisitsTheRemainingOrdersDuringRemovals) {
    std::vector<OrderIndex> orders;
    for (Tick tick = 100; tick < 110; ++tick) orders.push_back(add(Side::buy, tick, 1));
    int visited = 0;
    book_.for_each_order(store_, Side::buy, [&](OrderIndex i) {
        if (++visited % 2 == 0) remove(i);
        return true;
    });
    EXPECT_EQ(visited, 10);
    EXPECT_EQ(visiting_order(Side::buy).size(), 5U);
}

TEST_F(OrderBookTest, StopsVisitingOnRequest) {
    add(Side::buy, 100, 1);
    add(Side::buy, 100, 1);
    hidden(Side::buy, 100, 1);
    add(Side::buy, 99, 1);
    for (int wanted = 1; wanted <= 4; ++wanted) {
        int visited = 0;
        EXPECT_FALSE(book_.for_each_order(store_, Side::buy,
                                          [&](OrderIndex) { return ++visited < wanted; }));
        EXPECT_EQ(visited, wanted);
    }
}

TEST_F(OrderBookTest, PutsTheNextSliceAtTheBackOfTheQueue) {
    const OrderIndex iceberg = add(Side::buy, 100, 10, 0, 15);
    const OrderIndex other = add(Side::buy, 100, 5);
    book_.reduce(store_, iceberg, Quantity{10});
    book_.requeue(store_, iceberg, Quantity{10});
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(other, iceberg));
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{100, Quantity{15}, 2}));
    EXPECT_EQ(level_of(iceberg).reserve, Quantity{5});
    EXPECT_GT(store_.order(iceberg).arrival(), store_.order(other).arrival());
}

TEST_F(OrderBookTest, PutsTheNextSliceOfALoneOrderInTheSamePlace) {
    const OrderIndex iceberg = add(Side::buy, 100, 10, 0, 15);
    book_.reduce(store_, iceberg, Quantity{10});
    book_.requeue(store_, iceberg, Quantity{10});
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(iceberg));
    EXPECT_EQ(book_.front(store_, Side::buy), iceberg);
}

TEST_F(OrderBookTest, RanksOrdersByArrival) {
    const OrderIndex a = add(Side::buy, 100, 1);
    const OrderIndex b = add(Side::sell, 200, 1);
    EXPECT_LT(store_.order(a).arrival(), store_.order(b).arrival());
    EXPECT_GT(book_.next_arrival(), store_.order(b).arrival());
    remove(a);
    const OrderIndex c = add(Side::buy, 100, 1);
    EXPECT_GT(store_.order(c).arrival(), store_.order(b).arrival());
}

TEST_F(OrderBookTest, HoldsOneTickAndABillionInFewNodes) {
    add(Side::sell, 1, 1);
    add(Side::sell, 1'000'000'000, 1);
    add(Side::buy, 1, 1);
    add(Side::buy, 1'000'000'000, 1);
    EXPECT_LE(store_.nodes.pool().used(), 2U * 10U);
    EXPECT_THAT(depth(Side::buy), ElementsAre(DepthLevel{1'000'000'000, Quantity{1}, 1},
                                              DepthLevel{1, Quantity{1}, 1}));
}

TEST_F(OrderBookTest, SharesItsStoreWithOtherBooks) {
    OrderBook other;
    const OrderIndex mine = add(Side::buy, 100, 1);
    const OrderIndex theirs = store_.order_pool.take();
    store_.order(theirs) = store_.order(mine);
    other.add(store_, theirs);
    EXPECT_THAT(visiting_order(Side::buy), ElementsAre(mine));
    remove(mine);
    EXPECT_EQ(other.front(store_, Side::buy), theirs);
    EXPECT_EQ(other.best(store_, Side::buy), (DepthLevel{100, Quantity{1}, 1}));
}

// All operations at random; checks the book's invariants after each step.
TEST_F(OrderBookTest, KeepsItsInvariantsUnderRandomOperations) {
    RandomStream random(17);
    std::vector<OrderIndex> live;
    for (int step = 0; step < 20'000; ++step) {
        if (live.size() < 10 || (live.size() < 90 && random.coin())) {
            const std::uint16_t bits = random.below(4) == 0 ? OrderAttributes::k_hidden : 0;
            const Tick tick =
                random.below(20) == 0 ? Tick{1} << random.below(40) : 1'000 + Tick{random.below(5)};
            live.push_back(
                add(random.coin() ? Side::buy : Side::sell, tick, 1 + random.below(9), bits));
        } else {
            const std::size_t at = random.below(static_cast<std::uint32_t>(live.size()));
            if (store_.order(live[at]).quantity > Quantity{1}) {
                book_.reduce(store_, live[at], Quantity{1});
            } else {
                remove(live[at]);
                live[at] = live.back();
                live.pop_back();
            }
        }
        book_.check_invariants(store_);
    }
    ASSERT_EQ(visiting_order(Side::buy).size() + visiting_order(Side::sell).size(), live.size());
}

}  // namespace
}  // namespace damrak::order_book_test
