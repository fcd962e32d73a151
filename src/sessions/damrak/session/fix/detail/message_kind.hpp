// First classification of a message. Part of session.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/fix_codec/message.hpp>

namespace damrak::session::fix::detail {

/// The type letter of a session message (Heartbeat 0, TestRequest 1, ResendRequest 2, Reject 3,
/// SequenceReset 4, Logout 5, Logon A); zero for application messages.
[[nodiscard]] inline char admin_type(std::string_view msg_type) {
    if (msg_type.size() != 1) return 0;
    const char type = msg_type.front();
    return (type >= '0' && type <= '5') || type == 'A' ? type : char{0};
}

/// No session misses this many messages. A number further ahead is a mistake, and accepting it
/// would leave the session stuck.
inline constexpr std::uint64_t k_furthest_ahead = 1'000'000'000;

[[nodiscard]] inline bool is_duplicate(const fix_codec::Message& message) {
    return message.text_or_empty(fix_codec::tag::poss_dup_flag) == "Y";
}

}  // namespace damrak::session::fix::detail
