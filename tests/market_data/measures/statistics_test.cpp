// The sums, against numbers worked out by hand and the known moments of a random walk with bounce.
#include <damrak/measures/statistics.hpp>

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>
#include <damrak/measures/detail/path_statistics.hpp>
#include <damrak/measures/detail/trading.hpp>

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

TEST(Statistics, VarianceRatioOfARandomWalkIsOneWithinItsError) {
    int beyond = 0;
    for (std::uint64_t run = 0; run < 200; ++run) {
        market_kernel::Draws draws{market_kernel::key_of(2, "measures", run, "walk")};
        PathStatistics path{{1, 5}};
        double value = 0;
        for (int i = 0; i < 2'000; ++i) {
            // The variance changes, which the error has to allow for.
            value += (i / 500 % 2 == 0 ? 1 : 3) * market_kernel::normal_quantile(draws.uniform());
            path.add(value);
        }
        if (std::abs(path.variance_ratio_z(1)) > 1.96) ++beyond;
    }
    // 5 % of 200 with a standard error of 3.1: four of them each way, and never none at all.
    EXPECT_GE(beyond, 1);
    EXPECT_LE(beyond, 22);
}

TEST(Statistics, VarianceRatioByHand) {
    PathStatistics path{{1, 2}};
    for (const double x : {0., 1., 0., 1., 0.}) path.add(x);
    // Differences 1 -1 1 -1; of two steps 0 0 0.
    EXPECT_NEAR(path.variance_per_step(0), 1, 1e-12);
    EXPECT_NEAR(path.variance_ratio(1), 0, 1e-12);
    // delta_1 = 3 / 16, weight (2 * 1 / 2)^2 = 1.
    EXPECT_NEAR(path.variance_ratio_z(1), -1 / std::sqrt(3. / 16), 1e-12);
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
