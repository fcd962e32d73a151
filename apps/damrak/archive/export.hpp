// `damrak archive export`.
#pragma once

#include <CLI/CLI.hpp>

#include "cli.hpp"

namespace damrak::app {

void add_archive_export(CLI::App& archive, Job& job);

}  // namespace damrak::app
