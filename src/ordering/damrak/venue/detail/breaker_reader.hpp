// The part of a venue file about its market-wide breaker.
#pragma once

#include <damrak/files/toml_table.hpp>
#include <damrak/venue/venue.hpp>

namespace damrak::venue::detail {

[[nodiscard]] BreakerRule read_market_breaker(const toml::table& table, files::Mistake& mistake);

}  // namespace damrak::venue::detail
