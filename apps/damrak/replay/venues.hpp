// `damrak replay DAY --venue NAME`: the orders of a recorded day by the rules of one or more
// venues, and what differs.
#pragma once

#include <damrak/files/byte_source.hpp>

#include "replay/options.hpp"

namespace damrak::app {

/// `source` is the recording, as it was opened. Returns the exit code.
[[nodiscard]] int replay_by_venues(const ReplayOptions& options, RecordingFormat format,
                                   files::ByteSource source);

}  // namespace damrak::app
