// All public headers of the component client, for programs that want everything. Made by
// tools/umbrella_headers.py.
#pragma once

// IWYU pragma: begin_exports
#include <damrak/client/binary_client.hpp>
#include <damrak/client/binary_order_client.hpp>
#include <damrak/client/fix_acceptor.hpp>
#include <damrak/client/fix_client.hpp>
#include <damrak/client/fix_load_client.hpp>
#include <damrak/client/fix_order_client.hpp>
#include <damrak/client/fix_order_entry.hpp>
#include <damrak/client/itch/feed_arbiter.hpp>
#include <damrak/client/itch/feed_books.hpp>
#include <damrak/client/itch/feed_receiver.hpp>
#include <damrak/client/itch/soup_follower.hpp>
#include <damrak/client/itch/soup_receiver.hpp>
#include <damrak/client/l2_receiver.hpp>
#include <damrak/client/load_client.hpp>
#include <damrak/client/load_schedule.hpp>
#include <damrak/client/load_settings.hpp>
#include <damrak/client/order_client.hpp>
#include <damrak/client/order_entry.hpp>
#include <damrak/client/ouch_load_client.hpp>
#include <damrak/client/ouch_order_client.hpp>
#include <damrak/client/ouch_order_entry.hpp>
#include <damrak/client/packet_load.hpp>
#include <damrak/client/tcp_order_client.hpp>
#include <damrak/client/term_command.hpp>
#include <damrak/client/term_gateway.hpp>
#include <damrak/client/term_model.hpp>
#include <damrak/client/term_screen.hpp>
// IWYU pragma: end_exports
