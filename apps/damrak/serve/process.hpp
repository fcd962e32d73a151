// The process of `damrak serve`: what it is asked by signals, and what it asks of the system.
#pragma once

namespace damrak::app {

/// SIGTERM and SIGINT ask to stop, SIGHUP to reload; SIGPIPE is ignored. Once, before any thread
/// is started.
void handle_signals();
/// Whether a stop was requested. A relaxed load, cheap enough for every turn of a loop.
[[nodiscard]] bool stop_asked();
/// Somebody asked to reload since this was asked last. A relaxed load if not.
[[nodiscard]] bool reload_asked();

/// From now on other users cannot read the files that are made: they have everybody's orders.
void keep_files_private();

}  // namespace damrak::app
