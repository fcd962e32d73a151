// The settings that the gateways and feeds of the standard exchange bring, as lists: rows of the
// configuration, repeated tables, checks and credentials. At start and at a reload.
#pragma once

#include <array>
#include <optional>
#include <string_view>

#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/gateway/fix/settings.hpp>
#include <damrak/gateway/ouch/settings.hpp>
#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>

namespace damrak::standard_exchange {

using AddRows = void (*)(gateway::Rows<gateway::Settings>&);
using Check = std::optional<gateway::Misfit> (*)(const gateway::Settings&);

// In the order of a printed configuration.
inline constexpr std::array k_feed_rows{AddRows{gateway::feeds::add_feed_rows}};
inline constexpr std::array k_gateway_rows{
    AddRows{gateway::fix::add_fix_rows}, gateway::ouch::add_ouch_rows, gateway::udp::add_udp_rows};
/// Of an instrument.
inline constexpr std::array k_instrument_rows{gateway::fix::add_isin_row};

/// Checks of several settings together, in the order in which their misfits are reported.
inline constexpr std::array k_gateway_checks{Check{gateway::udp::check_udp},
                                             gateway::feeds::check_feed, gateway::fix::check_fix};

/// Besides API keys.
inline constexpr std::array k_credentials{
    &gateway::fix::k_fix_comp_ids, &gateway::udp::k_udp_sources, &gateway::ouch::k_ouch_users};

/// Folders of gateways in the data directory, which belong to its journal.
inline constexpr std::array k_gateway_folders{gateway::fix::k_fix_folder};

/// Calls f(list) for each repeated table of a gateway.
template <class F>
void for_each_gateway_list(F&& f) {
    f(gateway::fix::fix_session_list());
}

}  // namespace damrak::standard_exchange
