// The OUCH users in the configuration: "NAME:PASSWORD:4.2". At start or reload.
#pragma once

#include <optional>
#include <string>

#include <damrak/exchange/setting.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

[[nodiscard]] std::optional<SettingValue> ouch_users_of(const ParticipantSettings& one);
/// Returns what is wrong with them; empty if nothing is.
[[nodiscard]] std::string set_ouch_users(ParticipantSettings& one, const SettingValue& value);

}  // namespace damrak::exchange
