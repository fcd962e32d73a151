// All public headers of the component exchange, for programs that want everything. Made by
// tools/umbrella_headers.py.
#pragma once

// IWYU pragma: begin_exports
#include <damrak/exchange/capacity.hpp>
#include <damrak/exchange/changes.hpp>
#include <damrak/exchange/check.hpp>
#include <damrak/exchange/exchange.hpp>
#include <damrak/exchange/recorded_market.hpp>
#include <damrak/exchange/settings.hpp>
#include <damrak/exchange/settings_table.hpp>
#include <damrak/exchange/surroundings.hpp>
#include <damrak/exchange/system_time.hpp>
#include <damrak/exchange/trade_with.hpp>
#include <damrak/standard_exchange/feeds.hpp>
#include <damrak/standard_exchange/gateway_list.hpp>
#include <damrak/standard_exchange/gateway_settings.hpp>
#include <damrak/standard_exchange/gateway_states.hpp>
#include <damrak/standard_exchange/gateway_table.hpp>
// IWYU pragma: end_exports
