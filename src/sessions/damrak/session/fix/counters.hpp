// Counters of the FIX sessions of one thread, for monitoring. Plain integers: only that thread
// reads and writes them. Its sessions share them as part of SessionTools.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace damrak::session::fix {

/// Category of a message.
enum class MessageClass : std::uint8_t { session, orders, market_data, instruments, other };
inline constexpr std::size_t k_message_classes = 5;
[[nodiscard]] std::string_view text(MessageClass kind);

[[nodiscard]] constexpr MessageClass class_of(std::string_view msg_type) {
    using enum MessageClass;
    if (msg_type == "AF") return orders;
    switch (msg_type.size() == 1 ? msg_type.front() : '\0') {
        case '8':
        case 'D':
        case 'F':
        case 'G':
        case '9':
        case 'H':
        case 'q':
        case 'r':
            return orders;
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case 'A':
            return session;
        case 'V':
        case 'W':
        case 'X':
        case 'Y':
        case 'e':
        case 'f':
        case 'g':
        case 'h':
            return market_data;
        case 'c':
        case 'd':
        case 'x':
        case 'y':
            return instruments;
        default:
            return other;
    }
}

/// Why a Logon was refused.
enum class LogonRefusal : std::uint8_t {
    invalid,            ///< not a Logon, garbled, or not allowed by the dictionary
    unknown_session,    ///< comp ids or version
    already_logged_on,  ///< on another connection
    no_room,            ///< for another session
    not_let_in,         ///< not in the identities, or removed
    password,
    hours,
    numbers,   ///< MsgSeqNum, NextExpectedMsgSeqNum, or an impossible reset
    settings,  ///< EncryptMethod, HeartBtInt
    storage,   ///< the store cannot store outgoing messages
};
inline constexpr std::size_t k_logon_refusals = 10;
[[nodiscard]] std::string_view text(LogonRefusal why);

/// What a session has received and sent.
struct SessionCounters {
    /// By MessageClass.
    std::array<std::uint64_t, k_message_classes> messages_in{};
    std::array<std::uint64_t, k_message_classes> messages_out{};
    /// By LogonRefusal.
    std::array<std::uint64_t, k_logon_refusals> logons_refused{};
    std::uint64_t logons = 0;
    std::uint64_t garbled = 0;
    std::uint64_t rejects_in = 0;
    std::uint64_t rejects_out = 0;
    std::uint64_t business_rejects_out = 0;
    std::uint64_t resend_requests_in = 0;
    std::uint64_t resend_requests_out = 0;
    std::uint64_t messages_resent = 0;
    std::uint64_t gaps = 0;  ///< in the sequence of incoming messages
    std::uint64_t sequence_resets_in = 0;
    std::uint64_t sequence_resets_out = 0;
    std::uint64_t heartbeats_missed = 0;  ///< each was followed by a TestRequest
    std::uint64_t timeouts = 0;           ///< no message came after the TestRequest

    void count_in(std::string_view msg_type) {
        ++messages_in[static_cast<std::size_t>(class_of(msg_type))];
    }
    void count_out(MessageClass kind) { ++messages_out[static_cast<std::size_t>(kind)]; }
    void count(LogonRefusal why) { ++logons_refused[static_cast<std::size_t>(why)]; }
};

}  // namespace damrak::session::fix
