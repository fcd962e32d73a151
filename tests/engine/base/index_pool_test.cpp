// Index pools: every index once, the last returned first, and an exact capacity.

#include <damrak/base/index_pool.hpp>

#include <cstdint>
#include <set>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/base/random.hpp>

namespace damrak::index_pool_test {
namespace {

TEST(IndexPool, HandsOutEveryIndexFromOneToTheCapacityOnce) {
    IndexPool pool(100);
    std::set<std::uint32_t> taken;
    while (pool.available() > 0) taken.insert(pool.take());
    EXPECT_EQ(taken.size(), 100U);
    EXPECT_EQ(*taken.begin(), 1U);
    EXPECT_EQ(*taken.rbegin(), 100U);
}

TEST(IndexPool, GivesTheLastReturnedIndexFirst) {
    IndexPool pool(10);
    for (int i = 0; i < 5; ++i) (void)pool.take();
    pool.give_back(2);
    pool.give_back(4);
    EXPECT_EQ(pool.take(), 4U);
    EXPECT_EQ(pool.take(), 2U);
    EXPECT_EQ(pool.take(), 6U);
}

TEST(IndexPool, PredictsTheNextIndex) {
    IndexPool pool(10);
    EXPECT_EQ(pool.upcoming(), 1U);
    (void)pool.take();
    (void)pool.take();
    EXPECT_EQ(pool.upcoming(), 3U);
    pool.give_back(1);
    EXPECT_EQ(pool.upcoming(), 1U);
    EXPECT_EQ(pool.take(), 1U);
}

TEST(IndexPool, CountsUsedAndAvailableSlots) {
    IndexPool pool(3);
    (void)pool.take();
    (void)pool.take();
    EXPECT_EQ(pool.used(), 2U);
    EXPECT_EQ(pool.available(), 1U);
    EXPECT_EQ(pool.capacity(), 3U);
    pool.give_back(1);
    EXPECT_EQ(pool.used(), 1U);
    EXPECT_EQ(pool.available(), 2U);
}

TEST(IndexPool, IsEmptyWhereNothingIsLeft) {
    IndexPool pool(2);
    EXPECT_FALSE(pool.empty());
    (void)pool.take();
    (void)pool.take();
    EXPECT_TRUE(pool.empty());
    pool.give_back(1);
    EXPECT_FALSE(pool.empty());
    pool.withhold(1);
    EXPECT_TRUE(pool.empty());
    EXPECT_EQ(pool.used(), 1U);
    pool.restore(1);
    EXPECT_FALSE(pool.empty());
}

TEST(IndexPool, StaysConsistentUnderRandomUse) {
    IndexPool pool(150);
    RandomStream random(7);
    std::vector<std::uint32_t> live;
    std::set<std::uint32_t> distinct;
    for (int step = 0; step < 20'000; ++step) {
        if (pool.available() > 0 && (live.empty() || random.coin())) {
            const std::uint32_t next = pool.upcoming();
            live.push_back(pool.take());
            ASSERT_EQ(live.back(), next);
            ASSERT_TRUE(distinct.insert(live.back()).second) << "handed out twice";
        } else {
            const std::uint32_t at = random.below(static_cast<std::uint32_t>(live.size()));
            pool.give_back(live[at]);
            distinct.erase(live[at]);
            live[at] = live.back();
            live.pop_back();
        }
        ASSERT_EQ(pool.used(), live.size());
    }
}

TEST(IndexPoolDeathTest, RefusesToGoBeyondItsCapacity) {
    IndexPool pool(1);
    (void)pool.take();
    EXPECT_DEATH((void)pool.take(), "assertion failed");
    IndexPool none(0);
    EXPECT_DEATH((void)none.take(), "assertion failed");
}

}  // namespace
}  // namespace damrak::index_pool_test
