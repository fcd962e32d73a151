#include "serve/descriptors.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

#include <fmt/format.h>

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
// What is open before the first client comes. Measured: 31 with all gateways.
constexpr int k_before = 40;
constexpr int k_least_clients = 24;

struct Wish {
    std::string_view gateway;
    std::uint32_t connections = 0;
};

// What clients can take with these settings.
std::vector<Wish> wishes_of(const ServeSettings& settings) {
    std::vector<Wish> all;
    for (const standard_exchange::GatewayRow& row : standard_exchange::k_gateways) {
        if (!row.has_connections || !settings.port(row.name)) continue;
        if (row.name == "http") {
            all.push_back({"http", http::k_connections});
            all.push_back({"web_sockets", http::k_web_sockets});
        } else {
            all.push_back({row.name, row.takes_orders
                                         ? settings.connections
                                         : gateway::feeds::FeedServerConfig::k_subscribers});
        }
    }
    return all;
}

int sum_of(const std::vector<Wish>& wishes) {
    constexpr std::uint64_t k_most = std::uint64_t{1} << 24U;
    std::uint64_t all = 0;
    for (const Wish& one : wishes) all += one.connections;
    return static_cast<int>(std::clamp<std::uint64_t>(all, k_least_clients, k_most));
}

// Those that want least first: what one does not want is for the others.
void share(std::vector<Wish> wishes, std::uint32_t places, ServeSettings& settings) {
    std::ranges::sort(wishes, {}, &Wish::connections);
    for (std::size_t left = wishes.size(); const Wish& one : wishes) {
        const std::uint32_t part =
            std::min(one.connections, places / static_cast<std::uint32_t>(left--));
        places -= part;
        settings.fewer_connections[std::string{one.gateway}] = std::max(part, 1U);
    }
}

}  // namespace

std::expected<void, std::string> divide_descriptors(ServeSettings& settings) {
    const std::vector<Wish> wishes = wishes_of(settings);
    const int wanted = sum_of(wishes) + k_before;
    if (auto divided = net::divide_descriptors(wanted, k_files, k_least_clients + k_before);
        !divided)
        return divided;
    if (const int most = net::client_descriptors().capacity; most < wanted)
        share(wishes, static_cast<std::uint32_t>(most - k_before), settings);
    return {};
}

void tell_descriptors(const ServeSettings& settings) {
    const int most = net::client_descriptors().capacity - k_before;
    const int wanted = sum_of(wishes_of(settings));
    if (most >= wanted) return;
    std::string parts;
    for (const auto& [gateway, connections] : settings.fewer_connections)
        parts += fmt::format("{}{} {}", parts.empty() ? "" : ", ", gateway, connections);
    say("note         the limit of open files is {}: at most {} clients at once ({}), where the "
        "settings allow {} (with ulimit -n {})\n",
        most + k_before + k_files, most, parts, wanted, wanted + k_before + k_files);
}

}  // namespace damrak::app
