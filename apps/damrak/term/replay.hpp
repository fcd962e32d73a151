// A replayed day of an exchange, asked of its HTTP port. Blocks for a second at most.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

namespace damrak::app {

/// How far the day is and how it differs from its recording, in lines; after `control`, an object
/// of JSON, is done, if it is not empty.
[[nodiscard]] std::expected<std::vector<std::string>, std::string> ask_replay(
    const std::string& host, std::uint16_t http_port, const std::string& control);

}  // namespace damrak::app
