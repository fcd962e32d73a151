// The consumer of telemetry: takes records from a probe's ring, aggregates latencies and writes the
// logs. An agent on its own thread, so that the trading thread never touches a file or a histogram.
// It polls its ring and is never woken.
//
// do_work() and close() are for its thread; const members for any other.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <damrak/telemetry/detail/classic_logs.hpp>
#include <damrak/telemetry/detail/file_set.hpp>
#include <damrak/telemetry/detail/latencies.hpp>
#include <damrak/telemetry/detail/latency_history.hpp>
#include <damrak/telemetry/detail/throughput.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::telemetry {

struct CollectorConfig {
    std::filesystem::path folder{};  ///< directory of the run
    bool event_log = false;
    bool classic_logs = false;
    std::uint64_t maximum_log_bytes = std::uint64_t{4} << 30U;  ///< for each of the two logs
};

class Collector {
  public:
    using EventLog = FileSet<Opened, Closed, Request, Refusal, GoodTill, Write, OrderFate, Trade>;

    /// Records missing in the logs.
    struct Losses {
        std::uint64_t ring_records = 0;    ///< the collector was too slow
        std::uint64_t log_rows = 0;        ///< a log reached its maximum size
        std::uint64_t unwritten_rows = 0;  ///< a file could not be opened or written
        std::string error{};               ///< the first file error; empty: none
        [[nodiscard]] bool any() const {
            return ring_records + log_rows + unwritten_rows > 0 || !error.empty();
        }
    };

    /// `probe` must be started. `probe` and `clock` must outlive the collector. Files that cannot
    /// be made are among the losses.
    Collector(const CollectorConfig& config, Probe& probe, const CycleClock& clock);

    /// Processes the records in the ring, and publishes files and statistics once a second.
    std::size_t do_work(std::int64_t now_utc_ns);
    /// Processes the remaining records and writes everything out.
    void close(std::int64_t now_utc_ns);

    /// Calls `see` with the latencies, which do not change meanwhile.
    void with_latencies(auto&& see) const {
        const std::scoped_lock lock{mutex_};
        see(latencies_);
    }
    [[nodiscard]] std::vector<TimingRow> timing_rows() const;
    /// Of the last `window_s` seconds.
    [[nodiscard]] std::vector<LatencyColumn> latency_columns(std::int64_t window_s) const;
    [[nodiscard]] Losses losses() const;

  private:
    std::size_t drain(std::int64_t now_utc_ns);
    template <class Record>
    void take(const Record& record);
    void flush(std::int64_t now_utc_ns);

    Probe* probe_;
    const CycleClock* clock_;
    std::int64_t next_flush_ns_ = 0;
    mutable std::mutex mutex_;  ///< protects the members below
    ThroughputLog throughput_;
    Latencies latencies_;
    LatencyHistory latency_history_;
    std::optional<EventLog> event_log_;
    std::optional<ClassicLogs> classic_logs_;
};

}  // namespace damrak::telemetry
