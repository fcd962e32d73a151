// Whole worlds from seeds: 200 here, in cases of ten that run beside each other; as many as you
// like with build/release/tests/simulate.
#include <cstdint>

#include <gtest/gtest.h>

#include "support/simulation/world.hpp"

namespace damrak::simulation {
namespace {

constexpr std::uint64_t k_seeds_a_case = 10;

class Worlds : public testing::TestWithParam<std::uint64_t> {};

TEST_P(Worlds, KeepTheirPromises) {
    for (std::uint64_t i = 1; i <= k_seeds_a_case; ++i) {
        World world{GetParam() * k_seeds_a_case + i};
        const auto failure = world.run();
        ASSERT_FALSE(failure) << failure->text;
    }
}

INSTANTIATE_TEST_SUITE_P(Seeds, Worlds, testing::Range(std::uint64_t{0}, std::uint64_t{20}));

}  // namespace
}  // namespace damrak::simulation
