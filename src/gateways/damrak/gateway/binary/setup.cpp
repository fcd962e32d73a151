#include <damrak/gateway/binary/setup.hpp>

#include <cstdint>
#include <string_view>

namespace damrak::gateway::binary {

BinaryGatewayConfig binary_config(const GatewayMaking& from) {
    const Settings& settings = from.settings;
    return {.address = settings.numeric_address,
            .port = settings.port("binary").value_or(0),
            .maximum_connections = settings.connections_of("binary", settings.connections),
            .session_timeout_ns = std::int64_t{settings.session_timeout_s} * 1'000'000'000,
            .rules = {.cancel_on_disconnect = settings.cancel_on_disconnect,
                      .cancel_on_logout = settings.cancel_on_logout,
                      .messages_per_second = settings.messages_per_second,
                      .burst_messages = settings.burst()},
            .on_disconnect = [&notices = from.notices](SessionId id, std::string_view reason) {
                notices.tell(id, reason);
            }};
}

}  // namespace damrak::gateway::binary
