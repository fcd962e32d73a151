// The settings of the FIX gateway, and the comp ids by which it knows participants: plain values,
// in the bags of the exchange's settings, and their rows. docs/fix.md explains them. At start or
// reload.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/net/tls.hpp>
#include <damrak/session/fix/directory.hpp>
#include <damrak/session/fix/settings.hpp>
#include <damrak/session/fix/store_preallocator.hpp>

namespace damrak::gateway::fix {

/// A configured FIX session and its participant.
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

/// The section `[fix]` of the configuration.
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

    [[nodiscard]] bool has_drop_copies() const {
        return std::ranges::any_of(
            sessions, [](const FixSessionSettings& one) { return one.session.drop_copy; });
    }
};

/// Comp ids of a participant.
struct FixCompIds {
    std::vector<std::string> all;
};

/// Folder of the sessions' data, in that of the exchange.
inline constexpr std::string_view k_fix_folder = "fix";
[[nodiscard]] inline std::filesystem::path fix_folder(const Settings& settings) {
    return settings.data / k_fix_folder;
}

void add_fix_rows(Rows<Settings>& rows);
[[nodiscard]] const SettingList<FixSessionSettings>& fix_session_list();
/// The name of an instrument that only FIX has.
void add_isin_row(Rows<InstrumentSettings>& rows);
[[nodiscard]] std::optional<Misfit> check_fix(const Settings& settings);

/// The comp ids of participants and of configured sessions.
extern const CredentialKind k_fix_comp_ids;

}  // namespace damrak::gateway::fix
