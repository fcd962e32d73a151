// Worlds of senders of datagrams on a network that loses, repeats and reorders, and an exchange
// that is killed, from seeds; and faults that are planted there, which the same seeds have to find.
#include <cstdint>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/simulation/udp_exchange_world.hpp"
#include "support/test_size.hpp"

namespace damrak::simulation::udp_worlds_test {
namespace {

using ::testing::AnyOf;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;

constexpr std::uint64_t k_seeds_a_case = 5;
constexpr std::uint64_t k_cases = 8;

class UdpWorlds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(UdpWorlds, EveryOrderIsEnteredOnceAndAllThatIsReportedFollows) {
    UdpTally tally;
    for (std::uint64_t i = 1; i <= k_seeds_a_case; ++i) {
        UdpExchangeWorld world{GetParam() * k_seeds_a_case + i};
        const auto failure = world.run();
        ASSERT_FALSE(failure) << *failure;
        tally.add(world.tally());
    }
    EXPECT_GT(tally.orders, 1'000U);
    EXPECT_GT(tally.told, tally.orders / 2);
    EXPECT_GT(tally.kills + tally.power_losses, 20U);
    EXPECT_GT(tally.lost, 200U);
    EXPECT_GT(tally.overtaking, 500U);
    EXPECT_GT(tally.counts.duplicates, 500U);
    EXPECT_GT(tally.counts.gaps, 100U);
    EXPECT_GT(tally.counts.late, 100U);
    EXPECT_GT(tally.counts.malformed, 20U);
    EXPECT_GT(tally.snapshots, 10U);
    EXPECT_GT(tally.snapshot_starts, 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, UdpWorlds,
                         ::testing::Range(std::uint64_t{0}, test_size::scaled(k_cases)));

std::optional<std::string> found_by_the_seeds(Plant plant, bool compare_counts = true) {
    for (std::uint64_t seed = 1; seed <= k_cases * k_seeds_a_case; ++seed)
        if (auto failure = UdpExchangeWorld{seed, plant, compare_counts}.run()) return failure;
    return std::nullopt;
}

/// By the counts, and without them by what an order that is entered twice is.
void expect_numbers_missed(Plant plant) {
    const auto counted = found_by_the_seeds(plant);
    ASSERT_TRUE(counted);
    EXPECT_THAT(*counted, HasSubstr("the gateway counted"));
    const auto entered = found_by_the_seeds(plant, false);
    ASSERT_TRUE(entered);
    EXPECT_THAT(*entered, ContainsRegex("is in the journal [2-9] times"));
}

TEST(PlantedInUdpWorlds, NumbersThatARestartForgetsAreMissed) {
    expect_numbers_missed({.restart_forgets_numbers = true});
}

TEST(PlantedInUdpWorlds, NumbersThatAWindowForgetsAreMissed) {
    expect_numbers_missed({.forgets_some_numbers = true});
}

TEST(PlantedInUdpWorlds, AnAnswerBeforeTheJournalHasItIsFound) {
    const auto found = found_by_the_seeds({.answers_early = true});
    ASSERT_TRUE(found);
    EXPECT_THAT(*found, AnyOf(HasSubstr("which does not follow from the journal"),
                              HasSubstr("is in the journal 0 times")));
}

// Control: the same seeds without a fault.
TEST(PlantedInUdpWorlds, NothingIsFoundWithoutAFaultInEitherWiring) {
    UdpTally tally;
    for (std::uint64_t seed = 1; seed <= 2 * k_cases; ++seed) {
        UdpExchangeWorld world{seed};
        ASSERT_FALSE(world.run());
        tally.add(world.tally());
    }
    EXPECT_GT(tally.forgotten, 10U);
    EXPECT_GT(tally.pipelined_worlds, 3U);
    EXPECT_LT(tally.pipelined_worlds, 13U);
}

}  // namespace
}  // namespace damrak::simulation::udp_worlds_test
