// Stage times of the last hour: distributions by gateway and span, of a window and over time.

#include <damrak/telemetry/detail/latency_history.hpp>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/telemetry/detail/latencies.hpp>

namespace damrak::telemetry::latency_history_test {
namespace {

using ::testing::ElementsAre;
using ::testing::SizeIs;

// A tick is a nanosecond.
const CycleClock k_clock{{.source = CycleClock::Source::time_stamp_counter, .ns_per_tick = 1.0}};
constexpr GatewayNumber k_fix{1};
constexpr LatencyKey k_fix_match{k_fix, static_cast<std::size_t>(Stage::match)};

Timing matched_in(std::uint32_t ns) {
    Timing timing{.written = 1, .gateway = k_fix};
    timing.times.spent_ticks[static_cast<std::size_t>(Stage::match)] = ns;
    return timing;
}

TEST(Distribution, CountsValuesWithinAThirtySecond) {
    Distribution times;
    for (const std::uint64_t ns : {1U, 3U, 4U, 1'000U, 1'007U}) times.record(ns);
    using Bucket = Distribution::Bucket;
    EXPECT_THAT(times.buckets(), ElementsAre(Bucket{3, 2}, Bucket{7, 1}, Bucket{1'007, 2}))
        << "buckets of 32 from 992 on";
    EXPECT_EQ(times.max(), 1'007U);
    Distribution others;
    others.record(2);
    others.record(5'000);
    times.merge(others);
    EXPECT_EQ(times.buckets().front(), (Bucket{3, 3}));
    EXPECT_EQ(times.max(), 5'000U);
}

TEST(LatencyHistory, HasAColumnForEachSecondOfAShortWindow) {
    LatencyHistory history;
    EXPECT_THAT(history.columns(10), SizeIs(0)) << "nothing was measured";
    for (const std::int64_t second : {1'000, 1'001, 1'005, 1'014}) {
        history.advance(second);
        history.record(matched_in(100), k_clock);
    }
    history.advance(900);  // changes nothing
    history.record(matched_in(200), k_clock);
    const auto columns = history.columns(10);
    ASSERT_THAT(columns, SizeIs(2)) << "1000 and 1001 are more than ten seconds ago";
    EXPECT_EQ(columns[0].begin_s, 1'005);
    EXPECT_EQ(columns[1].rows.at(k_fix_match).max(), 200U);
    EXPECT_EQ(columns[1].rows.at({k_fix, k_total_span}).max(), 200U);
    EXPECT_THAT(columns[1].rows.at(k_fix_match).buckets(), SizeIs(2));
}

TEST(LatencyHistory, MergesSecondsInALongWindowAndForgetsThoseOfMoreThanAnHour) {
    EXPECT_EQ(LatencyHistory::column_s(60), 1);
    EXPECT_EQ(LatencyHistory::column_s(300), 10);
    EXPECT_EQ(LatencyHistory::column_s(900), 20);
    EXPECT_EQ(LatencyHistory::column_s(3'600), 60);
    LatencyHistory history;
    for (std::int64_t second = 60'000; second <= 64'200; second += 5) {
        history.advance(second);
        history.record(matched_in(64), k_clock);
    }
    const auto columns = history.columns(3'600);
    ASSERT_THAT(columns, SizeIs(60));
    EXPECT_EQ(columns.front().begin_s, 60'660);
    EXPECT_EQ(columns.front().rows.at(k_fix_match).buckets().front().count, 12U);
    EXPECT_EQ(columns.back().begin_s, 64'200) << "the current second, too";
    EXPECT_EQ(columns.back().rows.at(k_fix_match).buckets().front().count, 1U);
}

}  // namespace
}  // namespace damrak::telemetry::latency_history_test
