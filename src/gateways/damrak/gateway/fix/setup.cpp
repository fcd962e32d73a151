#include <damrak/gateway/fix/setup.hpp>

#include <cstdint>

namespace damrak::gateway::fix {

FixGatewayConfig fix_config(const GatewayMaking& from) {
    return {.address = from.settings.numeric_address,
            .port = from.settings.port("fix").value_or(0),
            .maximum_connections = from.settings.connections_of("fix", from.settings.connections),
            .on_news = [&notices = from.notices](std::string_view line, bool trouble) {
                notices.tell_line("FIX session", line, trouble);
            }};
}

FixApplicationConfig fix_application_config(const GatewayMaking& from) {
    const Settings& settings = from.settings;
    const auto& fix = settings.of<FixSettings>();
    FixApplicationConfig config{
        .folder = fix_folder(settings),
        .comp_id = fix.comp_id,
        .isins = settings.isins(),
        .maximum_sessions = fix.maximum_sessions,
        .maximum_unknown_sessions = fix.maximum_unknown_sessions,
        .unknown_lifetime_ns = std::int64_t{fix.unknown_session_lifetime_s} * 1'000'000'000,
        .cancel_on_disconnect = fix.cancel_on_disconnect,
        .has_helper = true,
        .on_trouble = [&notices = from.notices](std::string_view line) {
            notices.tell_line("FIX session", line, true);
        }};
    for (const FixSessionSettings& one : fix.sessions) config.sessions.push_back(one.session);
    return config;
}

}  // namespace damrak::gateway::fix
