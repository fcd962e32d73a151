#include <damrak/gateway/fix/settings.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/base/time_zone.hpp>
#include <damrak/fix_codec/versions.hpp>
#include <damrak/session/fix/directory.hpp>

namespace damrak::gateway::fix {

namespace {

using fix_codec::BeginString;
using session::fix::SessionName;
using session::fix::SessionSettings;
using F = FixSessionSettings;

// Each step is three digits, as fix_codec::TimePrecision counts them.
constexpr std::array<std::string_view, 4> k_precisions{"seconds", "milliseconds", "microseconds",
                                                       "nanoseconds"};
constexpr std::array<std::string_view, 3> k_throttles{"wait", "reject", "disconnect"};
constexpr std::string_view k_any_version = "*";

template <class Member>
auto in_session(Member member) {
    return at(&F::session, member);
}
template <class Member>
auto in_name(Member member) {
    return at(in_session(&SessionSettings::name), member);
}
template <class Member>
auto in_rules(Member member) {
    return at(in_session(&SessionSettings::rules), member);
}

SettingValue version_of(const F& one) {
    const BeginString version = one.session.name.begin_string;
    return std::string{version == BeginString::unknown ? k_any_version : fix_codec::text(version)};
}

std::string set_version(F& one, const SettingValue& value) {
    const auto& text = std::get<std::string>(value);
    one.session.name.begin_string = fix_codec::parse_begin_string(text);
    return one.session.name.begin_string == BeginString::unknown && text != k_any_version
               ? "expected FIX.4.0 to FIX.4.4, FIXT.1.1 or *, which is any"
               : "";
}

void add_identity(Rows<F>& rows) {
    rows.custom(SettingKind::text, "begin_string", version_of, set_version,
                "version, FIX.4.0 to FIX.4.4 or FIXT.1.1; *: any (a template)");
    rows.text("target_comp_id", in_name(&SessionName::target_comp_id),
              "comp id of the client; *: any (a template)");
    rows.text("sender_comp_id", in_name(&SessionName::sender_comp_id),
              "comp id of the exchange; by default fix.comp_id");
    rows.text("target_sub_id", in_name(&SessionName::target_sub_id),
              "if given, distinguishes sessions by SenderSubID");
    rows.text("sender_sub_id", in_name(&SessionName::sender_sub_id),
              "if given, distinguishes sessions by TargetSubID");
    using S = SessionSettings;
    rows.text("user_name", in_session(&S::user_name), "required if given, from FIX.4.3 on");
    rows.text("password", in_session(&S::password), "required if given, from FIX.4.3 on")
        .unset_at(std::string{})
        .is_secret();
    rows.text("schedule", &F::schedule, "hours of the session");
    rows.text("time_zone", &F::time_zone, "of the schedule; empty: UTC");
    rows.truth("reset_on_logon", in_session(&S::reset_on_logon),
               "a Logon resets the sequence numbers");
    rows.truth("reset_on_logout", in_session(&S::reset_on_logout), "and a Logout");
    rows.truth("reset_on_disconnect", in_session(&S::reset_on_disconnect),
               "and the end of the connection");
    rows.truth("next_expected", in_session(&S::next_expected),
               "NextExpectedMsgSeqNum in our Logon, from FIX.4.4 on");
}

void add_strictness(Rows<F>& rows) {
    using S = SessionSettings;
    using V = fix_codec::ValidationRules;
    rows.truth("check_sending_time", in_session(&S::check_sending_time),
               "check the SendingTime of messages");
    rows.number("sending_time_accuracy_s", in_session(&S::sending_time_accuracy_s), 0,
                k_most_uint32, "how far it may be off");
    rows.truth("check_comp_ids", in_session(&S::check_comp_ids), "check the comp ids of messages");
    rows.truth("validate", in_session(&S::validate),
               "check messages against the dictionary; false: only what the session needs");
    rows.truth("user_defined_fields", in_rules(&V::user_defined_fields),
               "tags from 5000 on must be in the dictionary too");
    rows.truth("allow_unknown_fields", in_rules(&V::allow_unknown_fields),
               "ignore tags that the message does not have");
    rows.truth("fields_in_order", in_rules(&V::order),
               "header, body and trailer must follow each other");
    rows.truth("fields_have_values", in_rules(&V::values), "fields must have a value");
    rows.truth("group_order", in_rules(&V::group_order),
               "fields of group entries must be in order");
}

void add_bounds(Rows<F>& rows) {
    using S = SessionSettings;
    rows.text("dictionary", &F::dictionary, "a QuickFIX XML file; empty: the built-in dictionary");
    rows.word("time_precision", in_session(&S::time_precision), k_precisions,
              "of time stamps; always seconds before FIX.4.2", 3);
    rows.number("logon_timeout_s", in_session(&S::logon_timeout_s), 1, k_most_uint32,
                "seconds to wait for a Logon");
    rows.number("logout_timeout_s", in_session(&S::logout_timeout_s), 1, k_most_uint32,
                "seconds to wait for a Logout");
    rows.number("resend_request_messages", in_session(&S::resend_request_messages), 0,
                k_most_uint32, "most messages per ResendRequest of ours; 0: to the end");
    rows.number("resend_batch_messages", in_session(&S::resend_batch_messages), 1, k_most_uint32,
                "stored messages read at once for a client's ResendRequest");
    rows.number("messages_per_second", in_session(&S::messages_per_second), 0, k_most_uint32,
                "application messages; 0: no limit");
    rows.number("burst_messages", in_session(&S::burst_messages), 1, k_most_uint32,
                "messages at once after a pause");
    rows.word("on_throttle", in_session(&S::on_throttle), k_throttles,
              "what happens to messages above that rate");
    rows.number("maximum_message_bytes", in_session(&S::maximum_message_bytes), 512, 32'768,
                "size of a message that we send");
    rows.number("early_bytes", in_session(&S::early_bytes), 0, 1'073'741'824,
                "memory for messages that arrive after a gap");
}

std::optional<SettingValue> copied_participants(const F& one) {
    if (one.session.copied_participants.empty()) return {};
    std::vector<std::int64_t> numbers;
    numbers.reserve(one.session.copied_participants.size());
    for (const ParticipantId id : one.session.copied_participants) numbers.push_back(id.value);
    return numbers;
}

std::string set_copied_participants(F& one, const SettingValue& value) {
    one.session.copied_participants.clear();
    for (const std::int64_t number : std::get<std::vector<std::int64_t>>(value))
        one.session.copied_participants.push_back({static_cast<std::uint32_t>(number)});
    return {};
}

std::vector<Setting<F>> session_rows(const Settings& settings) {
    const std::int64_t participants = settings.capacity.maximum_participants;
    Rows<F> rows;
    add_identity(rows);
    add_strictness(rows);
    add_bounds(rows);
    rows.number("participant", &F::participant, 1, participants,
                "the trading participant; without it, one of its own")
        .unset_at(std::int64_t{0});
    rows.truth("drop_copy", in_session(&SessionSettings::drop_copy),
               "receives execution reports of others' orders, and enters none")
        .unset_at(false);
    Setting<F>& copied =
        rows.custom(SettingKind::numbers, "copied_participants", copied_participants,
                    set_copied_participants, "participants of the drop copy; without it, all");
    copied.least = 1;
    copied.most = participants;
    copied.words = {"participants"};
    return rows.take();
}

std::optional<Misfit> load_dictionary(FixSettings& settings, F& one) {
    if (one.dictionary.empty()) return {};
    std::ifstream file{one.dictionary};
    const std::string xml{std::istreambuf_iterator<char>{file}, {}};
    if (!file.is_open()) return Misfit{"dictionary", "there is no such file"};
    auto loaded =
        one.session.name.begin_string == BeginString::fixt11
            ? fix_codec::Dictionary::load(xml, fix_codec::Dictionary::of(BeginString::fixt11))
            : fix_codec::Dictionary::load(xml);
    if (!loaded) return Misfit{"dictionary", loaded.error()};
    settings.dictionaries.push_back(
        std::make_shared<const fix_codec::Dictionary>(*std::move(loaded)));
    one.session.dictionary = settings.dictionaries.back().get();
    return {};
}

std::optional<Misfit> set_schedule(F& one) {
    const auto schedule = session::fix::Schedule::parse(one.schedule);
    if (!schedule) return Misfit{"schedule", schedule.error()};
    one.session.schedule = *schedule;
    if (one.time_zone.empty()) return {};
    auto zone = TimeZone::find(one.time_zone);
    if (!zone) return Misfit{"time_zone", zone.error()};
    one.session.schedule = schedule->in(*std::move(zone));
    return {};
}

std::optional<Misfit> check_drop_copy(const SessionSettings& session) {
    if (!session.drop_copy)
        return session.copied_participants.empty()
                   ? std::nullopt
                   : std::optional{
                         Misfit{"copied_participants", "is of sessions with drop_copy = true"}};
    if (session.name.target_comp_id == session::fix::k_any_comp_id)
        return Misfit{"drop_copy", "name the client: target_comp_id = \"*\" lets anybody in"};
    if (session.name.begin_string == BeginString::unknown)
        return Misfit{"drop_copy", "name the version: begin_string = \"*\" is any"};
    return {};
}

std::optional<Misfit> complete_session(Settings& settings, F& one) {
    if (auto misfit = set_schedule(one)) return misfit;
    if (auto misfit = check_drop_copy(one.session)) return misfit;
    return load_dictionary(settings.of<FixSettings>(), one);
}

F first_session(const Settings& settings) {
    F one;
    one.session.name = {.begin_string = BeginString::unknown,
                        .sender_comp_id = settings.of<FixSettings>().comp_id,
                        .target_comp_id = std::string{session::fix::k_any_comp_id},
                        .sender_sub_id = {},
                        .target_sub_id = {}};
    return one;
}

// Two letters, nine letters or digits, and a check digit (ISO 6166): letters count as two digits,
// and every other digit from the right counts twice.
bool is_isin(std::string_view text) {
    constexpr std::size_t k_length = 12;
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const auto is_letter = [](char c) { return c >= 'A' && c <= 'Z'; };
    if (text.size() != k_length || !is_letter(text[0]) || !is_letter(text[1])) return false;
    if (!is_digit(text.back())) return false;
    std::string digits;
    for (const char c : text) {
        if (!is_digit(c) && !is_letter(c)) return false;
        digits += is_digit(c) ? std::string{c} : std::to_string(c - 'A' + 10);
    }
    int sum = 0;
    for (std::size_t i = 0; i < digits.size(); ++i) {
        const int digit = digits[digits.size() - 1 - i] - '0';
        const int counted = i % 2 == 0 ? digit : 2 * digit;
        sum += counted > 9 ? counted - 9 : counted;
    }
    return sum % 10 == 0;
}

void add_comp_id_rows(Rows<ParticipantSettings>& rows) {
    rows.texts("fix_comp_ids", at(k_own<FixCompIds>, &FixCompIds::all),
               "comp ids of the participant over FIX")
        .unset_at(std::vector<std::string>{})
        .by_reload();
}

std::int64_t count_comp_ids(const Settings& settings) {
    std::int64_t count = 0;
    for (const ParticipantSettings& one : settings.participants)
        count += std::ssize(one.of<FixCompIds>().all);
    for (const F& one : settings.of<FixSettings>().sessions) count += one.is_identity() ? 1 : 0;
    return count;
}

void add_comp_ids_to(Identities& identities, const Settings& settings) {
    for (const ParticipantSettings& one : settings.participants)
        for (const std::string& comp_id : one.of<FixCompIds>().all)
            identities.add_comp_id(comp_id, one.id);
    for (const F& one : settings.of<FixSettings>().sessions)
        if (one.is_identity())
            identities.add_comp_id(one.session.name.target_comp_id, one.participant);
}

std::optional<Misfit> comp_ids_clash(const ParticipantSettings& one,
                                     const ParticipantSettings& other) {
    if (!share_any(one.of<FixCompIds>().all, other.of<FixCompIds>().all)) return {};
    return Misfit{"fix_comp_ids", "another participant has one of them already"};
}

}  // namespace

const CredentialKind k_fix_comp_ids{.name = "FIX comp id",
                                    .add_rows = add_comp_id_rows,
                                    .count = count_comp_ids,
                                    .add_to = add_comp_ids_to,
                                    .clash = comp_ids_clash};

void add_isin_row(Rows<InstrumentSettings>& rows) {
    rows.text("isin", &InstrumentSettings::isin, "FIX clients may use it; a change needs a restart")
        .checked([](const std::string& text) {
            return text.empty() || is_isin(text)
                       ? ""
                       : "expected an ISIN: two letters, nine letters or digits, and the check "
                         "digit that goes with them";
        });
}

std::optional<Misfit> check_fix(const Settings& settings) {
    const net::TlsFiles& files = settings.of<FixSettings>().tls;
    if (files == net::TlsFiles{}) return {};
    const auto context = net::TlsContext::acceptor(files);
    if (context) return {};
    const bool has_certificate = !files.certificate.empty();
    const bool has_key = !files.key.empty();
    return Misfit{has_certificate ? "fix.tls.certificate"
                  : has_key       ? "fix.tls.key"
                                  : "fix.tls.client_ca",
                  context.error()};
}

void add_fix_rows(Rows<Settings>& rows) {
    const auto fix = [](auto member) { return at(k_own<FixSettings>, member); };
    rows.section("fix");
    rows.text("comp_id", fix(&FixSettings::comp_id),
              "comp id of the exchange, where a session has no other");
    rows.truth("cancel_on_disconnect", fix(&FixSettings::cancel_on_disconnect),
               "cancel all orders of the participant when its connection ends");
    rows.number("maximum_sessions", fix(&FixSettings::maximum_sessions), 1, 1'000'000,
                "configured, added and unknown sessions together");
    rows.number("maximum_unknown_sessions", fix(&FixSettings::maximum_unknown_sessions), 0,
                1'000'000, "of them unknown");
    rows.number("unknown_session_lifetime_s", fix(&FixSettings::unknown_session_lifetime_s), 0,
                k_most_uint32,
                "an unknown session without connection and open orders is forgotten after this; "
                "0: never");
    using T = session::fix::StoreSettings;
    const auto store = [&](auto member) { return at(fix(&FixSettings::store), member); };
    rows.mebibytes("store_file_mib", store(&T::file_bytes), 1, 4'096,
                   "size of a session's message files");
    rows.mebibytes("store_retained_mib", store(&T::retained_bytes), 1, std::int64_t{1} << 30U,
                   "per session, besides the current file");
    const auto tls = [&](auto member) { return at(fix(&FixSettings::tls), member); };
    rows.section("fix.tls");
    rows.text("certificate", tls(&net::TlsFiles::certificate),
              "file of the FIX certificate (PEM); enables TLS")
        .by_flag("--fix-tls-certificate")
        .with_name();
    rows.text("key", tls(&net::TlsFiles::key), "file of the key of the FIX certificate")
        .by_flag("--fix-tls-key")
        .with_name();
    rows.text("client_ca", tls(&net::TlsFiles::authorities),
              "file of CA certificates; FIX clients must have a certificate of one of them")
        .by_flag("--fix-tls-client-ca")
        .with_name();
}

const SettingList<FixSessionSettings>& fix_session_list() {
    static const SettingList<F> list{
        .name = "fix.session",
        .help =
            "One for each FIX session; without any, each client in each version has its own. "
            "No key can change at a reload.",
        .rows = session_rows,
        .first = first_session,
        .complete = complete_session,
        .clash = [](const F& one, const F& other) -> std::optional<Misfit> {
            if (one.session.name != other.session.name) return {};
            return Misfit{"", "another session has these comp ids and this version already"};
        },
        .get = [](const Settings& settings) { return settings.of<FixSettings>().sessions; },
        .set = [](Settings& settings,
                  std::vector<F> all) { settings.of<FixSettings>().sessions = std::move(all); }};
    return list;
}

}  // namespace damrak::gateway::fix
