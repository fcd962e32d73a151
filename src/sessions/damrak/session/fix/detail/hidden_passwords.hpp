// What a session keeps of a message that has passwords. Part of session.hpp; only for Logon and
// UserRequest, so its cost matters to nobody.
#pragma once

#include <span>
#include <string_view>

namespace damrak::session::fix::detail {

/// Whether messages of this type have a Password (554) or NewPassword (925).
[[nodiscard]] inline bool may_have_password(std::string_view msg_type) {
    return msg_type == "A" || msg_type == "BE";
}

/// The message with stars for them, and the checksum of that: what clients sent is kept for
/// inspection, and who may read that need not know how to log on. Stands in `room`, which is at
/// least as large.
[[nodiscard]] std::span<char> without_passwords(std::span<const char> message,
                                                std::span<char> room);

}  // namespace damrak::session::fix::detail
