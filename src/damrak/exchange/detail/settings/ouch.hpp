// The users of OUCH as the configuration writes them: "NAME:PASSWORD:4.2". At a start or a reload.
#pragma once

#include <optional>
#include <string>

#include <damrak/exchange/setting.hpp>
#include <damrak/exchange/settings.hpp>

namespace damrak::exchange {

[[nodiscard]] std::optional<SettingValue> ouch_users_of(const ParticipantSettings& one);
/// What is wrong with them, or nothing.
[[nodiscard]] std::string set_ouch_users(ParticipantSettings& one, const SettingValue& value);

}  // namespace damrak::exchange
