// Distributions of stage times as JSON, for /timing: of the running exchange, and of its finished
// runs, which keep those of their last hour in latency.json.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/telemetry/collector.hpp>

namespace damrak::app {

inline constexpr std::string_view k_latency_file = "latency.json";

struct LatencyQuery {
    std::int64_t window_s = telemetry::LatencyHistory::k_longest_s;
    // Only rows of these have columns, unless all are empty.
    std::string gateway{};
    std::string stage{};
};

/// `sampled_every` as in the settings; `runs` are named in the answer, for `run` of the next query.
[[nodiscard]] std::string latency_json(const telemetry::Collector& collector,
                                       const LatencyQuery& query, std::uint32_t sampled_every,
                                       const std::vector<std::string>& runs);

/// Names of the runs with a latency.json, newest first. `folder` is DATA/runs.
[[nodiscard]] std::vector<std::string> runs_with_latency(const std::filesystem::path& folder);

}  // namespace damrak::app
