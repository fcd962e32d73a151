// What a gateway of an exchange is made from. Its room has a function that makes its setup, found
// by the type of the gateway:
//
//   auto setup_for(std::type_identity<YourGateway<…>>, const gateway::GatewayMaking& from)
//       -> std::optional<YourGateway<…>::Setup>;         // nothing: the gateway does not exist
//
// At start only.
#pragma once

#include <damrak/gateway/session_notices.hpp>
#include <damrak/gateway/settings.hpp>

namespace damrak::gateway {

struct GatewayMaking {
    const Settings& settings;
    SessionNotices& notices;  ///< they outlive the gateways
};

}  // namespace damrak::gateway
