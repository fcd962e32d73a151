// What the HTTP door tells of the instruments, for clients of doors that have no request for them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <damrak/exchange/changes.hpp>

namespace damrak::app {

inline constexpr const char* k_instruments_path = "/instruments";

/// As JSON. `ports`: by door, so that a client knows which exchange this is.
[[nodiscard]] std::string instruments_json(const exchange::MarketView& market,
                                           const std::map<std::string, std::uint16_t>& ports);

}  // namespace damrak::app
