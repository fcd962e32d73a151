// Makes the OUCH gateway from the settings of its exchange. At start only.
#pragma once

#include <optional>
#include <type_traits>

#include <damrak/gateway/gateway_making.hpp>
#include <damrak/gateway/ouch/detail/ouch_gateway.hpp>

namespace damrak::gateway::ouch {

[[nodiscard]] OuchGatewayConfig ouch_config(const GatewayMaking& from);

template <class Network, class Exchange>
auto setup_for(std::type_identity<OuchGateway<Network, Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename OuchGateway<Network, Exchange>::Setup;
    return std::optional{Setup{.config = ouch_config(from),
                               .network = {},
                               .open = from.settings.port("ouch").has_value()}};
}

}  // namespace damrak::gateway::ouch
