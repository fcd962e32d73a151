// Settings of the FIX gateway: plain values, part of Settings. docs/fix.md explains them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/fix_gateway/fix_application_config.hpp>
#include <damrak/net/tls.hpp>
#include <damrak/session/fix/directory.hpp>
#include <damrak/session/fix/settings.hpp>
#include <damrak/session/fix/store_preallocator.hpp>

namespace damrak::exchange {

struct FixSessionSettings {
    session::fix::SessionSettings session;
    ParticipantId participant{};  ///< zero: one of its own
    std::string dictionary;       ///< file; empty: the built-in dictionary
    std::string schedule = "always";
    std::string time_zone;  ///< of the schedule; empty: UTC

    /// Whether it maps a comp id to a participant.
    [[nodiscard]] bool is_identity() const {
        return participant && session.name.target_comp_id != session::fix::k_any_comp_id;
    }
};

struct FixSettings {
    std::string comp_id = "DAMRAK";
    bool cancel_on_disconnect = false;
    std::uint32_t maximum_sessions = 2'048;
    std::uint32_t maximum_unknown_sessions = 1'024;
    std::uint32_t unknown_session_lifetime_s = 86'400;
    net::TlsFiles tls{};  ///< without a certificate the gateway has no TLS
    session::fix::StoreSettings store{.file_bytes = std::uint64_t{16} << 20U};
    std::vector<FixSessionSettings> sessions;
    /// The dictionaries that sessions refer to.
    std::vector<std::shared_ptr<const fix_codec::Dictionary>> dictionaries;

    [[nodiscard]] bool has_drop_copies() const;
    [[nodiscard]] gateway::FixApplicationConfig application(std::filesystem::path folder) const;
};

}  // namespace damrak::exchange
