// Makes the binary gateway from the settings of its exchange. At start only.
#pragma once

#include <optional>
#include <type_traits>

#include <damrak/gateway/binary/binary_gateway.hpp>
#include <damrak/gateway/gateway_making.hpp>

namespace damrak::gateway::binary {

[[nodiscard]] BinaryGatewayConfig binary_config(const GatewayMaking& from);

template <class Network, class Exchange>
auto setup_for(std::type_identity<BinaryGateway<Network, Exchange>> /*gateway*/,
               const GatewayMaking& from) {
    using Setup = typename BinaryGateway<Network, Exchange>::Setup;
    return std::optional{Setup{.config = binary_config(from),
                               .network = {},
                               .open = from.settings.port("binary").has_value()}};
}

}  // namespace damrak::gateway::binary
