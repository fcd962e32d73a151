// `damrak book --live`: the book of a running exchange, as its order-by-order feed tells it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace damrak::app {

struct LiveOptions {
    std::string host = "127.0.0.1";
    std::uint16_t itch_port = 26'401;
    std::uint16_t glimpse_port = 26'405;
    std::string symbol;
    std::size_t depth = 10;  ///< of each side; zero: all
    bool orders = false;
    bool json = false;
};

/// Until it is interrupted: a ladder that is refreshed on a terminal, or one JSON object a change.
/// The exit code.
int show_live(const LiveOptions& options);

}  // namespace damrak::app
