// What is agreed between the two sides of a FIX session, and what our side is strict about: one
// value for each session, made from configuration at start and not changed while it runs.
// docs/fix.md has the same list for those who write the configuration.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/session/fix/schedule.hpp>
#include <damrak/wire/fix/dictionary.hpp>
#include <damrak/wire/fix/encode_values.hpp>
#include <damrak/wire/fix/versions.hpp>

namespace damrak::session::fix {

enum class Role : std::uint8_t { acceptor, initiator };

/// What becomes of an application message that comes faster than agreed.
enum class OnThrottle : std::uint8_t {
    wait,        ///< it is read when its turn comes; the connection's flow control does the rest
    reject,      ///< it is refused, and its number counts
    disconnect,  ///< Logout, and the end of the connection
};

/// Who talks to whom in which version: what makes a session the one it is. `sender` is our side.
struct SessionName {
    wire::fix::BeginString begin_string = wire::fix::BeginString::fix44;
    std::string sender_comp_id{};
    std::string target_comp_id{};
    std::string sender_sub_id{};
    std::string target_sub_id{};

    friend bool operator==(const SessionName&, const SessionName&) = default;
};
/// "FIX.4.4:DAMRAK->CLIENT1", with sub ids as "DAMRAK/DESK".
[[nodiscard]] std::string text(const SessionName& name);
/// The name that text() made this of; or how one is written.
[[nodiscard]] std::expected<SessionName, std::string> parse_session_name(std::string_view text);

struct SessionSettings {
    SessionName name;
    Role role = Role::acceptor;
    /// Over FIXT.1.1: DefaultApplVerID of the Logon. The initiator says it, the acceptor answers
    /// with what it was told.
    wire::fix::ApplVersion default_appl_version = wire::fix::ApplVersion::fix50sp2;
    /// Sent by an initiator, demanded by an acceptor; empty: neither.
    std::string user_name;
    std::string password;
    /// An initiator's HeartBtInt; an acceptor takes what the Logon says.
    std::uint32_t heartbeat_s = 30;
    Schedule schedule;

    bool reset_on_logon = false;
    bool reset_on_logout = false;
    bool reset_on_disconnect = false;
    /// NextExpectedMsgSeqNum in our Logon; what is missing is then sent without a ResendRequest.
    bool next_expected = false;

    bool check_sending_time = true;
    std::uint32_t sending_time_accuracy_s = 120;
    bool check_comp_ids = true;
    bool validate = true;  ///< against the dictionary
    wire::fix::ValidationRules rules;
    /// Of one's own, for all messages; null: the library's for the version.
    const wire::fix::Dictionary* dictionary = nullptr;
    wire::fix::TimePrecision time_precision = wire::fix::TimePrecision::milliseconds;

    std::uint32_t logon_timeout_s = 10;
    std::uint32_t logout_timeout_s = 2;
    std::uint32_t reconnect_interval_s = 5;  ///< for who connects an initiator

    /// Of one ResendRequest of ours; zero: to the end of what there is.
    std::uint32_t resend_request_messages = 0;
    /// Stored messages that are looked at in one go when the other side asks for them.
    std::uint32_t resend_batch_messages = 256;

    std::uint32_t messages_per_second = 0;  ///< application messages; zero: no limit
    std::uint32_t burst_messages = 100;
    OnThrottle on_throttle = OnThrottle::wait;

    /// The client is told what happens to the orders of others, and enters none.
    bool drop_copy = false;
    std::vector<ParticipantId> copied_participants;  ///< none: all

    std::size_t maximum_message_bytes = 8'192;  ///< of those that we send
    /// Memory for messages that come before others that are missing.
    std::size_t early_bytes = 65'536;
};

/// The settings, with time stamps in whole seconds where the version has no others; or what cannot
/// work, and what to do.
[[nodiscard]] std::expected<SessionSettings, std::string> checked(SessionSettings settings);

[[nodiscard]] std::string_view text(OnThrottle what);

/// What another side wrote, for a line that people read: short, and without what moves a cursor.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace damrak::session::fix
