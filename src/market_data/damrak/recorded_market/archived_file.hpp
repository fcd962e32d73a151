// The archived day of any file that can be imported. At set-up only.
#pragma once

#include <filesystem>

#include <damrak/archive/day.hpp>

namespace damrak::recorded_market {

/// The file itself if its name ends in .dar; of a folder, its only day (archive/day_file.hpp). Any
/// other format is imported into `folder`, unless that was done before: from the same content, by
/// the same version of the archive. `trust_messages` as in archive::Import. The error is one
/// sentence with the file.
[[nodiscard]] archive::Result<std::filesystem::path> archived_file(
    const std::filesystem::path& named, const std::filesystem::path& folder,
    bool trust_messages = false);

}  // namespace damrak::recorded_market
