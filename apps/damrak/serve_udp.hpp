// The UDP door of `damrak serve`: its section of the configuration, its settings as the library
// wants them, and the path of its datagrams. At start only.
#pragma once

#include <expected>
#include <string>

#include <damrak/gateway/udp_settings.hpp>
#include <damrak/net/any_path.hpp>

#include "serve_config_reader.hpp"
#include "serve_settings.hpp"

namespace damrak::app {

/// The section [udp].
void read_udp(ConfigTable& root, UdpSettings& settings);
[[nodiscard]] std::string udp_text(const UdpSettings& settings);

[[nodiscard]] gateway::UdpGatewayConfig udp_config(const ServeSettings& settings);

/// On the interface if there is one, else on the address of the doors.
[[nodiscard]] std::expected<net::AnyPath, std::string> open_udp_path(const ServeSettings& settings);

}  // namespace damrak::app
