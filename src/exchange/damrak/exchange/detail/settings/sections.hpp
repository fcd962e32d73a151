// The sections of the configuration. Each adds its rows to the table of settings.
#pragma once

#include <cstdint>

#include <damrak/exchange/settings.hpp>
#include <damrak/gateway/setting.hpp>

namespace damrak::exchange {

using gateway::at;
using gateway::Decimal;
using gateway::k_most;
using gateway::k_most_int64;
using gateway::k_most_uint32;
using gateway::Rows;
using gateway::Setting;
using gateway::SettingKind;
using gateway::SettingValue;

void add_gateways(Rows<Settings>& rows);
void add_journal(Rows<Settings>& rows);
void add_day(Rows<Settings>& rows);
void add_session(Rows<Settings>& rows);
void add_capacity(Rows<Settings>& rows);
void add_run(Rows<Settings>& rows);
void add_telemetry(Rows<Settings>& rows);
void add_default_limits(Rows<Settings>& rows);

inline constexpr std::int64_t k_century_s = 3'153'600'000;

}  // namespace damrak::exchange
