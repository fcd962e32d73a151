// The course of one load run: connect, warm up, measure, tidy up. Blocks; called by the main thread
// of `damrak load`, which gives the clients threads of their own.
#pragma once

#include <expected>
#include <string>

#include "load/options.hpp"

namespace damrak::app {

/// Against the server of the options. `name` is for the progress on a terminal.
[[nodiscard]] std::expected<LoadResult, std::string> run_load(const LoadOptions& options,
                                                              const char* name);
/// The same clients and window against a bare echo of its own process, in a closed loop.
[[nodiscard]] std::expected<LoadResult, std::string> run_echo(LoadOptions options);

}  // namespace damrak::app
