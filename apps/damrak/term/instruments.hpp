// The instruments of an exchange, by name: asked of its HTTP gateway, as the binary protocol has no
// request for them. Blocks for a second at most; when a terminal logs in.
#pragma once

#include <cstdint>
#include <expected>
#include <string>

#include <damrak/client/term_command.hpp>

namespace damrak::app {

/// Symbols of the exchange whose binary gateway is on this port, and of no other exchange that may
/// answer; or why they are unknown.
[[nodiscard]] std::expected<client::Symbols, std::string> ask_instruments(
    const std::string& host, std::uint16_t http_port, std::uint16_t binary_port);

}  // namespace damrak::app
