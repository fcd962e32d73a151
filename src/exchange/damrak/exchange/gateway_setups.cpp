#include <damrak/exchange/gateway_setups.hpp>

#include <cstdint>

namespace damrak::exchange {

gateway::BinaryGatewayConfig binary_config(const GatewayMaking& from) {
    const Settings& settings = from.settings;
    return {.address = settings.numeric_address,
            .port = settings.port("binary").value_or(0),
            .maximum_connections = settings.connections,
            .session_timeout_ns = std::int64_t{settings.session_timeout_s} * 1'000'000'000,
            .rules = {.cancel_on_disconnect = settings.cancel_on_disconnect,
                      .cancel_on_logout = settings.cancel_on_logout,
                      .messages_per_second = settings.messages_per_second,
                      .burst_messages = settings.burst_messages == 0 ? settings.messages_per_second
                                                                     : settings.burst_messages},
            .on_disconnect = [&notices = from.notices](SessionId id, std::string_view reason) {
                notices.tell(id, reason);
            }};
}

gateway::FixGatewayConfig fix_config(const GatewayMaking& from) {
    return {.address = from.settings.numeric_address,
            .port = from.settings.port("fix").value_or(0),
            .on_news = [&notices = from.notices](std::string_view line, bool trouble) {
                notices.tell_fix(line, trouble);
            }};
}

gateway::FixApplicationConfig fix_application_config(const GatewayMaking& from) {
    gateway::FixApplicationConfig config =
        from.settings.fix.application(from.settings.fix_folder());
    config.isins = from.settings.isins();
    return config;
}

gateway::OuchGatewayConfig ouch_config(const GatewayMaking& from) {
    const Settings& settings = from.settings;
    gateway::OuchGatewayConfig config{
        .address = settings.numeric_address,
        .port = settings.port("ouch").value_or(0),
        .maximum_connections = settings.connections,
        .version = static_cast<session::ouch::Version>(settings.ouch_version),
        .most_message_bytes = std::uint64_t{settings.ouch_messages_mib} << 20U,
        .cancel_on_disconnect = settings.cancel_on_disconnect,
        .cancel_on_logout = settings.cancel_on_logout,
        .messages_per_second = settings.messages_per_second,
        .burst_messages =
            settings.burst_messages == 0 ? settings.messages_per_second : settings.burst_messages};
    if (const auto calendar = TradingCalendar::make(settings.day))
        config.midnight_before = [calendar = *calendar](Timestamp time) {
            return calendar.midnight_before(time);
        };
    return config;
}

}  // namespace damrak::exchange
