#include <damrak/plot/axis.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::axis_test {
namespace {

using ::testing::ElementsAre;

constexpr double k_second = 1e9;

TEST(NumberTicks, AreRoundAndInsideTheRange) {
    EXPECT_THAT(number_ticks({0.3, 4.2}, 5).at, ElementsAre(1, 2, 3, 4));
    EXPECT_THAT(number_ticks({-120, 130}, 6).at, ElementsAre(-100, -50, 0, 50, 100));
}

TEST(NumberTicks, AreNeverMoreThanAskedForByMuch) {
    for (double width = 1e-4; width < 1e9; width *= 1.7) {
        const auto count = number_ticks({12.34, 12.34 + width}, 8).at.size();
        EXPECT_LE(count, 9U) << width;
        EXPECT_GE(count, 2U) << width;
    }
}

TEST(NumberTicks, OfAnEmptyRangeIsItsOneValue) {
    EXPECT_THAT(number_ticks({5, 5}, 4).at, ElementsAre(5));
}

TEST(TimeTicks, FallOnRoundMinutes) {
    const Ticks ticks = time_ticks({34'200 * k_second, 37'800 * k_second}, 6);
    EXPECT_EQ(ticks.step, 600 * k_second);
    EXPECT_EQ(ticks.at.front(), 34'200 * k_second);
    EXPECT_EQ(ticks.at.size(), 7U);
}

TEST(TimeTicks, GoBelowASecond) {
    EXPECT_EQ(time_ticks({34'200 * k_second, 34'200.01 * k_second}, 5).step, 0.002 * k_second);
}

TEST(NumberLabel, ShowsAsManyDecimalsAsTheStepNeeds) {
    EXPECT_EQ(number_label(585.2, 0.2), "585.2");
    EXPECT_EQ(number_label(585.0, 0.05), "585.00");
    EXPECT_EQ(number_label(12, 2), "12");
}

TEST(NumberLabel, SeparatesThousands) {
    EXPECT_EQ(number_label(1'234'567, 1), "1,234,567");
    EXPECT_EQ(number_label(-10'000, 5'000), "\u221210,000");
    EXPECT_EQ(number_label(999, 1), "999");
}

TEST(NumberLabel, KnowsNoNegativeZero) { EXPECT_EQ(number_label(-0.0001, 0.1), "0.0"); }

TEST(TimeLabel, IsAsFineAsTheStep) {
    EXPECT_EQ(time_label(34'200 * k_second, 600 * k_second), "09:30");
    EXPECT_EQ(time_label(34'205 * k_second, 5 * k_second), "09:30:05");
    EXPECT_EQ(time_label(34'205.125 * k_second, 0.005 * k_second), "09:30:05.125");
    EXPECT_EQ(time_label(34'205.9999 * k_second, 0.1 * k_second), "09:30:06.0");
}

}  // namespace
}  // namespace damrak::plot::axis_test
