#include <damrak/market_kernel/numeric.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_kernel/detail/event_queue.hpp>
#include <damrak/market_kernel/draws.hpp>

namespace damrak::market_kernel::numeric_test {
namespace {

double relative_error(double value, double exact) {
    return exact == 0 ? std::abs(value) : std::abs(value / exact - 1);
}

TEST(Numeric, ExponentialAndLogarithmAreThoseOfTheLibraryButForTheLastDigits) {
    Draws draws{1};
    double exponential_error = 0;
    double logarithm_error = 0;
    for (int i = 0; i < 200'000; ++i) {
        const double x = draws.uniform(-700, 700);
        exponential_error =
            std::max(exponential_error, relative_error(exponential_of(x), std::exp(x)));
        const double y = std::exp(draws.uniform(-300, 300));
        logarithm_error = std::max(logarithm_error, relative_error(logarithm_of(y), std::log(y)));
        const double z = draws.uniform(0.5, 2);
        logarithm_error = std::max(logarithm_error, relative_error(logarithm_of(z), std::log(z)));
    }
    EXPECT_LT(exponential_error, 1e-15);
    EXPECT_LT(logarithm_error, 1e-15);
    EXPECT_EQ(exponential_of(-800), 0);
    EXPECT_EQ(exponential_of(0), 1);
    EXPECT_EQ(logarithm_of(1), 0);
    EXPECT_LT(relative_error(logarithm_of(1e-310), std::log(1e-310)), 1e-15);
    EXPECT_LT(relative_error(power_of(2, 0.5), std::sqrt(2.0)), 1e-15);
}

TEST(Numeric, TheQuantileInvertsTheNormalDistribution) {
    for (const double p : {1e-300, 1e-20, 1e-9, 1e-3, 0.05, 0.074, 0.076, 0.3, 0.5, 0.7, 0.95}) {
        const double z = normal_quantile(p);
        EXPECT_LT(relative_error(std::erfc(-z / std::sqrt(2.0)) / 2, p), 1e-12) << p;
    }
    EXPECT_EQ(normal_quantile(0.5), 0);
    EXPECT_NEAR(normal_quantile(0.975), 1.959963984540054, 1e-14);
}

TEST(Draws, HaveTheMomentsOfTheirDistributions) {
    Draws draws{key_of(7, "group", 3, "purpose")};
    constexpr int k_count = 400'000;
    double sum = 0;
    double squares = 0;
    double waits = 0;
    for (int i = 0; i < k_count; ++i) {
        const double z = draws.normal();
        sum += z;
        squares += z * z;
        waits += draws.exponential(4);
    }
    EXPECT_NEAR(sum / k_count, 0, 4 / std::sqrt(k_count));
    EXPECT_NEAR(squares / k_count, 1, 4 * std::sqrt(2.0 / k_count));
    EXPECT_NEAR(waits / k_count, 0.25, 4 * 0.25 / std::sqrt(k_count));
}

TEST(Draws, ParetoTailsAreAPower) {
    Draws draws{3};
    constexpr int k_count = 200'000;
    int above = 0;
    for (int i = 0; i < k_count; ++i) {
        const double x = draws.pareto(10, 1.5);
        EXPECT_GE(x, 10);
        if (x > 40) ++above;
    }
    EXPECT_NEAR(above, k_count / 8., 4 * std::sqrt(k_count * 7 / 64.));
}

TEST(Draws, OfAnotherPurposeMemberGroupOrSeedAreOthers) {
    std::set<std::uint64_t> keys;
    for (const std::uint64_t seed : {1U, 2U})
        for (const std::string_view group : {"a", "b", "c", "d", "group1", "group2"})
            for (const std::uint64_t member : {0U, 1U, 2U})
                for (const std::string_view purpose : {"arrival", "terms", "x", "y"})
                    keys.insert(key_of(seed, group, member, purpose));
    EXPECT_EQ(keys.size(), 2U * 6 * 3 * 4);
}

struct Entry {
    std::int64_t time_ns;
    std::uint32_t number;
};

TEST(EventQueue, GivesEntriesByTimeAndEqualTimesInTheirOrder) {
    Draws draws{5};
    EventQueue<Entry> queue{1'000};
    std::vector<std::pair<std::int64_t, std::uint32_t>> plain;  // the obvious queue
    std::int64_t now = 1'000;
    std::uint32_t number = 0;
    for (int i = 0; i < 200'000; ++i) {
        if (plain.empty() || draws.chance(0.5)) {
            const std::int64_t ahead = std::int64_t{1} << draws.below(40);
            const std::int64_t at =
                now +
                (draws.chance(0.2)
                     ? 0
                     : static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(ahead))));
            queue.push({at, number});
            plain.emplace_back(at, number++);
            std::ranges::push_heap(plain, std::greater{});
        } else {
            std::ranges::pop_heap(plain, std::greater{});
            const Entry entry = queue.pop();
            ASSERT_EQ(entry.time_ns, plain.back().first);
            ASSERT_EQ(entry.number, plain.back().second);
            now = entry.time_ns;
            plain.pop_back();
        }
        ASSERT_EQ(queue.size(), plain.size());
    }
}

}  // namespace
}  // namespace damrak::market_kernel::numeric_test
