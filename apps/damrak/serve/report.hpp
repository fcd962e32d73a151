// Messages of `damrak serve` to its user: summary of the start, readiness, and how it ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <damrak/exchange/exchange.hpp>

#include "serve/settings.hpp"

namespace damrak::app {

// All but the ready line goes to stderr, in plain words.

/// Reports the data directory and what was recovered.
void tell_recovered(const ServeSettings& settings, const exchange::Exchange& exchange);
/// Reports the market, who may enter, and the gateways. `ports`: by gateway.
void tell_market(const ServeSettings& settings, const exchange::Exchange& exchange,
                 const std::map<std::string, std::uint16_t>& ports);

/// The line on stdout that others wait for. `ports`: by gateway.
void tell_ready(const ServeSettings& settings, const std::map<std::string, std::uint16_t>& ports,
                bool json);

/// Once it is ready.
void tell_how_to_connect(const ServeSettings& settings,
                         const std::map<std::string, std::uint16_t>& ports);

/// After a clean end.
void tell_closed(const exchange::Exchange& exchange);

}  // namespace damrak::app
