// The settings of the UDP gateway in the form of its gateway, and its datagram path. At start only.
#pragma once

#include <expected>
#include <optional>
#include <string>

#include <damrak/exchange/settings.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/datagram_path.hpp>
#include <damrak/udp_gateway/settings.hpp>

namespace damrak::exchange {

/// "9001", a port at the sender's own address, or "10.0.0.2:9001".
[[nodiscard]] std::optional<net::Endpoint> reply_end(const std::string& text);
inline constexpr const char* k_reply_end_wanted =
    "a port, or an IPv4 address and a port, such as \"9001\" or \"10.0.0.2:9001\"";

[[nodiscard]] gateway::UdpGatewayConfig udp_config(const Settings& settings);

/// On the configured interface, or else on the address of the gateways.
[[nodiscard]] std::expected<net::AnyPath, std::string> open_udp_path(const Settings& settings);

}  // namespace damrak::exchange
