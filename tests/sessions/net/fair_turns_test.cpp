// Queues that share a quota: none starves, and no quota that another queue needs is unused.
#include <damrak/net/detail/fair_turns.hpp>

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace damrak::net::detail::fair_turns_test {
namespace {

using ::testing::ElementsAre;

/// Items taken from each queue in one turn; reduces `waiting`.
std::vector<std::size_t> turn(FairTurns& turns, std::size_t quota,
                              std::vector<std::size_t>& waiting) {
    std::vector<std::size_t> taken(waiting.size());
    const std::size_t done =
        turns.share(waiting.size(), quota, [&](std::size_t queue, std::size_t at_most) {
            const std::size_t count = std::min(at_most, waiting[queue]);
            waiting[queue] -= count;
            taken[queue] += count;
            return count;
        });
    EXPECT_EQ(done, std::accumulate(taken.begin(), taken.end(), std::size_t{0}));
    return taken;
}

TEST(FairTurns, FullQueuesHaveEqualParts) {
    FairTurns turns;
    std::vector<std::size_t> waiting(4, 1'000);
    for (int i = 0; i < 4; ++i) EXPECT_THAT(turn(turns, 64, waiting), ElementsAre(16, 16, 16, 16));
}

TEST(FairTurns, UnusedSharesGoToTheOthers) {
    FairTurns turns;
    std::vector<std::size_t> waiting{1'000, 3, 0, 20};
    EXPECT_THAT(turn(turns, 64, waiting), ElementsAre(16 + 29, 3, 0, 16));
}

TEST(FairTurns, AQuotaOfOneGoesAround) {
    FairTurns turns;
    std::vector<std::size_t> waiting(3, 1'000);
    EXPECT_THAT(turn(turns, 1, waiting), ElementsAre(1, 0, 0));
    EXPECT_THAT(turn(turns, 1, waiting), ElementsAre(0, 1, 0));
    EXPECT_THAT(turn(turns, 1, waiting), ElementsAre(0, 0, 1));
    EXPECT_THAT(turn(turns, 1, waiting), ElementsAre(1, 0, 0));
}

TEST(FairTurns, OneQueueGetsAll) {
    FairTurns turns;
    std::vector<std::size_t> waiting{100};
    EXPECT_THAT(turn(turns, 64, waiting), ElementsAre(64));
    EXPECT_THAT(turn(turns, 64, waiting), ElementsAre(36));
    EXPECT_THAT(turn(turns, 64, waiting), ElementsAre(0));
}

TEST(FairTurns, TheQuotaIsUsedUpIfPossibleAndNeverExceeded) {
    EXPECT_TRUE(rc::check("any queues", [](std::vector<std::uint8_t> lengths, std::uint8_t quota) {
        RC_PRE(!lengths.empty() && quota > 0);
        FairTurns turns;
        std::vector<std::size_t> waiting(lengths.begin(), lengths.end());
        // After as many turns as there are queues, every waiting queue has had a turn.
        for (std::size_t i = 0; i < lengths.size(); ++i) {
            const std::size_t all = std::accumulate(waiting.begin(), waiting.end(), std::size_t{0});
            const auto taken = turn(turns, quota, waiting);
            RC_ASSERT(std::accumulate(taken.begin(), taken.end(), std::size_t{0}) ==
                      std::min<std::size_t>(all, quota));
        }
        for (std::size_t i = 0; i < lengths.size(); ++i)
            RC_ASSERT(lengths[i] == 0 || waiting[i] < lengths[i]);
    }));
}

}  // namespace
}  // namespace damrak::net::detail::fair_turns_test
