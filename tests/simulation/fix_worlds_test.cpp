// Worlds of FIX clients on lossy connections and an exchange that is killed, from seeds; and faults
// that are planted there, which the same seeds have to find.
#include <cstdint>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simulation/fix_exchange_world.hpp"
#include "support/test_size.hpp"

namespace damrak::simulation::fix_worlds_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint64_t k_seeds_a_case = 5;
constexpr std::uint64_t k_cases = 8;

class FixWorlds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(FixWorlds, EveryReportIsReportedOnceAndInOrder) {
    FixTally tally;
    for (std::uint64_t i = 1; i <= k_seeds_a_case; ++i) {
        FixExchangeWorld world{GetParam() * k_seeds_a_case + i};
        const auto failure = world.run();
        ASSERT_FALSE(failure) << *failure;
        tally.add(world.tally());
    }
    EXPECT_GT(tally.orders, 500U);
    EXPECT_GT(tally.reports, tally.orders);
    EXPECT_GT(tally.kills, 20U);
    EXPECT_GT(tally.power_losses, 5U);
    EXPECT_GT(tally.losses, 50U);
    EXPECT_GT(tally.deaths, 5U);
    EXPECT_GT(tally.duplicates, 50U);
    EXPECT_GT(tally.snapshots, 10U);
    EXPECT_GT(tally.snapshot_starts, 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, FixWorlds,
                         ::testing::Range(std::uint64_t{0}, test_size::scaled(k_cases)));

std::optional<std::string> found_by_the_seeds(Plant plant) {
    for (std::uint64_t seed = 1; seed <= k_cases * k_seeds_a_case; ++seed)
        if (auto failure = FixExchangeWorld{seed, plant}.run()) return failure;
    return std::nullopt;
}

TEST(PlantedInFixWorlds, AReportThatARestartForgetsIsMissed) {
    const auto found = found_by_the_seeds({.forgets_reports = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, HasSubstr("reports and is owed"));
}

TEST(PlantedInFixWorlds, ARequestThatARestartForgetsIsTakenTwice) {
    const auto found = found_by_the_seeds({.forgets_requests = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, HasSubstr("was used before"));
}

// What a snapshot holds is not replayed: a request that the session had no time to note is asked
// for again, and taken, which shows before its reports are missed.
TEST(PlantedInFixWorlds, ASnapshotAheadOfTheReportsTakesARequestTwice) {
    const auto found = found_by_the_seeds({.trusts_snapshots = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, HasSubstr("was used before"));
}

// A request that the session counts as received must already be in the journal.
TEST(PlantedInFixWorlds, ARequestThatIsNotWaitedForIsLost) {
    const auto found = found_by_the_seeds({.waits_for_none = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, HasSubstr("is in the journal 0 times"));
}

// Control: the same seeds without a fault.
TEST(PlantedInFixWorlds, NothingIsFoundWithoutAFaultInEitherWiring) {
    FixTally tally;
    for (std::uint64_t seed = 1; seed <= 2 * k_cases; ++seed) {
        FixExchangeWorld world{seed};
        ASSERT_FALSE(world.run());
        tally.add(world.tally());
    }
    EXPECT_GT(tally.missing_reported, 5U);
    EXPECT_GT(tally.full_stores, 3U);
    EXPECT_GT(tally.pipelined_worlds, 3U);
    EXPECT_LT(tally.pipelined_worlds, 13U);
}

}  // namespace
}  // namespace damrak::simulation::fix_worlds_test
