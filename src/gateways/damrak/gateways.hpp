// All public headers of the component gateways, for programs that want everything. Made by
// tools/umbrella_headers.py.
#pragma once

// IWYU pragma: begin_exports
#include <damrak/gateway/binary/binary_gateway.hpp>
#include <damrak/gateway/binary/order_names.hpp>
#include <damrak/gateway/binary/setup.hpp>
#include <damrak/gateway/client_order_names.hpp>
#include <damrak/gateway/connection_slots.hpp>
#include <damrak/gateway/ended_connections.hpp>
#include <damrak/gateway/exchange_side.hpp>
#include <damrak/gateway/feeds/feed_metrics.hpp>
#include <damrak/gateway/feeds/feed_server.hpp>
#include <damrak/gateway/feeds/feed_settings.hpp>
#include <damrak/gateway/feeds/itch_gateways.hpp>
#include <damrak/gateway/feeds/l2_gateway.hpp>
#include <damrak/gateway/feeds/open_feed.hpp>
#include <damrak/gateway/fix/admin.hpp>
#include <damrak/gateway/fix/fix_gateway.hpp>
#include <damrak/gateway/fix/fix_orders.hpp>
#include <damrak/gateway/fix/market_requests.hpp>
#include <damrak/gateway/fix/missing_reports.hpp>
#include <damrak/gateway/fix/session_table.hpp>
#include <damrak/gateway/fix/settings.hpp>
#include <damrak/gateway/fix/setup.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/gateway_making.hpp>
#include <damrak/gateway/health.hpp>
#include <damrak/gateway/identities.hpp>
#include <damrak/gateway/notices.hpp>
#include <damrak/gateway/ouch/ouch_orders.hpp>
#include <damrak/gateway/ouch/settings.hpp>
#include <damrak/gateway/ouch/setup.hpp>
#include <damrak/gateway/over_tcp.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/gateway/replay/setup.hpp>
#include <damrak/gateway/session_notices.hpp>
#include <damrak/gateway/setting.hpp>
#include <damrak/gateway/settings.hpp>
#include <damrak/gateway/tcp_gateway.hpp>
#include <damrak/gateway/turn.hpp>
#include <damrak/gateway/udp/setup.hpp>
#include <damrak/gateway/udp/udp_clients.hpp>
#include <damrak/gateway/udp/udp_gateway.hpp>
#include <damrak/gateway/udp/udp_settings.hpp>
// IWYU pragma: end_exports
