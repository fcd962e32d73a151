// Writes a chart to a file in the format of its extension: `.svg`, or `.png` by the program
// rsvg-convert (Debian: librsvg2-bin), which must then be installed. Called at the end of a run.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

namespace damrak::plot {

/// Checks the name of a picture file. Call it before a run, so that a wrong name does not waste the
/// run.
[[nodiscard]] std::expected<void, std::string> check_picture_name(
    const std::filesystem::path& path);

/// On failure an existing file stays unchanged.
[[nodiscard]] std::expected<void, std::string> write_picture(const std::filesystem::path& path,
                                                             const std::string& svg);

}  // namespace damrak::plot
