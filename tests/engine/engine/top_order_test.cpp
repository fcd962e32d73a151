// AL-4: which order is the top order of its side, and for how long.

#include <cstdint>

#include <gtest/gtest.h>

#include "support/market.hpp"

namespace damrak::top_order_test {
namespace {

using namespace terms;

/// The top order is filled first, then the larger one: so the two can be told apart.
struct TopOrder : ::testing::Test {
    TopOrder() { use({}); }
    void use(AllocationDetails rules) {
        rules.steps = {AllocationStep::top, AllocationStep::size};
        market.set_allocation(rules);
    }
    std::uint64_t served(double price) {
        return market.sell(dave, 1, at(price), ioc).events().at(1).order_id.value;
    }
    Market market;
};

TEST_F(TopOrder, IsTheFirstOfAnEmptySide) {
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 1U);
}

TEST_F(TopOrder, StaysItIfItsQuantityIsReduced) {
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.replace(bob, 1, 5, at(10.00));
    market.cancel_part(bob, 1, 1);
    EXPECT_EQ(served(10.00), 1U);
}

TEST_F(TopOrder, LosesItsMarkWhenItEntersAnew) {
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.replace(bob, 1, 10, at(10.00), lose_priority, new_id(1));
    EXPECT_EQ(served(10.00), 2U);
}

TEST_F(TopOrder, BettersItsSide) {
    market.buy(bob, 10, at(9.99));
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 2U);
}

TEST_F(TopOrder, LosesItsMarkToABetterPrice) {
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.buy(carol, 1, at(10.01));
    EXPECT_EQ(served(10.01), 3U);
    EXPECT_EQ(served(10.00), 2U) << "the mark of #1 is gone";
}

TEST_F(TopOrder, LosesItsMarkAlsoToOneThatIsTooSmall) {
    use({.top_minimum = Quantity{5}});
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.buy(carol, 4, at(10.01));
    market.cancel(carol, 3);
    EXPECT_EQ(served(10.00), 2U);
}

TEST_F(TopOrder, HasAtLeastTheMinimum) {
    use({.top_minimum = Quantity{5}});
    market.buy(bob, 4, at(10.00));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 2U);
    market.buy(bob, 5, at(10.01));
    market.buy(carol, 20, at(10.01));
    EXPECT_EQ(served(10.01), 4U);
}

TEST_F(TopOrder, IsNotInheritedWhenItLeaves) {
    market.buy(bob, 10, at(10.00));
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.cancel(bob, 1);
    EXPECT_EQ(served(10.00), 3U);
}

TEST_F(TopOrder, IsAlsoWhatIsLeftOfAnOrderThatTraded) {
    market.sell(dave, 5, at(10.00));
    market.buy(bob, 15, at(10.00));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 2U);
}

TEST_F(TopOrder, MayBeATriggeredStopLimit) {
    market.buy(bob, 10, at(10.00), stop(9.00));
    market.sell(dave, 1, at(9.00));
    market.buy(dave, 1, at(9.00), ioc);
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 1U);
}

TEST_F(TopOrder, OfEachSideIsAnother) {
    market.buy(bob, 10, at(9.00));
    market.buy(carol, 20, at(9.00));
    market.sell(bob, 10, at(10.00));
    market.sell(carol, 20, at(10.00));
    EXPECT_EQ(served(9.00), 1U);
    EXPECT_EQ(market.buy(dave, 1, at(10.00)).events().at(1).order_id.value, 3U);
}

TEST_F(TopOrder, IsNotHidden) {
    market.buy(bob, 10, at(10.00), hidden);
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 3U) << "the hidden order was there before: nobody bettered the side";
}

TEST_F(TopOrder, StaysItIfAHiddenOrderIsBetter) {
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.buy(carol, 1, at(10.01), hidden);
    EXPECT_EQ(served(10.01), 3U);
    EXPECT_EQ(served(10.00), 1U);
}

TEST_F(TopOrder, MayBeASliceOnce) {
    use({.top_minimum = Quantity{4}});
    market.buy(bob, 10, at(10.00), showing(4));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 1U);
    market.sell(dave, 3, at(10.00));
    EXPECT_EQ(served(10.00), 2U) << "the next slice came later";
}

TEST_F(TopOrder, HasItsMinimumDisplayed) {
    use({.top_minimum = Quantity{4}});
    market.buy(bob, 10, at(10.00), showing(3));
    market.buy(carol, 20, at(10.00));
    EXPECT_EQ(served(10.00), 2U);
}

TEST_F(TopOrder, DoesNotComeFromACall) {
    market.buy(bob, 10, at(9.00));
    market.set_phase(Phase::call);
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.buy(carol, 20, at(9.00));
    market.uncross();
    EXPECT_EQ(served(10.00), 3U);
    market.cancel(bob, 2);
    market.cancel(carol, 3);
    EXPECT_EQ(served(9.00), 4U) << "the call ended the mark";
}

TEST_F(TopOrder, IsNoneAfterAChangeOfRules) {
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    use({});
    EXPECT_EQ(served(10.00), 2U);
}

TEST_F(TopOrder, GetsItsMaximum) {
    use({.top_maximum = Quantity{3}});
    market.buy(bob, 10, at(10.00));
    market.buy(carol, 20, at(10.00));
    market.sell(dave, 5, at(10.00))
        .expect({"accepted #3 5@10.00", "executed #1 3@10.00 left 7 shows 7 trade 1",
                 "executed #3 3@10.00 left 2 takes trade 1",
                 "executed #2 2@10.00 left 18 shows 18 trade 2",
                 "executed #3 2@10.00 left 0 takes trade 2"});
}

}  // namespace
}  // namespace damrak::top_order_test
