// Makes the gateways of an exchange from its settings: one function per gateway, selected by the
// gateway's type. A gateway that is not on the standard list provides its own in its own namespace.
// At start only.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>

#include <damrak/exchange/detail/fix_stores.hpp>
#include <damrak/exchange/detail/gateway_list.hpp>
#include <damrak/exchange/detail/session_notices.hpp>
#include <damrak/exchange/detail/udp.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

/// What gateways are made from. Notices and stores outlive the gateways.
struct GatewayMaking {
    const Settings& settings;
    SessionNotices& notices;
    FixStores& stores;
};

[[nodiscard]] gateway::BinaryGatewayConfig binary_config(const GatewayMaking& from);
[[nodiscard]] gateway::FixGatewayConfig fix_config(const GatewayMaking& from);
[[nodiscard]] gateway::FixApplicationConfig fix_application_config(const GatewayMaking& from);

[[nodiscard]] gateway::OuchGatewayConfig ouch_config(const GatewayMaking& from);

/// Returns nothing if the gateway does not exist at all.
template <class Network, class Exchange>
auto setup_for(std::type_identity<gateway::BinaryGateway<Network, Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename gateway::BinaryGateway<Network, Exchange>::Setup;
    return std::optional{Setup{.config = binary_config(from),
                               .network = {},
                               .open = from.settings.port("binary").has_value()}};
}

template <class Network, class Exchange>
auto setup_for(std::type_identity<
                   gateway::FixGateway<Network, Exchange, session::fix::MessageStore>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup =
        typename gateway::FixGateway<Network, Exchange, session::fix::MessageStore>::Setup;
    FixStores& stores = from.stores;
    return std::optional{Setup{
        .config = fix_config(from),
        .application = fix_application_config(from),
        .storing = {
            .open = [&stores](const std::filesystem::path& folder) { return stores.open(folder); },
            .discard =
                [&stores](std::unique_ptr<session::fix::MessageStore> store,
                          const std::filesystem::path& folder) {
                    stores.discard(std::move(store), folder);
                }},
        .network = {},
        .open = from.settings.port("fix").has_value()}};
}

template <class Clock, class Exchange>
auto setup_for(std::type_identity<gateway::UdpGateway<net::AnyPath, Clock, Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename gateway::UdpGateway<net::AnyPath, Clock, Exchange>::Setup;
    std::optional<Setup> setup;
    if (from.settings.port("udp"))
        setup.emplace(
            Setup{.config = udp_config(from.settings),
                  .open_path = [settings = from.settings] { return open_udp_path(settings); },
                  .clock = {}});
    return setup;
}

template <class Network, class Exchange>
auto setup_for(std::type_identity<gateway::OuchGateway<Network, Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename gateway::OuchGateway<Network, Exchange>::Setup;
    return std::optional{Setup{.config = ouch_config(from),
                               .network = {},
                               .open = from.settings.port("ouch").has_value()}};
}

template <class Exchange>
auto setup_for(std::type_identity<recorded_market::ReplayGateway<Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename recorded_market::ReplayGateway<Exchange>::Setup;
    std::optional<Setup> setup;
    if (from.settings.replayed) setup.emplace(Setup{.day = from.settings.replayed});
    return setup;
}

}  // namespace damrak::exchange
