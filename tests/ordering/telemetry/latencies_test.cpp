// Stage times become histograms and the classic table.

#include <damrak/telemetry/detail/latencies.hpp>

#include <memory>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::telemetry::latencies_test {
namespace {

using ::testing::HasSubstr;

// Two ticks a nanosecond.
const CycleClock k_clock{{.source = CycleClock::Source::time_stamp_counter, .ns_per_tick = 0.5}};

Timing timing_of(RequestKind request, std::uint32_t ticks_a_stage, bool written) {
    Timing timing{.request = request, .written = written ? std::uint8_t{1} : std::uint8_t{0}};
    timing.times.spent_ticks.fill(ticks_a_stage);
    return timing;
}

TEST(Latencies, AreCountedByRequestAndSpan) {
    Latencies latencies;
    latencies.record(timing_of(RequestKind::new_order, 40, true), k_clock);
    latencies.record(timing_of(RequestKind::cancel, 20, true), k_clock);
    using enum RequestKind;
    EXPECT_EQ(latencies.histogram(new_order, 0).max(), 20U);
    EXPECT_EQ(latencies.histogram(new_order, k_internal_span).max(), 100U) << "five stages";
    EXPECT_EQ(latencies.histogram(new_order, k_total_span).max(), 120U) << "and the write";
    EXPECT_EQ(latencies.histogram(cancel, k_total_span).max(), 60U);
    EXPECT_EQ(latencies.histogram(modify, k_total_span).count(), 0U);
}

TEST(Latencies, AnUnwrittenAnswerHasNoTotal) {
    Latencies latencies;
    latencies.record(timing_of(RequestKind::new_order, 40, false), k_clock);
    EXPECT_EQ(latencies.histogram(RequestKind::new_order, k_internal_span).count(), 1U);
    EXPECT_EQ(latencies.histogram(RequestKind::new_order, k_total_span).count(), 0U);
    EXPECT_EQ(
        latencies.histogram(RequestKind::new_order, static_cast<std::size_t>(Stage::write)).count(),
        0U);
}

TEST(Latencies, MakeARowForEachRecordedSpan) {
    Latencies latencies;
    for (std::uint32_t i = 1; i <= 100; ++i)
        latencies.record(timing_of(RequestKind::modify, 2 * i, true), k_clock);
    const auto rows = latencies.rows();
    ASSERT_EQ(rows.size(), k_spans);
    const TimingRow& wait = rows.front();
    EXPECT_EQ(wait.request, "modify");
    EXPECT_EQ(wait.span, "wait");
    EXPECT_EQ(wait.count, 100U);
    EXPECT_EQ(wait.min_ns, 1U);
    EXPECT_EQ(wait.max_ns, 100U);
    EXPECT_DOUBLE_EQ(wait.mean_ns, 50.5);
    EXPECT_THAT(wait.percentiles_ns, ::testing::ElementsAre(5, 25, 50, 75, 90, 95, 99, 100, 100));
    EXPECT_EQ(rows[k_internal_span].span, "internal");
    EXPECT_EQ(rows[k_total_span].max_ns, 600U);
}

TEST(TimingTable, HasTheClassicColumnsInMicroseconds) {
    Latencies latencies;
    latencies.record(timing_of(RequestKind::new_order, 3'000, true), k_clock);
    const std::string table = timing_table(latencies.rows());
    EXPECT_THAT(
        table, HasSubstr("request   span           count      mean    stddev       min        p5 "
                         "      p25       p50       p75       p90       p95       p99     p99_9    "
                         "p99_99       max\n"));
    EXPECT_THAT(table, HasSubstr("new_order internal           1      7.50      0.00      7.50"));
}

TEST(TimingTable, SaysThatNothingWasTimed) {
    EXPECT_EQ(timing_table(Latencies{}.rows()), "no message was timed\n");
}

}  // namespace
}  // namespace damrak::telemetry::latencies_test
