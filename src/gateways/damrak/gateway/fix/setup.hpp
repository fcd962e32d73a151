// Makes the FIX gateway from the settings of its exchange. At start only.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include <damrak/gateway/fix/detail/fix_application_config.hpp>
#include <damrak/gateway/fix/fix_gateway.hpp>
#include <damrak/gateway/fix/settings.hpp>
#include <damrak/gateway/gateway_making.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::gateway::fix {

[[nodiscard]] FixGatewayConfig fix_config(const GatewayMaking& from);
[[nodiscard]] FixApplicationConfig fix_application_config(const GatewayMaking& from);

template <class Network, class Exchange>
auto setup_for(
    std::type_identity<FixGateway<Network, Exchange, session::fix::MessageStore>> /*gateway*/,
    const GatewayMaking& from) {
    using Setup = typename FixGateway<Network, Exchange, session::fix::MessageStore>::Setup;
    const auto stores = std::make_shared<FixStores>(fix_folder(from.settings),
                                                    from.settings.of<FixSettings>().store);
    from.notices.log_to(stores->folder() / "sessions.log");
    return std::optional{Setup{
        .config = fix_config(from),
        .application = fix_application_config(from),
        .storing = {
            .open = [stores](const std::filesystem::path& folder) { return stores->open(folder); },
            .discard =
                [stores](std::unique_ptr<session::fix::MessageStore> store,
                         const std::filesystem::path& folder) {
                    stores->discard(std::move(store), folder);
                }},
        .network = {},
        .open = from.settings.port("fix").has_value(),
        .stores = stores}};
}

}  // namespace damrak::gateway::fix
