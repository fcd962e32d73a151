// The gateways and feeds of the standard exchange by name, one line each: the command line, the
// configuration, its checks and its reference are made of this table.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <string_view>

namespace damrak::standard_exchange {

/// A gateway of the exchange: its name, its usual port, what it is.
struct GatewayRow {
    std::string_view name;
    std::uint16_t port = 0;  ///< unless the configuration has another
    std::string_view what;   ///< for the command line and the reference
    bool takes_orders = false;
    bool has_connections = true;  ///< over TCP; false: datagrams
};

/// In the order of reports.
inline constexpr auto k_gateways = std::to_array<GatewayRow>({
    {.name = "binary", .port = 12'345, .what = "the binary protocol", .takes_orders = true},
    {.name = "fix", .port = 9'878, .what = "FIX, all versions", .takes_orders = true},
    {.name = "ouch", .port = 26'400, .what = "OUCH 4.2 and 5.0", .takes_orders = true},
    {.name = "itch", .port = 26'401, .what = "the ITCH feed over SoupBinTCP"},
    {.name = "udp",
     .port = 26'402,
     .what = "orders in UDP datagrams",
     .takes_orders = true,
     .has_connections = false},
    {.name = "mold",
     .port = 26'403,
     .what = "the MoldUDP64 multicast feed, lines A and B",
     .has_connections = false},
    {.name = "retransmit",
     .port = 26'404,
     .what = "MoldUDP64 retransmission requests",
     .has_connections = false},
    {.name = "glimpse", .port = 26'405, .what = "GLIMPSE snapshots, to join the ITCH feed"},
    {.name = "l2", .port = 9'001, .what = "the L2 multicast", .has_connections = false},
    {.name = "http", .port = 8'080, .what = "HTTP: market data, metrics, health"},
});

/// Null if there is none. A program may have gateways of its own, which are not listed.
[[nodiscard]] constexpr const GatewayRow* find_gateway(std::string_view name) {
    const auto* const found = std::ranges::find(k_gateways, name, &GatewayRow::name);
    return found == k_gateways.end() ? nullptr : found;
}

}  // namespace damrak::standard_exchange
