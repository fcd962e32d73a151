// What the two sides of a FIX session have agreed on, and how strict our side is: one value per
// session, built from the configuration at start and constant while it runs. docs/fix.md describes
// the same settings for administrators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_codec/encode_values.hpp>
#include <damrak/fix_codec/versions.hpp>
#include <damrak/session/fix/detail/schedule.hpp>

namespace damrak::session::fix {

enum class Role : std::uint8_t { acceptor, initiator };

/// How to treat application messages above the agreed rate.
enum class OnThrottle : std::uint8_t {
    wait,        ///< leave the message unread until its turn; flow control slows the sender
    reject,      ///< reject it; its number counts
    disconnect,  ///< send Logout and disconnect
};

/// The identity of a session: both sides and the version. `sender` is our side.
struct SessionName {
    fix_codec::BeginString begin_string = fix_codec::BeginString::fix44;
    std::string sender_comp_id{};
    std::string target_comp_id{};
    std::string sender_sub_id{};
    std::string target_sub_id{};

    friend bool operator==(const SessionName&, const SessionName&) = default;
};
/// "FIX.4.4:DAMRAK->CLIENT1", with sub ids as "DAMRAK/DESK".
[[nodiscard]] std::string text(const SessionName& name);
/// The inverse of text(); the error describes the format.
[[nodiscard]] std::expected<SessionName, std::string> parse_session_name(std::string_view text);

/// A FIX session: its name, its role, its rules.
struct SessionSettings {
    SessionName name;
    Role role = Role::acceptor;
    /// FIXT.1.1: DefaultApplVerID of the Logon. The initiator chooses it, the acceptor repeats it.
    fix_codec::ApplVersion default_appl_version = fix_codec::ApplVersion::fix50sp2;
    /// An initiator sends it, an acceptor requires it; empty: neither.
    std::string user_name;
    std::string password;
    /// An initiator's HeartBtInt; an acceptor uses that of the Logon.
    std::uint32_t heartbeat_s = 30;
    Schedule schedule;

    bool reset_on_logon = false;
    bool reset_on_logout = false;
    bool reset_on_disconnect = false;
    /// Send NextExpectedMsgSeqNum in our Logon; missing messages are then sent without a
    /// ResendRequest.
    bool next_expected = false;

    bool check_sending_time = true;
    std::uint32_t sending_time_accuracy_s = 120;
    bool check_comp_ids = true;
    bool validate = true;  ///< against the dictionary
    fix_codec::ValidationRules rules;
    /// A custom one for all messages; null: the library's for the version.
    const fix_codec::Dictionary* dictionary = nullptr;
    fix_codec::TimePrecision time_precision = fix_codec::TimePrecision::milliseconds;

    std::uint32_t logon_timeout_s = 10;
    std::uint32_t logout_timeout_s = 2;
    std::uint32_t reconnect_interval_s = 5;  ///< for the owner of an initiator's connection

    /// Maximum per ResendRequest of ours; zero: to the end.
    std::uint32_t resend_request_messages = 0;
    /// Stored messages examined in one go for a ResendRequest of the other side.
    std::uint32_t resend_batch_messages = 256;

    std::uint32_t messages_per_second = 0;  ///< application messages; zero: no limit
    std::uint32_t burst_messages = 100;
    OnThrottle on_throttle = OnThrottle::wait;

    /// The client receives execution reports of others' orders, and enters none.
    bool drop_copy = false;
    std::vector<ParticipantId> copied_participants;  ///< none: all

    std::size_t maximum_message_bytes = 8'192;  ///< of outgoing messages
    /// Memory for messages that arrive before missing earlier ones.
    std::size_t early_bytes = 65'536;
};

/// Returns the settings, with time stamps in whole seconds if the version has no finer ones; or an
/// error that says what is wrong and what to do.
[[nodiscard]] std::expected<SessionSettings, std::string> checked(SessionSettings settings);

[[nodiscard]] std::string_view text(OnThrottle what);

/// The other side's text for a log line: short, and without control characters.
[[nodiscard]] std::string printable(std::string_view text);

}  // namespace damrak::session::fix
