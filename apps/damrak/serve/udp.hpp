// The UDP door of `damrak serve`: its section of the configuration, its settings as the library
// wants them, and the path of its datagrams. At start only.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include <damrak/net/any_path.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/udp_gateway/settings.hpp>

#include "serve/config_reader.hpp"
#include "serve/settings.hpp"

namespace damrak::app {

/// The section [udp].
void read_udp(ConfigTable& root, UdpSettings& settings);
[[nodiscard]] std::string udp_text(const UdpSettings& settings);

/// "9001", a port at the sender's own address, or "10.0.0.2:9001".
[[nodiscard]] std::optional<net::Endpoint> reply_end(const std::string& text);
inline constexpr const char* k_reply_end_wanted =
    "a port, or an IPv4 address and a port, such as \"9001\" or \"10.0.0.2:9001\"";

[[nodiscard]] gateway::UdpGatewayConfig udp_config(const ServeSettings& settings);

/// On the interface if there is one, else on the address of the doors.
[[nodiscard]] std::expected<net::AnyPath, std::string> open_udp_path(const ServeSettings& settings);

}  // namespace damrak::app
