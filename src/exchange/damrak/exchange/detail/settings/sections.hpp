// The sections of the configuration. Each adds its rows to the table of settings.
#pragma once

#include <cstdint>

#include <damrak/exchange/setting.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

void add_gateways(Rows<Settings>& rows);
void add_journal(Rows<Settings>& rows);
void add_day(Rows<Settings>& rows);
void add_session(Rows<Settings>& rows);
void add_fix(Rows<Settings>& rows);
void add_ouch(Rows<Settings>& rows);
void add_udp(Rows<Settings>& rows);
void add_capacity(Rows<Settings>& rows);
void add_run(Rows<Settings>& rows);
void add_telemetry(Rows<Settings>& rows);
void add_default_limits(Rows<Settings>& rows);

/// Default bounds of numbers.
inline constexpr std::int64_t k_century_s = 3'153'600'000;
inline constexpr std::int64_t k_most_uint32 = k_most<std::uint32_t>;
inline constexpr std::int64_t k_most_int64 = k_most<std::int64_t>;

}  // namespace damrak::exchange
