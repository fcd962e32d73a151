// Trades of the market over HTTP, for clients of gateways that report only their own trades.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/feed/trade_tape.hpp>

namespace damrak::app {

inline constexpr std::string_view k_trades_path = "/trades";

/// As JSON, the trades after the number in the query ("after=17"; without it all that are kept).
[[nodiscard]] std::string trades_json(const feed::TradeTape& tape, std::string_view query);

}  // namespace damrak::app
