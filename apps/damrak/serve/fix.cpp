#include "serve/fix.hpp"

#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/session/fix/directory.hpp>
#include <damrak/wire/fix/versions.hpp>

#include "serve/config.hpp"
#include "serve/config_reader.hpp"

namespace damrak::app {

namespace {

using session::fix::SessionSettings;
using wire::fix::BeginString;

// In steps of three digits, as wire::fix::TimePrecision counts them.
constexpr std::array<std::string_view, 4> k_precisions{"seconds", "milliseconds", "microseconds",
                                                       "nanoseconds"};
constexpr std::array<std::string_view, 3> k_throttles{"wait", "reject", "disconnect"};
constexpr std::string_view k_any_version = "*";

std::string_view version_text(BeginString version) {
    return version == BeginString::unknown ? k_any_version : wire::fix::text(version);
}

void read_version(ConfigTable& table, SessionSettings& session) {
    std::string text{version_text(session.name.begin_string)};
    table.text("begin_string", text);
    session.name.begin_string = wire::fix::parse_begin_string(text);
    if (session.name.begin_string == BeginString::unknown && text != k_any_version)
        table.refuse("begin_string", "expected FIX.4.0 to FIX.4.4, FIXT.1.1 or *, which is any");
}

void read_strictness(ConfigTable& table, SessionSettings& session) {
    table.flag("check_sending_time", session.check_sending_time);
    table.integer("sending_time_accuracy_s", session.sending_time_accuracy_s);
    table.flag("check_comp_ids", session.check_comp_ids);
    table.flag("validate", session.validate);
    table.flag("user_defined_fields", session.rules.user_defined_fields);
    table.flag("allow_unknown_fields", session.rules.allow_unknown_fields);
    table.flag("fields_in_order", session.rules.order);
    table.flag("fields_have_values", session.rules.values);
    table.flag("group_order", session.rules.group_order);
}

void read_dictionary(ConfigTable& table, FixSettings& settings, FixSessionSettings& session) {
    table.text("dictionary", session.dictionary);
    if (session.dictionary.empty()) return;
    std::ifstream file{session.dictionary};
    const std::string xml{std::istreambuf_iterator<char>{file}, {}};
    if (!file.is_open()) return table.refuse("dictionary", "there is no such file");
    auto loaded =
        session.session.name.begin_string == BeginString::fixt11
            ? wire::fix::Dictionary::load(xml, wire::fix::Dictionary::of(BeginString::fixt11))
            : wire::fix::Dictionary::load(xml);
    if (!loaded) return table.refuse("dictionary", loaded.error());
    settings.dictionaries.push_back(
        std::make_shared<const wire::fix::Dictionary>(*std::move(loaded)));
    session.session.dictionary = settings.dictionaries.back().get();
}

void read_schedule(ConfigTable& table, FixSessionSettings& one) {
    table.text("schedule", one.schedule);
    table.text("time_zone", one.time_zone);
    const auto schedule = session::fix::Schedule::parse(one.schedule);
    if (!schedule) return table.refuse("schedule", schedule.error());
    one.session.schedule = *schedule;
    if (one.time_zone.empty()) return;
    auto zone = TimeZone::find(one.time_zone);
    if (!zone) return table.refuse("time_zone", zone.error());
    one.session.schedule = schedule->in(*std::move(zone));
}

void read_drop_copy(ConfigTable& table, SessionSettings& session, std::uint32_t participants) {
    table.flag("drop_copy", session.drop_copy);
    if (session.drop_copy && session.name.target_comp_id == session::fix::k_any_comp_id)
        table.refuse("drop_copy", "name the client: target_comp_id = \"*\" lets anybody in");
    if (session.drop_copy && session.name.begin_string == BeginString::unknown)
        table.refuse("drop_copy", "name the version: begin_string = \"*\" is any");
    const toml::node* const found = table.find("copied_participants");
    if (found == nullptr) return;
    if (!session.drop_copy)
        return table.refuse("copied_participants", "is of sessions with drop_copy = true");
    const toml::array* const list = found->as_array();
    const auto expected = fmt::format("expected a list of participants, 1 to {}", participants);
    if (list == nullptr || list->empty()) return table.refuse("copied_participants", expected);
    for (const toml::node& one : *list) {
        const auto id = one.value_exact<std::int64_t>();
        if (!id || *id < 1 || *id > std::int64_t{participants})
            return table.refuse("copied_participants", expected);
        session.copied_participants.push_back({static_cast<std::uint32_t>(*id)});
    }
}

void read_session_keys(ConfigTable& table, FixSettings& settings, FixSessionSettings& one,
                       std::uint32_t participants) {
    SessionSettings& session = one.session;
    read_version(table, session);
    table.text("target_comp_id", session.name.target_comp_id);
    table.text("sender_comp_id", session.name.sender_comp_id);
    table.text("sender_sub_id", session.name.sender_sub_id);
    table.text("target_sub_id", session.name.target_sub_id);
    table.text("user_name", session.user_name);
    table.text("password", session.password);
    table.flag("reset_on_logon", session.reset_on_logon);
    table.flag("reset_on_logout", session.reset_on_logout);
    table.flag("reset_on_disconnect", session.reset_on_disconnect);
    table.flag("next_expected", session.next_expected);
    table.integer("logon_timeout_s", session.logon_timeout_s, 1);
    table.integer("logout_timeout_s", session.logout_timeout_s, 1);
    table.integer("resend_request_messages", session.resend_request_messages);
    table.integer("resend_batch_messages", session.resend_batch_messages, 1);
    table.integer("maximum_message_bytes", session.maximum_message_bytes, 512, 32'768);
    table.integer("early_bytes", session.early_bytes, 0, 1'073'741'824);
    table.integer("messages_per_second", session.messages_per_second);
    table.integer("burst_messages", session.burst_messages, 1);
    table.integer("participant", one.participant.value, 1, participants);
    if (const auto chosen = table.word("on_throttle", {k_throttles.begin(), k_throttles.end()}))
        session.on_throttle = static_cast<session::fix::OnThrottle>(*chosen);
    if (const auto chosen =
            table.word("time_precision", {k_precisions.begin(), k_precisions.end()}))
        session.time_precision = static_cast<wire::fix::TimePrecision>(3 * *chosen);
    read_schedule(table, one);
    read_drop_copy(table, session, participants);
    read_strictness(table, session);
    read_dictionary(table, settings, one);
}

void read_sessions(ConfigTable& fix, FixSettings& settings, std::uint32_t participants) {
    auto tables = fix.sections("session");
    if (!tables) return;
    for (ConfigTable& table : *tables) {
        FixSessionSettings one;
        one.session.name = {.begin_string = BeginString::unknown,
                            .sender_comp_id = settings.comp_id,
                            .target_comp_id = std::string{session::fix::k_any_comp_id},
                            .sender_sub_id = {},
                            .target_sub_id = {}};
        read_session_keys(table, settings, one, participants);
        table.finish();
        for (const FixSessionSettings& other : settings.sessions)
            if (other.session.name == one.session.name)
                table.refuse("another session has these comp ids and this version already");
        settings.sessions.push_back(std::move(one));
    }
}

std::string strictness_text(const SessionSettings& s) {
    return fmt::format(
        "check_sending_time = {}\nsending_time_accuracy_s = {}\ncheck_comp_ids = {}\n"
        "validate = {}\nuser_defined_fields = {}\nallow_unknown_fields = {}\n"
        "fields_in_order = {}\nfields_have_values = {}\ngroup_order = {}\n",
        s.check_sending_time, s.sending_time_accuracy_s, s.check_comp_ids, s.validate,
        s.rules.user_defined_fields, s.rules.allow_unknown_fields, s.rules.order, s.rules.values,
        s.rules.group_order);
}

std::string session_text(const FixSessionSettings& one) {
    const SessionSettings& s = one.session;
    std::string text = fmt::format(
        "\n[[fix.session]]\nbegin_string = {}\ntarget_comp_id = {}\nsender_comp_id = {}\n"
        "target_sub_id = {}\nsender_sub_id = {}\nuser_name = {}\npassword = {}\n"
        "schedule = {}\ntime_zone = {}\nreset_on_logon = {}\nreset_on_logout = "
        "{}\nreset_on_disconnect = {}\n"
        "next_expected = {}\n",
        toml_text(version_text(s.name.begin_string)), toml_text(s.name.target_comp_id),
        toml_text(s.name.sender_comp_id), toml_text(s.name.target_sub_id),
        toml_text(s.name.sender_sub_id), toml_text(s.user_name), toml_text(s.password),
        toml_text(one.schedule), toml_text(one.time_zone), s.reset_on_logon, s.reset_on_logout,
        s.reset_on_disconnect, s.next_expected);
    text += strictness_text(s);
    text += fmt::format(
        "dictionary = {}\ntime_precision = \"{}\"\nlogon_timeout_s = {}\nlogout_timeout_s = {}\n"
        "resend_request_messages = {}\nresend_batch_messages = {}\nmessages_per_second = {}\n"
        "burst_messages = {}\non_throttle = \"{}\"\nmaximum_message_bytes = {}\n"
        "early_bytes = {}\n",
        toml_text(one.dictionary), k_precisions.at(static_cast<std::size_t>(s.time_precision) / 3),
        s.logon_timeout_s, s.logout_timeout_s, s.resend_request_messages, s.resend_batch_messages,
        s.messages_per_second, s.burst_messages,
        k_throttles.at(static_cast<std::size_t>(s.on_throttle)), s.maximum_message_bytes,
        s.early_bytes);
    if (one.participant) text += fmt::format("participant = {}\n", one.participant.value);
    if (s.drop_copy) text += "drop_copy = true\n";
    if (s.copied_participants.empty()) return text;
    std::vector<std::uint32_t> numbers;
    for (const ParticipantId id : s.copied_participants) numbers.push_back(id.value);
    return text + fmt::format("copied_participants = {}\n", numbers);
}

}  // namespace

void read_fix(ConfigTable& root, FixSettings& settings, std::uint32_t participants) {
    auto fix = root.section("fix");
    if (!fix) return;
    constexpr std::int64_t k_mib = std::int64_t{1} << 20U;
    fix->text("comp_id", settings.comp_id);
    fix->flag("cancel_on_disconnect", settings.cancel_on_disconnect);
    fix->integer("maximum_sessions", settings.maximum_sessions, 1, 1'000'000);
    fix->integer("maximum_unknown_sessions", settings.maximum_unknown_sessions, 0, 1'000'000);
    fix->integer("unknown_session_lifetime_s", settings.unknown_session_lifetime_s);
    std::int64_t file_mib = static_cast<std::int64_t>(settings.store.file_bytes) / k_mib;
    std::int64_t retained_mib = static_cast<std::int64_t>(settings.store.retained_bytes) / k_mib;
    fix->integer("store_file_mib", file_mib, 1, 4'096);
    fix->integer("store_retained_mib", retained_mib, 1, std::int64_t{1} << 30U);
    settings.store.file_bytes = static_cast<std::uint64_t>(file_mib * k_mib);
    settings.store.retained_bytes = static_cast<std::uint64_t>(retained_mib * k_mib);
    if (auto tls = fix->section("tls")) {
        tls->text("certificate", settings.tls.certificate);
        tls->text("key", settings.tls.key);
        tls->text("client_ca", settings.tls.authorities);
        tls->finish();
    }
    read_sessions(*fix, settings, participants);
    fix->finish();
}

std::string fix_text(const FixSettings& settings) {
    std::string text = fmt::format(
        "\n[fix]\ncomp_id = {}\ncancel_on_disconnect = {}\nmaximum_sessions = {}\n"
        "maximum_unknown_sessions = {}\nunknown_session_lifetime_s = {}\nstore_file_mib = "
        "{}\nstore_retained_mib = {}\n",
        toml_text(settings.comp_id), settings.cancel_on_disconnect, settings.maximum_sessions,
        settings.maximum_unknown_sessions, settings.unknown_session_lifetime_s,
        settings.store.file_bytes >> 20U, settings.store.retained_bytes >> 20U);
    text += fmt::format("\n[fix.tls]\ncertificate = {}\nkey = {}\nclient_ca = {}\n",
                        toml_text(settings.tls.certificate), toml_text(settings.tls.key),
                        toml_text(settings.tls.authorities));
    for (const FixSessionSettings& one : settings.sessions) text += session_text(one);
    return text;
}

}  // namespace damrak::app
