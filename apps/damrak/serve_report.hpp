// What `damrak serve` tells its user: the summary of the start, that it is ready, and how it ended.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "serve_exchange.hpp"

namespace damrak::app {

/// On stderr, in plain words.
void tell_summary(const ServeSettings& settings, const Exchange& exchange);

/// The line on stdout that others wait for. `ports`: by door.
void tell_ready(const std::map<std::string, std::uint16_t>& ports, bool json);

/// On stderr, after a clean end.
void tell_closed(const Exchange& exchange);

}  // namespace damrak::app
