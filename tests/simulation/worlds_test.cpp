// Whole worlds from seeds: 200 here, in cases of ten; as many as you like with
// build/release/tests/simulate.
#include <cstdint>

#include <gtest/gtest.h>

#include "support/simulation/world.hpp"
#include "support/test_size.hpp"

namespace damrak::simulation::worlds_test {
namespace {

constexpr std::uint64_t k_seeds_a_case = 10;

class SeededWorlds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(SeededWorlds, KeepTheirPromises) {
    for (std::uint64_t i = 1; i <= k_seeds_a_case; ++i) {
        World world{GetParam() * k_seeds_a_case + i};
        const auto failure = world.run();
        ASSERT_FALSE(failure) << failure->text;
    }
}

// The mix of worlds that the seeds above give.
TEST(Worlds, AreOfBothWiringsAndTakeSnapshots) {
    Tally tally;
    for (std::uint64_t seed = 1; seed <= 2 * k_seeds_a_case; ++seed) {
        World world{seed};
        ASSERT_FALSE(world.run());
        tally.add(world.tally());
    }
    EXPECT_GT(tally.pipelined_worlds, 4U);
    EXPECT_LT(tally.pipelined_worlds, 16U);
    EXPECT_GT(tally.snapshots, 20U);
    EXPECT_GT(tally.snapshot_starts, 20U);
    EXPECT_GT(tally.shortened_starts, 10U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, SeededWorlds,
                         ::testing::Range(std::uint64_t{0}, test_size::scaled(std::uint64_t{20})));

}  // namespace
}  // namespace damrak::simulation::worlds_test
