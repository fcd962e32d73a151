#include "serve/descriptors.hpp"

#include <algorithm>
#include <cstdint>

#include <damrak/gateway/feeds/feed_server.hpp>
#include <damrak/http/server.hpp>
#include <damrak/net/client_descriptors.hpp>
#include <damrak/standard_exchange/gateway_table.hpp>

#include "say.hpp"

namespace damrak::app {

namespace {

// For what is opened while clients are served: segments of the journal, snapshots, stores of FIX
// sessions, the feed and the archive of the next day, logs. Measured: some 40 with everything open.
constexpr int k_files = 128;
constexpr int k_least_clients = 64;

// What clients can take with these settings.
int client_descriptors_of(const ServeSettings& settings) {
    std::uint64_t all = 0;
    for (const standard_exchange::GatewayRow& row : standard_exchange::k_gateways) {
        if (!row.has_connections || !settings.port(row.name)) continue;
        if (row.takes_orders)
            all += settings.connections;
        else if (row.name == "http")
            all += http::ServerConfig{}.maximum_connections + http::WebSocketConfig{}.maximum;
        else
            all += gateway::feeds::FeedServerConfig{}.maximum_subscribers;
    }
    constexpr std::uint64_t k_most = std::uint64_t{1} << 24U;
    return static_cast<int>(std::clamp<std::uint64_t>(all, k_least_clients, k_most));
}

}  // namespace

std::expected<void, std::string> divide_descriptors(const ServeSettings& settings) {
    return net::divide_descriptors(client_descriptors_of(settings), k_files, k_least_clients);
}

void tell_descriptors(const ServeSettings& settings) {
    const int most = net::client_descriptors().capacity;
    const int wanted = client_descriptors_of(settings);
    if (most < wanted)
        say("note         the limit of open files is {}: at most {} clients at once, where the "
            "settings allow {} (with ulimit -n {})\n",
            most + k_files, most, wanted, wanted + k_files);
}

}  // namespace damrak::app
