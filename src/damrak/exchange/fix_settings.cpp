#include <damrak/exchange/fix_settings.hpp>

#include <algorithm>
#include <tuple>
#include <utility>

namespace damrak::exchange {

namespace {

using session::fix::SessionSettings;

auto identity(const SessionSettings& s) {
    return std::tie(s.name, s.user_name, s.password, s.drop_copy, s.copied_participants);
}

auto sequence_rules(const SessionSettings& s) {
    return std::tie(s.reset_on_logon, s.reset_on_logout, s.reset_on_disconnect, s.next_expected,
                    s.logon_timeout_s, s.logout_timeout_s, s.resend_request_messages,
                    s.resend_batch_messages);
}

auto message_rules(const SessionSettings& s) {
    return std::tie(s.check_sending_time, s.sending_time_accuracy_s, s.check_comp_ids, s.validate,
                    s.rules.user_defined_fields, s.rules.allow_unknown_fields, s.rules.order,
                    s.rules.values, s.rules.group_order, s.time_precision);
}

auto bounds(const SessionSettings& s) {
    return std::tie(s.messages_per_second, s.burst_messages, s.on_throttle, s.maximum_message_bytes,
                    s.early_bytes);
}

bool same_session(const FixSessionSettings& a, const FixSessionSettings& b) {
    return std::tie(a.participant, a.dictionary, a.schedule, a.time_zone) ==
               std::tie(b.participant, b.dictionary, b.schedule, b.time_zone) &&
           identity(a.session) == identity(b.session) &&
           sequence_rules(a.session) == sequence_rules(b.session) &&
           message_rules(a.session) == message_rules(b.session) &&
           bounds(a.session) == bounds(b.session);
}

}  // namespace

bool FixSettings::same_as(const FixSettings& other) const {
    const auto values = [](const FixSettings& s) {
        return std::tie(s.comp_id, s.cancel_on_disconnect, s.maximum_sessions,
                        s.maximum_unknown_sessions, s.unknown_session_lifetime_s, s.tls,
                        s.store.file_bytes, s.store.retained_bytes);
    };
    return values(*this) == values(other) &&
           std::ranges::equal(sessions, other.sessions, same_session);
}

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
