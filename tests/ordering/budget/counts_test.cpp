// Counts by owner, against a map.
#include <damrak/budget/counts.hpp>

#include <cstdint>
#include <map>
#include <random>

#include <gtest/gtest.h>

namespace damrak::budget::counts_test {
namespace {

TEST(BudgetCounts, AreThoseOfAMapWhateverComesAndGoes) {
    constexpr std::uint32_t k_owners = 24;
    std::mt19937_64 random{20'261'130};
    Counts counts{k_owners};
    std::map<std::uint64_t, std::uint32_t> expected;
    for (int step = 0; step < 50'000; ++step) {
        const std::uint64_t owner = 1 + random() % k_owners * (random() % 2 == 0 ? 1 : 64);
        if (random() % 2 == 0 && (expected.contains(owner) || expected.size() < k_owners)) {
            counts.add(owner);
            ++expected[owner];
        } else if (expected.contains(owner)) {
            counts.drop(owner);
            if (--expected[owner] == 0) expected.erase(owner);
        }
        if (step == 25'000) counts.grow(4 * k_owners);
        for (const auto& [known, count] : expected) ASSERT_EQ(counts.of(known), count) << step;
        ASSERT_EQ(counts.of(owner), expected.contains(owner) ? expected[owner] : 0) << step;
    }
}

TEST(BudgetCounts, OfNobodyAreZeroWithoutRoom) { EXPECT_EQ(Counts{}.of(7), 0U); }

}  // namespace
}  // namespace damrak::budget::counts_test
