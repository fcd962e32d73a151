// `damrak archive events`.
#pragma once

#include <CLI/CLI.hpp>

#include "cli.hpp"

namespace damrak::app {

void add_archive_events(CLI::App& archive, Job& job);

}  // namespace damrak::app
