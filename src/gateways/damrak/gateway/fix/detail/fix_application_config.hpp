// How the FIX gateway is run: its sessions and where they are kept. Plain values, made at start.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/session/fix/settings.hpp>

namespace damrak::gateway::fix {

struct FixApplicationConfig {
    /// Roster, watermark and a folder for each session are in it.
    std::filesystem::path folder;
    /// Empty: any comp id, in any version.
    std::vector<session::fix::SessionSettings> sessions{};
    /// Of our side, for sessions that are not configured.
    std::string comp_id = "DAMRAK";
    /// Symbols by ISIN, where instruments have one.
    std::map<std::string, std::string, std::less<>> isins{};
    /// Known ones and others together.
    std::size_t maximum_sessions = 2'048;
    /// Of those whose comp id neither the configuration nor an administrator names.
    std::uint32_t maximum_unknown_sessions = 1'024;
    /// Such a one is forgotten after this long without connection and open orders; zero: never.
    std::int64_t unknown_lifetime_ns = 0;
    bool cancel_on_disconnect = false;
    /// Another thread does what the disk is needed for (FixSessionTable::work_aside()).
    bool has_helper = false;
    /// Told what is wrong with the files of sessions when they are opened.
    std::function<void(std::string_view line)> on_trouble = [](std::string_view /*line*/) {};
};

}  // namespace damrak::gateway::fix
