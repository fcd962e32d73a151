// When a follower that nobody watches lets records wait.
#include <damrak/exchange/detail/burst_pace.hpp>

#include <cstdint>

#include <gtest/gtest.h>

namespace damrak::exchange::detail {
namespace {

constexpr std::uint64_t k_many = 100 * BurstPace::k_busy;

class Pace : public ::testing::Test {
  protected:
    /// This many records later, at the end of an interval.
    bool waits_after(std::uint64_t records, bool is_snapshot_due = false) {
        now_ns_ += BurstPace::k_interval_ns;
        appended_ += records;
        return waits(is_snapshot_due);
    }
    bool waits(bool is_snapshot_due = false) {
        return pace_.waits(now_ns_, {.followed = followed_,
                                     .appended = appended_,
                                     .is_behind = is_behind_,
                                     .is_snapshot_due = is_snapshot_due});
    }

    BurstPace pace_;
    std::int64_t now_ns_ = 1'000 * BurstPace::k_interval_ns;
    std::uint64_t followed_ = 0;
    std::uint64_t appended_ = 0;
    bool is_behind_ = false;
};

TEST_F(Pace, FollowsAtOnceWhatIsNoBurst) {
    for (int i = 0; i < 100; ++i) EXPECT_FALSE(waits_after(BurstPace::k_busy));
}

TEST_F(Pace, FollowsABurstAfterItsEnd) {
    EXPECT_FALSE(waits_after(0));
    for (int i = 0; i < 100; ++i) EXPECT_TRUE(waits_after(k_many));
    EXPECT_TRUE(waits()) << "the interval is not over";
    EXPECT_FALSE(waits_after(BurstPace::k_busy));
}

TEST_F(Pace, CountsWhatCameWhileItSlept) {
    EXPECT_FALSE(waits_after(0));
    now_ns_ += 9 * BurstPace::k_interval_ns;
    EXPECT_FALSE(waits_after(10 * BurstPace::k_busy));
    now_ns_ += 9 * BurstPace::k_interval_ns;
    EXPECT_TRUE(waits_after(10 * BurstPace::k_busy + 1));
}

TEST_F(Pace, ADueSnapshotDoesNotWaitAndNeitherDoesTheRestOfTheBurst) {
    EXPECT_FALSE(waits_after(0));
    EXPECT_TRUE(waits_after(k_many));
    EXPECT_FALSE(waits_after(k_many, true));
    is_behind_ = true;
    EXPECT_FALSE(waits_after(k_many)) << "it goes on until it has caught up";
    is_behind_ = false;
    EXPECT_TRUE(waits_after(k_many));
}

TEST_F(Pace, ALongBurstIsFollowedBeforeItsEnd) {
    EXPECT_FALSE(waits_after(0));
    EXPECT_TRUE(waits_after(BurstPace::k_most_waiting));
    EXPECT_FALSE(waits_after(k_many));
    is_behind_ = true;
    followed_ = appended_ - k_many;
    EXPECT_FALSE(waits_after(k_many)) << "it goes on until it has caught up";
    is_behind_ = false;
    EXPECT_TRUE(waits_after(k_many));
}

TEST_F(Pace, ASlowBurstIsFollowedBeforeItsEnd) {
    constexpr std::int64_t k_intervals = BurstPace::k_longest_ns / BurstPace::k_interval_ns;
    constexpr std::uint64_t k_few = 2 * BurstPace::k_busy;
    EXPECT_FALSE(waits_after(0));
    for (int round = 0; round < 2; ++round) {
        for (std::int64_t i = 0; i < k_intervals; ++i) ASSERT_TRUE(waits_after(k_few)) << i;
        EXPECT_FALSE(waits_after(k_few));
        followed_ = appended_;
    }
}

}  // namespace
}  // namespace damrak::exchange::detail
