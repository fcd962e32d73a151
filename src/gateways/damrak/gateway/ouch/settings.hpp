// The settings of the OUCH gateway, and the users by which it knows participants: plain values, in
// the bags of the exchange's settings, and their rows. At start or reload.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <damrak/domain/order_terms.hpp>
#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/settings.hpp>

namespace damrak::gateway::ouch {

/// The section `[ouch]` of the configuration.
struct OuchSettings {
    std::uint8_t version = 50;                    ///< of unconfigured users, times ten
    std::uint32_t messages_mib = 1'024;           ///< for the day's messages to all users
    SelfTradePrevention self_trade_prevention{};  ///< of all orders

    // Set by the program, for a client of the exchange itself; nobody else logs in as this user,
    // unless a participant names it. Empty: none.
    std::string own_user;
    std::string own_password;

    [[nodiscard]] std::uint64_t message_bytes() const { return std::uint64_t{messages_mib} << 20U; }
};

/// A login; name and password are case-insensitive.
struct OuchUserSettings {
    std::string name;      ///< 1 to 6 characters
    std::string password;  ///< up to 10 characters
    std::uint8_t version = 50;
};

/// Of a participant.
struct OuchUsers {
    std::vector<OuchUserSettings> all;
};

void add_ouch_rows(Rows<Settings>& rows);

/// The users of participants: "NAME:PASSWORD:4.2".
extern const CredentialKind k_ouch_users;

}  // namespace damrak::gateway::ouch
