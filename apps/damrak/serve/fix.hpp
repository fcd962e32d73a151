// The FIX door as it is configured: [fix] and [[fix.session]]. docs/fix.md has the keys.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/fix_gateway/desk_config.hpp>
#include <damrak/net/tls.hpp>
#include <damrak/session/fix/directory.hpp>
#include <damrak/session/fix/settings.hpp>
#include <damrak/session/fix/store_preallocator.hpp>
#include <damrak/wire/fix/dictionary.hpp>

namespace damrak::app {

class ConfigTable;

struct FixSessionSettings {
    session::fix::SessionSettings session;
    ParticipantId participant{};  ///< zero: one of its own
    std::string dictionary;       ///< file; empty: the library's
    std::string schedule = "always";
    std::string time_zone;  ///< of the schedule; empty: UTC

    /// It says whose a comp id is.
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
    net::TlsFiles tls{};  ///< without a certificate the door has no TLS
    session::fix::StoreSettings store{.file_bytes = std::uint64_t{16} << 20U};
    std::vector<FixSessionSettings> sessions;
    /// Those that sessions refer to.
    std::vector<std::shared_ptr<const wire::fix::Dictionary>> dictionaries;

    [[nodiscard]] bool has_drop_copies() const;
    [[nodiscard]] gateway::FixDeskConfig desk(std::filesystem::path folder) const;
};

/// Reads [fix]; what is wrong is told through the table. There is room for so many `participants`.
void read_fix(ConfigTable& root, FixSettings& settings, std::uint32_t participants);
/// The same as a file.
[[nodiscard]] std::string fix_text(const FixSettings& settings);

}  // namespace damrak::app
