// Instruments over HTTP, for clients of gateways without a request for them.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <damrak/exchange/changes.hpp>

namespace damrak::app {

inline constexpr const char* k_instruments_path = "/instruments";

/// As JSON. `ports`, by gateway, lets a client identify the exchange.
[[nodiscard]] std::string instruments_json(const exchange::MarketView& market,
                                           const std::map<std::string, std::uint16_t>& ports);

}  // namespace damrak::app
