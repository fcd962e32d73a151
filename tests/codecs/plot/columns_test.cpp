#include <damrak/plot/detail/columns.hpp>

#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::plot::columns_test {
namespace {

using ::testing::ElementsAre;

constexpr double k_gap = std::numeric_limits<double>::quiet_NaN();
constexpr Range k_time{0, 100};
constexpr int k_width = 10;  // columns of 10 ns

TEST(Runs, KeepLowestHighestAndLastOfEachColumn) {
    const std::vector<Point> points{{0, 5}, {3, 9}, {7, 2}, {9, 4}, {25, 6}};
    const auto runs = to_runs(points, k_time, k_width);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_THAT(runs[0].columns, ElementsAre(Column{0, 2, 9, 4}, Column{2, 6, 6, 6}));
    EXPECT_EQ(runs[0].end, k_width);
}

TEST(Runs, AreNoLongerThanTheChartIsWide) {
    std::vector<Point> points;
    for (int i = 0; i < 100'000; ++i) points.push_back({i / 1000, static_cast<double>(i % 17)});
    const auto runs = to_runs(points, k_time, k_width);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_EQ(runs[0].columns.size(), 10U);
}

TEST(Runs, BreakAtAGapThatIsWideEnoughToSee) {
    const std::vector<Point> points{{0, 1}, {15, k_gap}, {35, 2}};
    const auto runs = to_runs(points, k_time, k_width);
    ASSERT_EQ(runs.size(), 2U);
    EXPECT_EQ(runs[0].end, 1);
    EXPECT_THAT(runs[1].columns, ElementsAre(Column{3, 2, 2, 2}));
}

TEST(Runs, DoNotBreakWithinAColumn) {
    std::vector<Point> points;
    for (int i = 0; i < 1000; ++i) points.push_back({5, i % 2 == 0 ? 1.0 : k_gap});
    EXPECT_EQ(to_runs(points, k_time, k_width).size(), 1U);
}

TEST(Runs, BeginWithTheLastValueFromBeforeTheRange) {
    const std::vector<Point> points{{10, 7}, {20, 8}, {60, 9}, {500, 1}};
    const auto runs = to_runs(points, {50, 150}, k_width);
    ASSERT_EQ(runs.size(), 1U);
    EXPECT_THAT(runs[0].columns, ElementsAre(Column{0, 8, 8, 8}, Column{1, 9, 9, 9}));
}

TEST(Runs, OfNothingAreNone) { EXPECT_TRUE(to_runs({}, k_time, k_width).empty()); }

TEST(ShownRange, IsAllOfOrdinaryValues) {
    const Range range = shown_range({3, 1, 2});
    EXPECT_EQ(range.low, 1);
    EXPECT_EQ(range.high, 3);
}

TEST(ShownRange, LeavesAFewFarValuesOut) {
    std::vector<double> values{1e9};
    for (int i = 0; i < 1000; ++i) values.push_back(100 + i % 10);
    const Range range = shown_range(values);
    EXPECT_EQ(range.low, 100);
    EXPECT_LT(range.high, 200);
}

TEST(ShownRange, OfOneValueHasAWidth) {
    EXPECT_GT(shown_range({5, 5, 5}).width(), 0);
    EXPECT_GT(shown_range({}).width(), 0);
}

}  // namespace
}  // namespace damrak::plot::columns_test
