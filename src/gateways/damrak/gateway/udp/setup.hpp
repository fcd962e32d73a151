// Makes the UDP gateway from the settings of its exchange, and its datagram path. At start only.
#pragma once

#include <expected>
#include <optional>
#include <string>
#include <type_traits>

#include <damrak/gateway/gateway_making.hpp>
#include <damrak/gateway/udp/detail/settings.hpp>
#include <damrak/gateway/udp/udp_gateway.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/datagram_path.hpp>

namespace damrak::gateway::udp {

/// "9001", a port at the sender's own address, or "10.0.0.2:9001".
[[nodiscard]] std::optional<net::Endpoint> reply_end(const std::string& text);
inline constexpr const char* k_reply_end_wanted =
    "a port, or an IPv4 address and a port, such as \"9001\" or \"10.0.0.2:9001\"";

[[nodiscard]] UdpGatewayConfig udp_config(const Settings& settings);

/// On the configured interface, or else on the address of the gateways.
[[nodiscard]] std::expected<net::AnyPath, std::string> open_udp_path(const Settings& settings);

/// Nothing if it is closed.
template <class Clock, class Exchange>
auto setup_for(std::type_identity<UdpGateway<net::AnyPath, Clock, Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename UdpGateway<net::AnyPath, Clock, Exchange>::Setup;
    std::optional<Setup> setup;
    if (from.settings.port("udp"))
        setup.emplace(
            Setup{.config = udp_config(from.settings),
                  .open_path = [settings = from.settings] { return open_udp_path(settings); },
                  .clock = {},
                  .on_notice = from.settings.on_notice,
                  .interface = from.settings.of<UdpSettings>().interface});
    return setup;
}

}  // namespace damrak::gateway::udp
