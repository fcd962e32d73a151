// What a session wants to know of a message at first glance. Part of session.hpp.
#pragma once

#include <cstdint>
#include <string_view>

#include <damrak/wire/fix/message.hpp>

namespace damrak::session::fix::detail {

/// The letter of a session message (Heartbeat 0, TestRequest 1, ResendRequest 2, Reject 3,
/// SequenceReset 4, Logout 5, Logon A); zero for those of the application.
[[nodiscard]] inline char admin_type(std::string_view msg_type) {
    if (msg_type.size() != 1) return 0;
    const char type = msg_type.front();
    return (type >= '0' && type <= '5') || type == 'A' ? type : char{0};
}

/// No session misses that many messages: numbers further ahead are mistakes, after which it could
/// never go on.
inline constexpr std::uint64_t k_furthest_ahead = 1'000'000'000;

[[nodiscard]] inline bool is_duplicate(const wire::fix::Message& message) {
    return message.text_or_empty(wire::fix::tag::poss_dup_flag) == "Y";
}

}  // namespace damrak::session::fix::detail
