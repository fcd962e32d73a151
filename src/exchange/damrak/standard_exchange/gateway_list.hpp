// The list of gateways that `damrak serve` runs, as types: TCP, TLS and local datagrams. Add a new
// one at the end. What each is made from is in the setup.hpp of its room.
#pragma once

#include <damrak/base/system_time.hpp>
#include <damrak/binary_gateway/setup.hpp>
#include <damrak/fix_gateway/setup.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls_network.hpp>
#include <damrak/ouch_gateway/setup.hpp>
#include <damrak/replay_gateway/setup.hpp>
#include <damrak/session/fix/message_store.hpp>
#include <damrak/udp_gateway/setup.hpp>

namespace damrak::exchange {

template <class Exchange, class... Ds>
class Gateways;  // exchange/detail/gateways.hpp

template <class Exchange>
using StandardGateways =
    Gateways<Exchange, gateway::BinaryGateway<net::TcpNetwork, Exchange>,
             gateway::FixGateway<net::TlsNetwork, Exchange, session::fix::MessageStore>,
             gateway::UdpGateway<net::AnyPath, ForwardClock, Exchange>,
             gateway::OuchGateway<net::TcpNetwork, Exchange>, gateway::ReplayGateway<Exchange>>;

}  // namespace damrak::exchange
