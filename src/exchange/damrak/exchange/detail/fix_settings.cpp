#include <damrak/exchange/detail/fix_settings.hpp>

#include <algorithm>
#include <utility>

namespace damrak::exchange {

bool FixSettings::has_drop_copies() const {
    return std::ranges::any_of(sessions,
                               [](const FixSessionSettings& one) { return one.session.drop_copy; });
}

gateway::FixApplicationConfig FixSettings::application(std::filesystem::path folder) const {
    gateway::FixApplicationConfig config{
        .folder = std::move(folder),
        .comp_id = comp_id,
        .maximum_sessions = maximum_sessions,
        .maximum_unknown_sessions = maximum_unknown_sessions,
        .unknown_lifetime_ns = std::int64_t{unknown_session_lifetime_s} * 1'000'000'000,
        .cancel_on_disconnect = cancel_on_disconnect,
        .has_helper = true};
    for (const FixSessionSettings& one : sessions) config.sessions.push_back(one.session);
    return config;
}

}  // namespace damrak::exchange
