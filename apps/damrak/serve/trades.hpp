// What the HTTP door tells of the trades of the market, for clients of doors that tell of their own
// only.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/feed/trade_tape.hpp>

namespace damrak::app {

inline constexpr std::string_view k_trades_path = "/trades";

/// As JSON, behind the number that the query names ("after=17"; left out: all that are kept).
[[nodiscard]] std::string trades_json(const feed::TradeTape& tape, std::string_view query);

}  // namespace damrak::app
