// A run of the exchange as it was left in its directory: what `damrak report` reads. All files of
// it but metadata.json may be missing, as those of a run that was killed are.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace damrak::app {

/// A row of throughput.csv, as rates.
struct RunSecond {
    std::int64_t time_ns = 0;  ///< the end of the interval, since the Unix epoch
    double messages_per_s = 0;
    double trades_per_s = 0;
    double sent_bytes_per_s = 0;
    double connections = 0;
    double messages = 0;
    double trades = 0;
    double lost_records = 0;
};

/// A line of a percentile distribution.
struct RunPercentile {
    double value_us = 0;
    double fraction = 0;
};

struct RunDistribution {
    std::string request;
    std::string span;
    std::vector<RunPercentile> percentiles{};
};

struct RunRecord {
    std::filesystem::path folder;
    nlohmann::ordered_json metadata;
    nlohmann::ordered_json timing{};  ///< null if nothing was timed
    std::vector<RunSecond> seconds{};
    std::vector<RunDistribution> distributions{};
};

/// `directory` is that of a run, or one that has runs in it: then the newest.
[[nodiscard]] std::expected<RunRecord, std::string> read_run(
    const std::filesystem::path& directory);

}  // namespace damrak::app
