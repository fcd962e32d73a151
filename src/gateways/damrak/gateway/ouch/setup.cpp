#include <damrak/gateway/ouch/setup.hpp>

#include <cstdint>
#include <string_view>
#include <utility>

#include <damrak/base/local_days.hpp>
#include <damrak/gateway/ouch/settings.hpp>

namespace damrak::gateway::ouch {

OuchGatewayConfig ouch_config(const GatewayMaking& from) {
    const Settings& settings = from.settings;
    const auto& ouch = settings.of<OuchSettings>();
    OuchGatewayConfig config{
        .address = settings.numeric_address,
        .port = settings.port("ouch").value_or(0),
        .maximum_connections = settings.connections_of("ouch", settings.connections),
        .version = static_cast<session::ouch::Version>(ouch.version),
        .most_message_bytes = ouch.message_bytes(),
        .self_trade_prevention = ouch.self_trade_prevention,
        .cancel_on_disconnect = settings.cancel_on_disconnect,
        .cancel_on_logout = settings.cancel_on_logout,
        .messages_per_second = settings.messages_per_second,
        .burst_messages = settings.burst(),
        .on_end = [&notices = from.notices](std::string_view line) {
            notices.tell_line("OUCH client", line, true);
        }};
    if (auto days = LocalDays::make(settings.day.zone))
        config.midnight_before = [days = *std::move(days)](Timestamp time) {
            return Timestamp{days.at(days.day_of(time.value), 0)};
        };
    return config;
}

}  // namespace damrak::gateway::ouch
