// `damrak load --gateway udp`: its options, and the run with its report. Called by load.cpp.
#pragma once

#include <CLI/CLI.hpp>

#include "load/options.hpp"

namespace damrak::app {

void add_udp_options(CLI::App& command, LoadOptions& options);

/// The exit code.
[[nodiscard]] int run_udp_load(const LoadOptions& options);

}  // namespace damrak::app
