// The list of gateways that `damrak serve` runs: TCP, TLS and local datagrams. Add a new gateway at
// the end.
#pragma once

#include <damrak/base/system_time.hpp>
#include <damrak/binary_gateway/binary_gateway.hpp>
#include <damrak/exchange/detail/gateways.hpp>
#include <damrak/fix_gateway/fix_gateway.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls_network.hpp>
#include <damrak/ouch_gateway/ouch_gateway.hpp>
#include <damrak/replay_gateway/replay_gateway.hpp>
#include <damrak/session/fix/message_store.hpp>
#include <damrak/udp_gateway/udp_gateway.hpp>

namespace damrak::exchange {

template <class Exchange>
using StandardGateways =
    Gateways<Exchange, gateway::BinaryGateway<net::TcpNetwork, Exchange>,
             gateway::FixGateway<net::TlsNetwork, Exchange, session::fix::MessageStore>,
             gateway::UdpGateway<net::AnyPath, ForwardClock, Exchange>,
             gateway::OuchGateway<net::TcpNetwork, Exchange>,
             recorded_market::ReplayGateway<Exchange>>;

}  // namespace damrak::exchange
