// The directory of one run of the exchange, `DATA/runs/<utc time>-<process>`, and a description of
// the machine. Called at start.
//
//   metadata.json     program, machine, and calibration of the clock
//   configuration.toml    its settings, without keys and passwords
//   throughput.csv    one row per second
//   events/*.csv      the event log, if enabled
//   classic/*         the logs in MiniExchange's format, if enabled
//   timing.json, timing.hlog, hgrm/*.hgrm    stage times, on request and at the end
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>

#include <damrak/telemetry/detail/latencies.hpp>

namespace damrak::telemetry {

/// "20261121T063000Z-4711"; names of later runs sort after it.
[[nodiscard]] std::string run_name(std::int64_t utc_ns, std::int64_t process);

/// Where a run of this process that begins now has its directory.
[[nodiscard]] std::filesystem::path run_directory(const std::filesystem::path& data,
                                                  std::int64_t utc_ns);

/// Creates it, for its owner only.
[[nodiscard]] std::expected<void, std::string> make_run_directory(
    const std::filesystem::path& folder);

/// Removes the oldest run directories other than `current`, so that `keep` remain including it, and
/// returns how many it removed. Other entries stay. Costs a visit of each removed file.
[[nodiscard]] std::expected<std::size_t, std::string> remove_old_runs(
    const std::filesystem::path& current, std::size_t keep);

/// The machine of a run.
struct Machine {
    std::string host;
    std::string system;  ///< kernel and its release
    std::string processor;
    unsigned processors = 0;  ///< available to this process
    std::uint64_t memory_bytes = 0;
};
[[nodiscard]] Machine this_machine();

/// Writes the times of each request and span to timing.hlog, and to one file each in hgrm/, in
/// microseconds.
[[nodiscard]] std::expected<void, std::string> write_histograms(const std::filesystem::path& folder,
                                                                const Latencies& latencies,
                                                                std::int64_t begin_utc_ns,
                                                                std::int64_t end_utc_ns);

/// Replaces the contents of the file.
[[nodiscard]] std::expected<void, std::string> write_text(const std::filesystem::path& path,
                                                          const std::string& text);

}  // namespace damrak::telemetry
