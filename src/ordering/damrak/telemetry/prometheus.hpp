// The state of the exchange for Prometheus (text exposition format 0.0.4). Called by the HTTP
// thread; costs one pass over the histograms.
#pragma once

#include <cstdint>
#include <string>

#include <damrak/telemetry/collector.hpp>
#include <damrak/telemetry/detail/counters.hpp>
#include <damrak/telemetry/detail/latencies.hpp>

namespace damrak::telemetry {

/// What the metrics are made of.
struct MetricsInput {
    const Counters* counters = nullptr;
    const Latencies* latencies = nullptr;
    const Collector::Losses* losses = nullptr;
    std::uint64_t journal_appended = 0;
    std::uint64_t journal_kept = 0;
    std::uint64_t journal_synced = 0;
    bool healthy = false;
    double uptime_s = 0;
    double clock_drift_ppm = 0;
};

/// The part that anybody may see.
[[nodiscard]] std::string up_text(bool is_healthy);
[[nodiscard]] std::string prometheus_text(const MetricsInput& input);

}  // namespace damrak::telemetry
