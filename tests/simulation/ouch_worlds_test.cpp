// Worlds of OUCH clients of both versions on lossy connections and an exchange that is killed, from
// seeds; and faults that are planted there, which the same seeds have to find.
#include <cstdint>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simulation/ouch_exchange_world.hpp"
#include "support/test_size.hpp"

namespace damrak::simulation::ouch_worlds_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

constexpr std::uint64_t k_seeds_a_case = 5;
constexpr std::uint64_t k_cases = 8;

class OuchWorlds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(OuchWorlds, EveryMessageIsSentUnderItsNumberAndEachOrderIsAnsweredOnce) {
    OuchTally tally;
    for (std::uint64_t i = 1; i <= k_seeds_a_case; ++i) {
        OuchExchangeWorld world{GetParam() * k_seeds_a_case + i};
        const auto failure = world.run();
        ASSERT_FALSE(failure) << *failure;
        tally.add(world.tally());
    }
    EXPECT_GT(tally.orders, 500U);
    EXPECT_GT(tally.messages, tally.orders);
    EXPECT_GT(tally.kills, 20U);
    EXPECT_GT(tally.power_losses, 5U);
    EXPECT_GT(tally.trades, 50U);
    EXPECT_GT(tally.clients.losses, 50U);
    EXPECT_GT(tally.clients.deaths, 5U);
    EXPECT_GT(tally.clients.logouts, 5U);
    EXPECT_GT(tally.clients.glances, 5U);
    EXPECT_GT(tally.clients.repeated, 200U);
    EXPECT_GT(tally.clients.resent, 100U);
    EXPECT_GT(tally.clients.reentered, 100U);
    EXPECT_GT(tally.clients.sessions, 20U);
    EXPECT_GT(tally.clients.rereads, 5U);
    EXPECT_GT(tally.snapshots, 10U);
    EXPECT_GT(tally.snapshot_starts, 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, OuchWorlds,
                         ::testing::Range(std::uint64_t{0}, test_size::scaled(k_cases)));

std::optional<std::string> found_by_the_seeds(Plant plant) {
    for (std::uint64_t seed = 1; seed <= k_cases * k_seeds_a_case; ++seed)
        if (auto failure = OuchExchangeWorld{seed, plant}.run()) return failure;
    return std::nullopt;
}

TEST(PlantedInOuchWorlds, ARestartThatForgetsMessagesBeginsToCountAgain) {
    const auto found = found_by_the_seeds({.restart_forgets_messages = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, AnyOf(HasSubstr("is rejected"), HasSubstr("is to be new, and was here"),
                              HasSubstr("message 1 was ")));
}

TEST(PlantedInOuchWorlds, AnswersBeforeTheJournalIsOnTheDiskChange) {
    const auto found = found_by_the_seeds({.answers_early = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, AnyOf(HasSubstr("is rejected"), HasSubstr(" and is owed "),
                              HasSubstr("\" and is \""), HasSubstr("is open behind the end")));
}

// The messages are made from the requests that are waited for.
TEST(PlantedInOuchWorlds, ARequestThatIsNotWaitedForIsReportedWrong) {
    const auto found = found_by_the_seeds({.waits_for_none = true});
    ASSERT_TRUE(found);
}

// Control: the same seeds without a fault.
TEST(PlantedInOuchWorlds, NothingIsFoundWithoutAFaultInEitherWiring) {
    OuchTally tally;
    for (std::uint64_t seed = 1; seed <= 2 * k_cases; ++seed) {
        OuchExchangeWorld world{seed};
        ASSERT_FALSE(world.run());
        tally.add(world.tally());
    }
    EXPECT_GT(tally.pipelined_worlds, 3U);
    EXPECT_LT(tally.pipelined_worlds, 13U);
}

}  // namespace
}  // namespace damrak::simulation::ouch_worlds_test
