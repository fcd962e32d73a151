// Which archived day a path means, where a user may name the day itself or a folder that has one:
// that of an exchange, or of a kept run.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include <damrak/archive/day.hpp>

namespace damrak::archive {

/// The path itself, unless it is a folder: then its only day, in it or in `archive` within it. An
/// error is one sentence with the folder.
[[nodiscard]] std::expected<std::filesystem::path, std::string> day_file(
    const std::filesystem::path& path);
/// The same for the events of a day (event_log.hpp).
[[nodiscard]] std::expected<std::filesystem::path, std::string> event_file_of(
    const std::filesystem::path& path);
[[nodiscard]] std::expected<Day, std::string> open_day(const std::filesystem::path& path);

}  // namespace damrak::archive
