#include <damrak/replay/detail/day_series.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/replay/day_plot.hpp>

namespace damrak::replay::day_series_test {
namespace {

using ::testing::HasSubstr;

constexpr std::int64_t k_open_ns = 34'200'000'000'000;
constexpr std::int64_t k_second_ns = 1'000'000'000;

DaySeries series() { return DaySeries{"AAPL", 10}; }

TEST(DaySeries, KeepsLowestHighestAndLastOfABucket) {
    DaySeries day = series();
    for (const std::int64_t price : {100, 130, 90, 110}) {
        day.on_top(k_open_ns, Price{price}, Price{200});
    }
    ASSERT_EQ(day.buckets().size(), 1U);
    const Bucket& bucket = day.buckets().front();
    EXPECT_EQ(bucket.bid.low, 90);
    EXPECT_EQ(bucket.bid.high, 130);
    EXPECT_EQ(bucket.bid.last, 110);
    EXPECT_EQ(bucket.spread.low, 70);
    EXPECT_EQ(bucket.spread.high, 110);
}

TEST(DaySeries, StaysBoundedOverAWholeDay) {
    DaySeries day = series();
    constexpr int k_updates = 1'000'000;
    for (int i = 0; i < k_updates; ++i) {
        const std::int64_t time_ns = k_open_ns + 23'400 * k_second_ns / k_updates * i;
        day.on_top(time_ns, Price{i}, Price{2 * i + 1});
    }
    EXPECT_LE(day.buckets().size(), DaySeries::k_most_buckets);
    EXPECT_GE(day.buckets().size(), DaySeries::k_most_buckets / 2);
    EXPECT_EQ(day.buckets().front().bid.low, 0);
    EXPECT_EQ(day.buckets().back().bid.last, k_updates - 1);
    // Buckets are contiguous: each begins where its predecessor ended.
    for (std::size_t i = 1; i < day.buckets().size(); ++i) {
        EXPECT_EQ(day.buckets()[i].bid.low, day.buckets()[i - 1].bid.high + 1);
    }
}

TEST(DaySeries, KeepsAQuietMomentAndABurstApart) {
    DaySeries day = series();
    day.on_top(k_open_ns, Price{10}, Price{20});
    day.on_top(k_open_ns + 5'000, Price{11}, Price{20});
    EXPECT_EQ(day.buckets().size(), 2U);
}

TEST(DaySeries, DistinguishesBuyersFromSellers) {
    DaySeries day = series();
    day.on_trade(k_open_ns, Price{20}, Side::buy);
    day.on_trade(k_open_ns, Price{10}, Side::sell);
    EXPECT_EQ(day.buckets().front().bought.last, 20);
    EXPECT_EQ(day.buckets().front().sold.last, 10);
}

TEST(DaySeries, AsksForDepthOnceABucket) {
    DaySeries day = series();
    EXPECT_TRUE(day.wants_depth(k_open_ns));
    day.on_depth(k_open_ns, Quantity{5}, Quantity{6});
    EXPECT_FALSE(day.wants_depth(k_open_ns + 500));
    EXPECT_TRUE(day.wants_depth(k_open_ns + 1'000));
}

TEST(DaySeries, RemembersThatASideWentEmpty) {
    DaySeries day = series();
    day.on_top(k_open_ns, Price{10}, Price{20});
    day.on_top(k_open_ns, Price{10}, std::nullopt);
    EXPECT_TRUE(day.buckets().front().has_bid);
    EXPECT_FALSE(day.buckets().front().has_ask);
    day.on_trade(k_open_ns + k_second_ns, Price{10}, Side::sell);
    EXPECT_FALSE(day.buckets().back().has_ask) << "a trade says nothing about the quotes";
}

TEST(DayPlot, HasAPanelForPricesSpreadAndDepth) {
    DaySeries day = series();
    day.on_top(k_open_ns, Price{5'850'000}, Price{5'852'000});
    day.on_depth(k_open_ns, Quantity{300}, Quantity{400});
    day.on_trade(k_open_ns + k_second_ns, Price{5'852'000}, Side::buy);
    const plot::Figure figure = day_figure(day);
    ASSERT_EQ(figure.panels.size(), 3U);
    EXPECT_EQ(figure.title, "AAPL");
    EXPECT_THAT(plot::render_svg(figure), HasSubstr("Shares at the best 10 levels"));
}

TEST(DayPlot, OfADayWithoutAnythingIsStillWritten) {
    EXPECT_THAT(plot::render_svg(day_figure(series())), HasSubstr("</svg>"));
}

TEST(DayPlot, SaysWhichFileCannotBeWritten) {
    const auto result = write_day_plot("/nowhere/day.svg", series());
    ASSERT_FALSE(result.has_value());
    EXPECT_THAT(result.error(), HasSubstr("/nowhere/day.svg: cannot create: No such file"));
}

}  // namespace
}  // namespace damrak::replay::day_series_test
