// The statistics against published values, formulas, and what they promise over many samples.
#include <damrak/comparison/detail/statistics.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::comparison::statistics_test {
namespace {

// The differences of Student's own example (1908): additional hours of sleep by two drugs.
const std::vector<double> k_sleep{1.2, 2.4, 1.3, 1.3, 0, 1, 1.8, 0.8, 4.6, 1.4};

TEST(ComparisonStatistics, StudentsDistributionAgreesWithTables) {
    EXPECT_NEAR(student_quantile(0.975, 1), 12.706204736, 1e-8);
    EXPECT_NEAR(student_quantile(0.975, 10), 2.2281388520, 1e-9);
    EXPECT_NEAR(student_quantile(0.025, 10), -2.2281388520, 1e-9);
    EXPECT_NEAR(student_quantile(0.8, 30), 0.8537673, 1e-6);
    EXPECT_NEAR(student_quantile(0.975, 1e6), 1.9599664, 3e-6);
    EXPECT_NEAR(student_two_sided(1, 1), 0.5, 1e-12);
    // For two degrees of freedom there is a formula.
    for (const double t : {0.1, 1.0, 3.0, 30.0, 1e4})
        EXPECT_NEAR(student_two_sided(t, 2) / (1 - t / std::sqrt(2 + t * t)), 1, 1e-7) << t;
}

TEST(ComparisonStatistics, PairedTestGivesThePublishedResult) {
    EXPECT_NEAR(paired_p_value(k_sleep), 0.00283289, 1e-8);
    const Interval interval = student_interval(k_sleep);
    EXPECT_NEAR(interval.low, 0.7001142, 1e-7);
    EXPECT_NEAR(interval.high, 2.4598858, 1e-7);
    EXPECT_NEAR(interval.width(), student_width(std::sqrt(variance_of(k_sleep)), 10), 1e-12);
}

TEST(ComparisonStatistics, DifferencesThatDoNotVary) {
    const std::vector<double> none(5, 0.0);
    EXPECT_EQ(paired_p_value(none), 1);
    EXPECT_EQ(mean_interval(none, 1).low, 0);
    EXPECT_EQ(mean_interval(none, 1).high, 0);
    const std::vector<double> same(5, 0.1);
    EXPECT_EQ(paired_p_value(same), 0);
    EXPECT_EQ(mean_interval(same, 1).low, 0.1);
    EXPECT_FALSE(correlation_of(none, same));
}

TEST(ComparisonStatistics, CorrelationByHand) {
    // Deviations -1, 0, 1 and -1, 1, 0: products sum to 1, squares to 2 each.
    EXPECT_NEAR(*correlation_of(std::vector{1.0, 2.0, 3.0}, std::vector{0.0, 2.0, 1.0}), 0.5,
                1e-15);
    EXPECT_NEAR(*correlation_of(std::vector{1.0, 2.0, 3.0}, std::vector{9.0, 7.0, 5.0}), -1, 1e-15);
}

TEST(ComparisonStatistics, HolmByHand) {
    const std::vector<double> adjusted = holm(std::vector{0.01, 0.04, 0.03, 0.005});
    ASSERT_EQ(adjusted.size(), 4U);
    EXPECT_NEAR(adjusted[0], 0.03, 1e-15);
    EXPECT_NEAR(adjusted[1], 0.06, 1e-15);  // not below that of 0.03
    EXPECT_NEAR(adjusted[2], 0.06, 1e-15);
    EXPECT_NEAR(adjusted[3], 0.02, 1e-15);
    EXPECT_EQ(holm(std::vector{0.7, 0.9}), (std::vector{1.0, 1.0}));
    EXPECT_TRUE(holm({}).empty());
}

// Cohen (1988) and G*Power have the same numbers for a paired t test at 5 % and 80 %.
TEST(ComparisonStatistics, PairsNeededAgreeWithTables) {
    EXPECT_EQ(pairs_needed(1, 0.8), 15U);
    EXPECT_EQ(pairs_needed(1, 0.5), 34U);
    EXPECT_EQ(pairs_needed(2, -0.4), 199U);
    EXPECT_EQ(pairs_needed(0, 0.1), 2U);
    EXPECT_LE(detectable_effect(1, 34), 0.5);
    EXPECT_GT(detectable_effect(1, 33), 0.5);
}

TEST(ComparisonStatistics, PowerIsAsPromised) {
    market_kernel::Draws draws{market_kernel::key_of(1, "test", 0, "power")};
    constexpr int k_trials = 2'000;
    int seen = 0;
    for (int trial = 0; trial < k_trials; ++trial) {
        std::vector<double> differences(34);
        for (double& value : differences) value = 0.5 + draws.normal();
        if (paired_p_value(differences) < 0.05) ++seen;
    }
    // Four standard errors, and the rounding up to whole pairs.
    EXPECT_NEAR(static_cast<double>(seen) / k_trials, 0.8, 4 * std::sqrt(0.16 / k_trials) + 0.01);
}

TEST(ComparisonStatistics, BootstrapIsOfItsKeyAndNearStudentForEvenSamples) {
    const Interval interval = mean_interval(k_sleep, 1);
    EXPECT_EQ(interval.low, mean_interval(k_sleep, 1).low);
    EXPECT_NE(interval.low, mean_interval(k_sleep, 2).low);
    // One value is far above the others: the interval reaches further up than down.
    EXPECT_GT(interval.high - mean_of(k_sleep), 1.2 * (mean_of(k_sleep) - interval.low));
    std::vector<double> even;
    for (int i = -20; i <= 20; ++i) even.push_back(i);
    const Interval student = student_interval(even);
    EXPECT_NEAR(mean_interval(even, 1).high / student.high, 1, 0.04);
    EXPECT_NEAR(mean_interval(even, 1).low / student.low, 1, 0.04);
    const std::vector<double> few{1, 2, 4};
    EXPECT_EQ(mean_interval(few, 1).high, student_interval(few).high);
}

/// How often the interval holds the true mean.
template <class Draw>
double coverage(std::size_t count, double mean, Draw draw) {
    market_kernel::Draws draws{market_kernel::key_of(7, "test", count, "coverage")};
    constexpr int k_trials = 500;
    int held = 0;
    for (int trial = 0; trial < k_trials; ++trial) {
        std::vector<double> values(count);
        for (double& value : values) value = draw(draws);
        const Interval interval = mean_interval(values, static_cast<std::uint64_t>(trial));
        if (interval.low <= mean && mean <= interval.high) ++held;
    }
    return static_cast<double>(held) / k_trials;
}

TEST(ComparisonStatistics, IntervalsHoldTheMeanAsOftenAsTheySay) {
    // Four standard errors of 500 trials are 0.039.
    EXPECT_NEAR(coverage(10, 0, [](auto& draws) { return draws.normal(); }), 0.95, 0.039);
    EXPECT_NEAR(coverage(40, 0, [](auto& draws) { return draws.normal(); }), 0.95, 0.039);
    EXPECT_NEAR(coverage(40, 1, [](auto& draws) { return draws.exponential(1); }), 0.95, 0.045);
}

}  // namespace
}  // namespace damrak::comparison::statistics_test
