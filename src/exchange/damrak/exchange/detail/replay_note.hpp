// replay.txt in the data directory of a replayed day: the day, and the time of a seek.
//
//   replayed/AAPL.csv.dar        the day
//   from 37800000000000          nanoseconds since midnight; only after a seek
//   seeking                      only while the market before the seek is being removed
//
// Read and written at set-up. A write replaces the file as a whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include <damrak/journal/file_system.hpp>

namespace damrak::exchange {

struct ReplayNote {
    std::string file;
    std::optional<std::int64_t> from_ns;
    bool seeking = false;

    /// Empty if the data directory does not belong to a replayed day.
    [[nodiscard]] static journal::Result<std::optional<ReplayNote>> read(
        const std::filesystem::path& data);
    [[nodiscard]] journal::Result<void> write(const std::filesystem::path& data) const;
};

}  // namespace damrak::exchange
