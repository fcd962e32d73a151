// All settings of an exchange as rows (gateway/setting.hpp), and the repeated tables of a
// configuration. One file per section, in detail/settings/ or in the room of the gateway that
// brings it. At start and at a reload.
#pragma once

#include <vector>

#include <damrak/exchange/settings.hpp>
#include <damrak/gateway/setting.hpp>
#include <damrak/standard_exchange/gateway_settings.hpp>

namespace damrak::exchange {

using gateway::Setting;
using gateway::SettingList;

/// The settings outside of repeated tables, in the order of a printed configuration.
[[nodiscard]] const std::vector<Setting<Settings>>& setting_rows();

[[nodiscard]] const SettingList<InstrumentSettings>& instrument_list();
[[nodiscard]] const SettingList<ParticipantSettings>& participant_list();

/// Calls f(list) for each list, those of gateways included.
template <class F>
void for_each_list(F&& f) {
    standard_exchange::for_each_gateway_list(f);
    f(instrument_list());
    f(participant_list());
}

}  // namespace damrak::exchange
