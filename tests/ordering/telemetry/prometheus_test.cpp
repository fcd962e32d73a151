// The metrics page: the name of each number, and that every line is valid for Prometheus.

#include <damrak/telemetry/prometheus.hpp>

#include <memory>
#include <regex>
#include <sstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace damrak::telemetry::prometheus_test {
namespace {

using ::testing::HasSubstr;

std::string page_of(const Counters& counters, const Latencies& latencies) {
    const Collector::Losses losses{.ring_records = 3, .log_rows = 4, .unwritten_rows = 5};
    return prometheus_text({.counters = &counters,
                            .latencies = &latencies,
                            .losses = &losses,
                            .journal_appended = 12,
                            .journal_kept = 11,
                            .journal_synced = 10,
                            .healthy = true,
                            .uptime_s = 1.5});
}

TEST(Prometheus, ShowsTheCounters) {
    Counters counters;
    counters.requests[static_cast<std::size_t>(RequestKind::cancel)] = 7;
    counters.events[static_cast<std::size_t>(EventKind::executed)] = 6;
    counters.accepted_connections = 5;
    counters.closed_connections = 2;
    const std::string page = page_of(counters, {});
    EXPECT_THAT(page, HasSubstr("\ndamrak_messages_total{request=\"cancel\"} 7\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_events_total{event=\"executed\"} 6\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_trades_total 3\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_connections 3\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_journal_appended_position 12\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_journal_kept_position 11\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_journal_synced_position 10\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_telemetry_lost_records_total 3\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_telemetry_skipped_rows_total 4\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_telemetry_unwritten_rows_total 5\n"));
    EXPECT_THAT(page, HasSubstr("\ndamrak_up 1\n"));
}

TEST(Prometheus, ShowsLatenciesAsCumulativeBuckets) {
    const CycleClock clock{{.source = CycleClock::Source::monotonic_clock}};
    Latencies latencies;
    for (const std::uint32_t each : {10U, 300U, 60'000U}) {
        Timing timing{.request = RequestKind::new_order, .written = 1};
        timing.times.spent_ticks.fill(each);
        latencies.record(timing, clock);
    }
    const std::string page = page_of({}, latencies);
    const std::string labels = "damrak_request_seconds_bucket{request=\"new_order\",span=\"total\"";
    EXPECT_THAT(page, HasSubstr(labels + ",le=\"1e-07\"} 1\n"));
    EXPECT_THAT(page, HasSubstr(labels + ",le=\"1e-06\"} 1\n"));
    EXPECT_THAT(page, HasSubstr(labels + ",le=\"2e-06\"} 2\n"));
    EXPECT_THAT(page, HasSubstr(labels + ",le=\"1\"} 3\n"));
    EXPECT_THAT(page, HasSubstr(labels + ",le=\"+Inf\"} 3\n"));
    EXPECT_THAT(page, HasSubstr("damrak_request_seconds_count{request=\"new_order\",span=\"total\""
                                "} 3\n"));
}

TEST(Prometheus, EveryLineIsWellFormed) {
    const CycleClock clock{{.source = CycleClock::Source::monotonic_clock}};
    Latencies latencies;
    latencies.record(Timing{.request = RequestKind::modify, .written = 1}, clock);
    const std::regex sample{
        R"(damrak_[a-z_]+(\{[a-z]+="[^"]*"(,[a-z]+="[^"]*")*\})? -?[0-9][0-9.e+-]*)"};
    const std::regex comment{R"(# (HELP|TYPE) damrak_[a-z_]+ .+)"};
    std::istringstream page{page_of({}, latencies)};
    int lines = 0;
    for (std::string line; std::getline(page, line); ++lines)
        EXPECT_TRUE(std::regex_match(line, sample) || std::regex_match(line, comment)) << line;
    EXPECT_GT(lines, 100);
}

}  // namespace
}  // namespace damrak::telemetry::prometheus_test
