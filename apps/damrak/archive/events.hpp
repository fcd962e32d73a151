// `damrak archive events`, and `info` and `verify` of a file of events.
#pragma once

#include <filesystem>

#include <CLI/CLI.hpp>

#include "cli.hpp"

namespace damrak::app {

/// Events of an exchange, not an archived day.
[[nodiscard]] bool is_event_file(const std::filesystem::path& file);
int show_event_info(const std::filesystem::path& path, bool json);
int verify_events(const std::filesystem::path& path, bool json);
void add_archive_events(CLI::App& archive, Job& job);

}  // namespace damrak::app
