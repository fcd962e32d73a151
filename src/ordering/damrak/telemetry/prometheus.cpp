#include <damrak/telemetry/prometheus.hpp>

#include <array>
#include <string_view>

#include <fmt/format.h>

#include <damrak/base/version.hpp>

namespace damrak::telemetry {

namespace {

class Text {
  public:
    void describe(std::string_view name, std::string_view type, std::string_view help) {
        out_ += fmt::format("# HELP damrak_{} {}\n# TYPE damrak_{} {}\n", name, help, name, type);
    }
    template <class N>
    void sample(std::string_view name, std::string_view labels, N value) {
        out_ += labels.empty() ? fmt::format("damrak_{} {}\n", name, value)
                               : fmt::format("damrak_{}{{{}}} {}\n", name, labels, value);
    }
    template <class N>
    void one(std::string_view name, std::string_view type, std::string_view help, N value) {
        describe(name, type, help);
        sample(name, "", value);
    }
    [[nodiscard]] std::string take() { return std::move(out_); }

  private:
    std::string out_;
};

constexpr double k_ns_a_second = 1e9;

// Cumulative counts up to each bound, as Prometheus requires. Our buckets end elsewhere, so a value
// may be counted up to 1/128 too early.
void add_histogram(Text& text, std::string_view labels, const Histogram& times) {
    constexpr std::array<std::uint64_t, 15> k_bounds_ns{
        100,     200,       500,       1'000,      2'000,      5'000,       10'000,       50'000,
        100'000, 1'000'000, 5'000'000, 10'000'000, 50'000'000, 100'000'000, 1'000'000'000};
    const auto counts = times.counts();
    std::uint64_t seen = 0;
    std::size_t next = 0;
    for (const std::uint64_t bound : k_bounds_ns) {
        for (; next < counts.size() && next <= Histogram::bucket_of(bound); ++next)
            seen += counts[next];
        text.sample("request_seconds_bucket",
                    fmt::format("{},le=\"{}\"", labels, static_cast<double>(bound) / k_ns_a_second),
                    seen);
    }
    text.sample("request_seconds_bucket", fmt::format("{},le=\"+Inf\"", labels), times.count());
    text.sample("request_seconds_sum", labels,
                times.mean() * static_cast<double>(times.count()) / k_ns_a_second);
    text.sample("request_seconds_count", labels, times.count());
}

void add_latencies(Text& text, const Latencies& latencies) {
    text.describe("request_seconds", "histogram",
                  "Time of sampled messages from the return of the read (internal: until their "
                  "answers are buffered, total: until they are written)");
    for (std::size_t i = 0; i < k_request_kinds; ++i) {
        const auto request = static_cast<RequestKind>(i);
        for (const std::size_t span : {k_internal_span, k_total_span}) {
            const Histogram& times = latencies.histogram(request, span);
            if (times.count() == 0) continue;
            add_histogram(text,
                          fmt::format("request=\"{}\",span=\"{}\"", name(request), span_name(span)),
                          times);
        }
    }
}

void add_up(Text& text, bool is_healthy) {
    text.one("up", "gauge", "1 while the exchange accepts commands", is_healthy ? 1 : 0);
}

void add_counters(Text& text, const Counters& counters) {
    text.describe("messages_total", "counter", "Accepted client messages");
    for (std::size_t i = 0; i < k_request_kinds; ++i)
        text.sample("messages_total",
                    fmt::format("request=\"{}\"", name(static_cast<RequestKind>(i))),
                    counters.requests[i]);
    text.describe("events_total", "counter", "Events reported by the exchange, two for each trade");
    for (std::size_t i = 1; i < k_event_kinds; ++i)
        text.sample("events_total",
                    fmt::format("event=\"{}\"", k_event_names[static_cast<EventKind>(i)].view()),
                    counters.events[i]);
    text.one("trades_total", "counter", "Trades", counters.trades());
    text.one("traded_quantity_total", "counter", "Sum of the quantities of all trades",
             counters.traded_quantity);
    text.one("connections", "gauge", "Open connections of clients",
             counters.accepted_connections - counters.closed_connections);
    text.one("connections_accepted_total", "counter", "Accepted connections",
             counters.accepted_connections);
    text.one("connections_ended_total", "counter", "Connections closed by the exchange",
             counters.ended_by_exchange);
    text.one("turns_total", "counter", "Turns of the polling thread", counters.turns);
    text.one("busy_turns_total", "counter", "Turns that found a message", counters.busy_turns);
    text.one("reads_total", "counter", "Reads from connections", counters.reads);
    text.one("writes_total", "counter", "Writes to connections", counters.writes);
    text.one("received_bytes_total", "counter", "Bytes read", counters.received_bytes);
    text.one("sent_bytes_total", "counter", "Bytes written", counters.sent_bytes);
    text.one("timed_messages_total", "counter", "Messages with timed stages",
             counters.timed_messages);
}

}  // namespace

std::string up_text(bool is_healthy) {
    Text text;
    add_up(text, is_healthy);
    return text.take();
}

std::string prometheus_text(const MetricsInput& input) {
    Text text;
    text.describe("build_info", "gauge", "Version and compiler, as labels of a constant 1");
    text.sample("build_info", fmt::format("version=\"{}\",compiler=\"{}\"", version(), __VERSION__),
                1);
    add_up(text, input.healthy);
    text.one("uptime_seconds", "gauge", "Time since the start", input.uptime_s);
    add_counters(text, *input.counters);
    text.one("journal_appended_position", "gauge", "Last record of the journal",
             input.journal_appended);
    text.one("journal_kept_position", "gauge", "Last record whose answers may be sent",
             input.journal_kept);
    text.one("journal_synced_position", "gauge", "Last record known to be on disk",
             input.journal_synced);
    text.one("telemetry_lost_records_total", "counter",
             "Records lost because the ring to the collector was full", input.losses->ring_records);
    text.one("telemetry_skipped_rows_total", "counter", "Rows dropped because a log was full",
             input.losses->log_rows);
    text.one("telemetry_unwritten_rows_total", "counter",
             "Rows dropped because a file of the run could not be written",
             input.losses->unwritten_rows);
    text.one("clock_drift_ppm", "gauge",
             "Drift of the stage timing counter against the system clock", input.clock_drift_ppm);
    add_latencies(text, *input.latencies);
    return text.take();
}

}  // namespace damrak::telemetry
