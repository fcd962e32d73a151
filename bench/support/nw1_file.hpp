// Reads a stream of NW-1 records from its file, checking every field before any clock starts.
#pragma once

#include <expected>
#include <filesystem>
#include <string>

#include "support/message.hpp"

namespace damrak::bench {

// Any number of records with at least one to be timed. Timing starts at the first record of phase
// 1; a later record of phase 0 is timed with the rest. The error names the file, and the record and
// byte offset where the file stops being a stream.
[[nodiscard]] std::expected<MessageStream, std::string> load_nw1_file(
    const std::filesystem::path& path);

}  // namespace damrak::bench
