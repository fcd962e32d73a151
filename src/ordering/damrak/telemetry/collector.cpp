#include <damrak/telemetry/collector.hpp>

#include <algorithm>
#include <type_traits>

#include <damrak/base/time_units.hpp>

namespace damrak::telemetry {

Collector::Collector(const CollectorConfig& config, Probe& probe, const CycleClock& clock)
    : probe_(&probe), clock_(&clock), throughput_(config.folder) {
    if (config.event_log) event_log_.emplace(config.folder / "events", config.maximum_log_bytes);
    if (config.classic_logs)
        classic_logs_.emplace(config.folder / "classic", config.maximum_log_bytes, clock);
}

template <class Record>
void Collector::take(const Record& record) {
    if constexpr (std::is_same_v<Record, Timing>) {
        latencies_.record(record, *clock_);
        latency_history_.record(record, *clock_);
    } else if (event_log_) {
        event_log_->add(record);
    }
    if (classic_logs_) classic_logs_->add(record);
}

std::size_t Collector::drain(std::int64_t now_utc_ns) {
    Ring* const ring = probe_->ring();
    if (ring == nullptr) return 0;
    // In batches, so that a reader of the latencies does not wait long.
    constexpr std::size_t k_batch = 4'096;
    const auto readable = ring->front();
    const auto batch = readable.first(std::min(readable.size(), k_batch));
    {
        const std::scoped_lock lock{mutex_};
        latency_history_.advance(now_utc_ns / k_second_ns);
        for (const Slot& slot : batch) {
            if (classic_logs_) classic_logs_->made_at(slot.ticks());
            slot.visit([this](const auto& record) { take(record); });
        }
    }
    ring->release(batch.size());
    return batch.size();
}

std::size_t Collector::do_work(std::int64_t now_utc_ns) {
    std::size_t taken = 0;
    // At most one ring's length: other agents of the thread must not starve.
    const std::size_t most = probe_->ring() == nullptr ? 0 : probe_->ring()->capacity();
    for (std::size_t now = drain(now_utc_ns); now > 0 && (taken += now) < most;)
        now = drain(now_utc_ns);
    if (now_utc_ns >= next_flush_ns_) flush(now_utc_ns);
    return taken;
}

void Collector::flush(std::int64_t now_utc_ns) {
    next_flush_ns_ = now_utc_ns + k_second_ns;
    const std::scoped_lock lock{mutex_};
    throughput_.add(now_utc_ns, probe_->published());
    if (event_log_) event_log_->flush();
    if (classic_logs_) classic_logs_->files().flush();
}

void Collector::close(std::int64_t now_utc_ns) {
    while (drain(now_utc_ns) > 0) continue;
    flush(now_utc_ns);
}

std::vector<TimingRow> Collector::timing_rows() const {
    const std::scoped_lock lock{mutex_};
    return latencies_.rows();
}

std::vector<LatencyColumn> Collector::latency_columns(std::int64_t window_s) const {
    const std::scoped_lock lock{mutex_};
    return latency_history_.columns(window_s);
}

Collector::Losses Collector::losses() const {
    Losses losses{.ring_records = probe_->published().lost_records};
    const std::scoped_lock lock{mutex_};
    const auto see = [&losses](const auto& files) {
        losses.unwritten_rows += files.lost_rows();
        if (losses.error.empty()) losses.error = files.error();
    };
    const auto see_log = [&](const auto& files) {
        losses.log_rows += files.skipped_rows();
        see(files);
    };
    see(throughput_.file());
    if (event_log_) see_log(*event_log_);
    if (classic_logs_) see_log(classic_logs_->files());
    return losses;
}

}  // namespace damrak::telemetry
