// Against a process whose shares are known: an error-correction model without lags.
#include <damrak/measures/information_share.hpp>

#include <cmath>

#include <gtest/gtest.h>

#include <damrak/market_kernel/draws.hpp>

namespace damrak::measures_tests::information_share_test {
namespace {

using measures::InformationShare;

/// dp1 = -a1 (p1 - p2) + e1, dp2 = a2 (p1 - p2) + e2, with standard deviations 1 and s.
InformationShare share_of(double a1, double a2, double s, double correlation) {
    market_kernel::Draws draws{market_kernel::key_of(7, "information", 0, "e")};
    InformationShare share;
    double p1 = 1'000;
    double p2 = 1'000;
    for (int i = 0; i < 50'000; ++i) {
        share.add(p1, p2);
        const double z = p1 - p2;
        const double e1 = draws.normal();
        const double e2 =
            correlation * e1 + std::sqrt(1 - correlation * correlation) * draws.normal();
        p1 += -a1 * z + e1;
        p2 += a2 * z + s * e2;
    }
    return share;
}

// The trend loads with a2 on e1 and with a1 on e2.
TEST(InformationShare, WithoutCorrelationBothBoundsAreTheShare) {
    const auto bounds = share_of(.1, .3, 2, 0).bounds();
    ASSERT_TRUE(bounds);
    const double expected = .3 * .3 / (.3 * .3 + .1 * .1 * 4);  // .692
    EXPECT_NEAR(bounds->low, expected, .03);
    EXPECT_NEAR(bounds->high, expected, .03);
}

TEST(InformationShare, CorrelationOpensTheBounds) {
    const auto bounds = share_of(.2, .2, 1, .5).bounds();
    ASSERT_TRUE(bounds);
    // Total 1 + 1 + 2 · .5 = 3: first (1 + .5)^2 / 3, second .75 / 3.
    EXPECT_NEAR(bounds->high, .75, .03);
    EXPECT_NEAR(bounds->low, .25, .03);
}

TEST(InformationShare, WhoOnlyFollowsHasNone) {
    const auto bounds = share_of(.5, 0, 1, 0).bounds();
    ASSERT_TRUE(bounds);
    EXPECT_LT(bounds->high, .01);
}

TEST(InformationShare, TooFewPointsGiveNone) {
    InformationShare share;
    for (int i = 0; i < 100; ++i) share.add(i * i % 7, i * i % 5);
    EXPECT_FALSE(share.bounds());
    measures::Results results;
    share.report(results);
    EXPECT_TRUE(results.values().empty());
    // Equal prices have nothing to return from.
    for (int i = 0; i < 1'000; ++i) share.add(i * i % 7, i * i % 7);
    InformationShare equal;
    for (int i = 0; i < 1'000; ++i) equal.add(i * i % 7, i * i % 7);
    EXPECT_FALSE(equal.bounds());
}

TEST(InformationShare, AGapBeginsAnew) {
    InformationShare share;
    for (int i = 0; i < 20; ++i) share.add(i, i % 3);
    const auto before = share.count();
    EXPECT_EQ(before, 20 - 1 - InformationShare::k_lags);
    share.interrupt();
    for (std::size_t i = 0; i <= InformationShare::k_lags; ++i) share.add(1, 2);
    EXPECT_EQ(share.count(), before);
    share.add(2, 1);
    EXPECT_EQ(share.count(), before + 1);
}

}  // namespace
}  // namespace damrak::measures_tests::information_share_test
