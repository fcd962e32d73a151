// Stage times of timed messages as histograms, by kind of request and stage. For the collector's
// thread; a message costs one increment per stage, a table one pass over the buckets.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/cycle_clock.hpp>
#include <damrak/base/histogram.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::telemetry {

/// The stages, then two sums: from the return of the read until the answers are buffered
/// ("internal"), and until they are written ("total").
inline constexpr std::size_t k_spans = k_stages + 2;
inline constexpr std::size_t k_internal_span = k_stages;
inline constexpr std::size_t k_total_span = k_stages + 1;
[[nodiscard]] std::string_view span_name(std::size_t span);

/// Calls `see(span, nanoseconds)` for each span of a message; an answer that was not written has
/// neither the time of writing nor a total.
void each_span(const Timing& timing, const CycleClock& clock, auto&& see) {
    const bool is_written = timing.written != 0;
    for (std::size_t i = 0; i < (is_written ? k_stages : k_stages - 1); ++i)
        see(i, clock.to_ns(timing.times.spent_ticks[i]));
    see(k_internal_span, clock.to_ns(timing.times.through(Stage::buffer)));
    if (is_written) see(k_total_span, clock.to_ns(timing.times.through(Stage::write)));
}

/// One line of the classic table.
struct TimingRow {
    std::string_view request;
    std::string_view span;
    std::uint64_t count = 0;
    double mean_ns = 0;
    double stddev_ns = 0;
    std::uint64_t min_ns = 0;
    std::array<std::uint64_t, 9> percentiles_ns{};
    std::uint64_t max_ns = 0;

    static constexpr std::array<double, 9> k_percents{5, 25, 50, 75, 90, 95, 99, 99.9, 99.99};
    static constexpr std::array<std::string_view, 9> k_percent_names{
        "p5", "p25", "p50", "p75", "p90", "p95", "p99", "p99_9", "p99_99"};

    void fields(auto&& see) const {
        see("request", request);
        see("span", span);
        see("count", count);
        see("mean", mean_ns);
        see("stddev", stddev_ns);
        see("min", min_ns);
        for (std::size_t i = 0; i < k_percents.size(); ++i)
            see(k_percent_names[i], percentiles_ns[i]);
        see("max", max_ns);
    }
};

class Latencies {
  public:
    Latencies() : histograms_(k_request_kinds * k_spans) {}

    void record(const Timing& timing, const CycleClock& clock);

    /// Nanoseconds.
    [[nodiscard]] const Histogram& histogram(RequestKind request, std::size_t span) const {
        return histograms_[static_cast<std::size_t>(request) * k_spans + span];
    }
    /// One row per span for each kind of request received.
    [[nodiscard]] std::vector<TimingRow> rows() const;

  private:
    std::vector<Histogram> histograms_;
};

/// The rows as a printable table, in microseconds.
[[nodiscard]] std::string timing_table(const std::vector<TimingRow>& rows);

}  // namespace damrak::telemetry
