// The list of doors that `damrak serve` runs: TCP, TLS and local datagrams. Add a new door at the
// end.
#pragma once

#include <damrak/base/system_time.hpp>
#include <damrak/binary_gateway/binary_gateway.hpp>
#include <damrak/exchange/doors.hpp>
#include <damrak/fix_gateway/fix_gateway.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls_network.hpp>
#include <damrak/ouch_gateway/ouch_gateway.hpp>
#include <damrak/replay_gateway/replay_door.hpp>
#include <damrak/session/fix/message_store.hpp>
#include <damrak/udp_gateway/udp_gateway.hpp>

namespace damrak::exchange {

template <class Exchange>
using StandardDoors =
    Doors<Exchange, gateway::BinaryGateway<net::TcpNetwork, Exchange>,
          gateway::FixGateway<net::TlsNetwork, Exchange, session::fix::MessageStore>,
          gateway::UdpGateway<net::AnyPath, ForwardClock, Exchange>,
          gateway::OuchGateway<net::TcpNetwork, Exchange>, playback::ReplayDoor<Exchange>>;

}  // namespace damrak::exchange
