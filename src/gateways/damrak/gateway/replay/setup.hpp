// Makes the gateway of a replayed day from the settings of its exchange. At start only.
#pragma once

#include <optional>
#include <type_traits>

#include <damrak/gateway/gateway_making.hpp>
#include <damrak/gateway/replay/detail/replay_gateway.hpp>

namespace damrak::gateway::replay {

/// Nothing if no day is replayed.
template <class Exchange>
auto setup_for(std::type_identity<ReplayGateway<Exchange>> /*gateway*/, const GatewayMaking& from) {
    using Setup = typename ReplayGateway<Exchange>::Setup;
    std::optional<Setup> setup;
    if (from.settings.replayed) setup.emplace(Setup{.day = from.settings.replayed});
    return setup;
}

}  // namespace damrak::gateway::replay
