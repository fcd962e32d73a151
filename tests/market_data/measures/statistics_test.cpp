// The sums, against numbers worked out by hand and the known moments of a random walk with bounce.
#include <damrak/measures/statistics.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>
#include <damrak/measures/detail/path_statistics.hpp>
#include <damrak/measures/detail/trading.hpp>

#include "support/test_size.hpp"

namespace damrak::measures::statistics_test {
namespace {

TEST(Statistics, MomentsOfAFewNumbers) {
    Moments moments;
    // Mean 5, variance 4; fourth central moment (81+1+1+1+0+0+16+256)/8 = 44.5.
    for (const double x : {2., 4., 4., 4., 5., 5., 7., 9.}) moments.add(1e9 + x);
    EXPECT_EQ(moments.count(), 8U);
    EXPECT_NEAR(moments.mean() - 1e9, 5, 1e-6);
    EXPECT_NEAR(moments.variance(), 4, 1e-6);
    EXPECT_NEAR(moments.excess_kurtosis(), 44.5 / 16 - 3, 1e-6);
}

TEST(Statistics, RegressionOfALineAndOfNoise) {
    Regression line;
    for (const double x : {1., 2., 5.}) line.add(x, 3 - 2 * x);
    EXPECT_NEAR(line.slope(), -2, 1e-12);
    EXPECT_NEAR(line.r_squared(), 1, 1e-12);
    EXPECT_NEAR(line.correlation(), -1, 1e-12);
    Regression flat;
    flat.add(1, 1);
    flat.add(1, 2);
    EXPECT_FALSE(flat.has_slope());
    Regression cross;  // no slope: y is the same on both sides
    for (const double x : {-1., 0., 1.}) cross.add(x, x * x);
    EXPECT_NEAR(cross.slope(), 0, 1e-12);
}

TEST(Statistics, AutocorrelationOfAnAlternatingSeries) {
    Autocorrelation signs{{1, 2}};
    for (int i = 0; i < 11; ++i) signs.add(i % 2 == 0 ? 1 : -1);
    EXPECT_NEAR(signs.of(0).correlation(), -1, 1e-12);
    EXPECT_NEAR(signs.of(1).correlation(), 1, 1e-12);
    EXPECT_EQ(signs.of(1).count(), 9U);
    signs.interrupt();
    signs.add(1);
    EXPECT_EQ(signs.of(0).count(), 10U) << "a pair over the interruption";
}

TEST(Statistics, TimeWeightedMeanIgnoresMoments) {
    TimeWeighted mean;
    mean.add(1, 300);
    mean.add(100, 0);
    mean.add(5, 100);
    EXPECT_NEAR(mean.mean(), 2, 1e-12);
    EXPECT_EQ(mean.count(), 2U);
}

// A random walk with steps of sigma, seen half a spread c above or below: VR(q) and RV(h) follow
// from variance q sigma^2 + 2 c^2 of a difference of q steps.
TEST(Statistics, VarianceRatioAndSignatureOfABouncingPrice) {
    constexpr double k_sigma = .02;
    constexpr double k_half = .01;
    market_kernel::Draws draws{market_kernel::key_of(1, "measures", 0, "bounce")};
    PathStatistics path{{1, 2, 5, 10}};
    double value = 100;
    for (int i = 0; i < 400'000; ++i) {
        value += k_sigma * market_kernel::normal_quantile(draws.uniform());
        path.add(value + (draws.chance(.5) ? k_half : -k_half));
    }
    const std::vector<double> ratios{1, .8333, .7333, .7};
    const std::vector<double> variances{6.0e-4, 5.0e-4, 4.4e-4, 4.2e-4};
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_NEAR(path.variance_ratio(i), ratios[i], .02) << i;
        EXPECT_NEAR(path.variance_per_step(i), variances[i], .1e-4) << i;
    }
    EXPECT_LT(path.variance_ratio_z(1), -50) << "far from a random walk";
}

/// Of random walks of n steps: the ratios of each horizon, and how many the test of 5 % rejects.
struct Walks {
    std::vector<Moments> ratios;
    std::vector<int> rejected;
};

template <class Deviation>
Walks walk(std::uint64_t runs, int n, const std::vector<std::size_t>& horizons,
           const Deviation& deviation_of) {
    Walks walks{std::vector<Moments>(horizons.size()), std::vector<int>(horizons.size())};
    for (std::uint64_t run = 0; run < runs; ++run) {
        market_kernel::Draws draws{market_kernel::key_of(2, "measures", run, "walk")};
        PathStatistics path{horizons};
        double value = 100;
        path.add(value);
        for (int i = 0; i < n; ++i)
            path.add(value += deviation_of(i) * market_kernel::normal_quantile(draws.uniform()));
        for (std::size_t i = 1; i < horizons.size(); ++i) {
            walks.ratios[i].add(path.variance_ratio(i));
            if (path.has_variance_ratio_z(i) && std::abs(path.variance_ratio_z(i)) > 1.96)
                ++walks.rejected[i];
        }
    }
    return walks;
}

void expect_one(const Moments& ratios) {
    const double error = ratios.deviation() / std::sqrt(static_cast<double>(ratios.count()));
    EXPECT_NEAR(ratios.mean(), 1, 4 * error);
}

// 4 to 6 %, and four standard errors of this many runs on either side.
void expect_five_percent(int rejected, std::uint64_t runs) {
    const auto n = static_cast<double>(runs);
    const double error = std::sqrt(.05 * .95 / n);
    EXPECT_GT(rejected / n, .04 - 4 * error);
    EXPECT_LT(rejected / n, .06 + 4 * error);
}

TEST(Statistics, VarianceRatioOfARandomWalkIsOneAndItsTestRejectsOneInTwenty) {
    struct Case {
        int steps;
        std::uint64_t runs;
        std::vector<std::size_t> horizons;
        bool is_cheap;
    };
    const std::vector<Case> cases{{120, 20'000, {1, 2, 5, 12}, true},
                                  {600, 4'000, {1, 2, 10, 60}, true},
                                  {2'400, 4'000, {1, 5, 60, 240}, false},
                                  {10'000, 2'000, {1, 10, 60, 300}, false},
                                  {40'000, 1'000, {1, 2, 60, 300}, false}};
    for (const Case& one : cases) {
        if (!one.is_cheap && !test_size::is_whole()) continue;
        const std::uint64_t runs = test_size::is_whole() ? one.runs : one.runs / 10;
        const Walks walks = walk(runs, one.steps, one.horizons, [](int /*step*/) { return 1; });
        for (std::size_t i = 1; i < one.horizons.size(); ++i) {
            SCOPED_TRACE(fmt::format("{} steps, {} of them", one.steps, one.horizons[i]));
            expect_one(walks.ratios[i]);
            expect_five_percent(walks.rejected[i], runs);
        }
    }
}

// The mean is estimated from the path itself, which matters most for long horizons.
TEST(Statistics, VarianceRatioIsOneWhereTheHorizonIsHalfOfThePath) {
    const Walks walks = walk(300, 600, {1, 300}, [](int /*step*/) { return 1; });
    expect_one(walks.ratios[1]);
    EXPECT_EQ(walks.rejected[1], 0) << "no z for so short a path";
}

// An error that takes the variance as constant rejects 9 % of these.
TEST(Statistics, VarianceRatioTestAllowsForVariancesThatChange) {
    const std::uint64_t runs = test_size::scaled(std::uint64_t{3'000});
    const Walks walks =
        walk(runs, 1'000, {1, 5, 20}, [](int step) { return step / 250 % 2 == 0 ? 1 : 3; });
    for (std::size_t i = 1; i < 3; ++i) {
        expect_one(walks.ratios[i]);
        expect_five_percent(walks.rejected[i], runs);
    }
}

TEST(Statistics, VarianceRatioByHand) {
    PathStatistics path{{1, 2}};
    for (const double x : {0., 1., 0., 1., 0.}) path.add(x);
    // Differences 1 -1 1 -1; of two steps 0 0 0.
    EXPECT_NEAR(path.variance_per_step(0), 1, 1e-12);
    EXPECT_NEAR(path.variance_ratio(1), 0, 1e-12);
    // delta_1 = 3 / 16, weight (2 * 1 / 2)^2 = 1.
    EXPECT_NEAR(path.variance_ratio_z(1), -1 / std::sqrt(3. / 16), 1e-12);
    EXPECT_FALSE(path.has_variance_ratio_z(1)) << "four steps are fewer than ten times two";
}

// Steps 1 2 3 6: mean 3, deviations -2 -1 0 3, variance 14/3. Of two steps less twice the mean: -3
// -1 3, so 19 / (2 * 3 * (1 - 2/4)). Products of neighbouring squares 4*1 + 1*0 + 0*9.
TEST(Statistics, VarianceRatioTakesTheMeanStepOff) {
    for (const double drift : {0., 10.}) {
        PathStatistics path{{1, 2}};
        double value = 0;
        path.add(value);
        for (const double step : {1., 2., 3., 6.}) path.add(value += step + drift);
        const double ratio = 19. / 3 / (14. / 3);
        EXPECT_NEAR(path.variance_ratio(1), ratio, 1e-9);
        EXPECT_NEAR(path.variance_ratio_z(1), (ratio - 1) / std::sqrt(4. / (14 * 14)), 1e-6);
    }
}

TEST(Statistics, VarianceRatioOfInterruptedPathsIsOne) {
    Moments ratios;
    for (std::uint64_t run = 0; run < 400; ++run) {
        market_kernel::Draws draws{market_kernel::key_of(4, "measures", run, "interrupted")};
        PathStatistics path{{1, 20}};
        double value = 0;
        for (int i = 0; i < 200; ++i) {
            if (i % 50 == 0) {
                path.interrupt();
                value = 100;  // no step leads here
            }
            path.add(value);
            value += draws.normal();
        }
        ratios.add(path.variance_ratio(1));
    }
    expect_one(ratios);
}

double mean_roll(double spread, double* deviation) {
    Moments found;
    for (std::uint64_t run = 0; run < 60; ++run) {
        market_kernel::Draws draws{market_kernel::key_of(3, "measures", run, "roll")};
        RollSpread roll{500};
        double value = 100;
        for (int i = 0; i < 5'000; ++i) {
            value += .02 * market_kernel::normal_quantile(draws.uniform());
            roll.trade(value + (draws.chance(.5) ? spread / 2 : -spread / 2));
        }
        if (roll.has_value()) found.add(roll.spread());
    }
    EXPECT_EQ(found.count(), 60U);
    *deviation = found.deviation();
    return found.mean();
}

// Reference: 5,000 trades, sigma .02: spread .02 -> .0201 (sd .0008), .1 -> .0998 (sd .0017).
TEST(Statistics, RollFindsTheSpread) {
    double deviation = 0;
    EXPECT_NEAR(mean_roll(.02, &deviation), .0201, .0005);
    EXPECT_NEAR(deviation, .0008, .0004);
    EXPECT_NEAR(mean_roll(.1, &deviation), .0998, .0009);
    EXPECT_NEAR(deviation, .0017, .0006);
}

TEST(Statistics, RollIsUndefinedWherePricesTrend) {
    RollSpread roll{4};
    double price = 0;
    for (const double step : {1., 1., 2., 4., 8., 16., 32., 64.}) roll.trade(price += step);
    EXPECT_FALSE(roll.has_value());
    EXPECT_EQ(roll.blocks(), 2U);
    EXPECT_EQ(roll.undefined(), 2U);
    RollSpread bounce{4};
    for (const double at : {10., 12., 10., 12., 10.}) bounce.trade(at);
    // Changes 2 -2 2 -2: pairs (2,-2) (-2,2) (2,-2), covariance -32/9.
    ASSERT_TRUE(bounce.has_value());
    EXPECT_NEAR(bounce.spread(), 2 * std::sqrt(32. / 9), 1e-12);
    EXPECT_EQ(bounce.undefined(), 0U);
}

}  // namespace
}  // namespace damrak::measures::statistics_test
