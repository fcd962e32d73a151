// The list of gateways that `damrak serve` runs, as types: TCP, TLS and local datagrams. Add a new
// one at the end. What each is made from is in the setup.hpp of its room.
#pragma once

#include <damrak/base/system_time.hpp>
#include <damrak/gateway/binary/setup.hpp>
#include <damrak/gateway/fix/setup.hpp>
#include <damrak/gateway/ouch/setup.hpp>
#include <damrak/gateway/replay/setup.hpp>
#include <damrak/gateway/udp/setup.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls_network.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::exchange {
template <class Exchange, class... Ds>
class Gateways;  // exchange/detail/gateways.hpp
}

namespace damrak::standard_exchange {

template <class Exchange>
using Gateways = exchange::Gateways<
    Exchange, gateway::binary::BinaryGateway<net::TcpNetwork, Exchange>,
    gateway::fix::FixGateway<net::TlsNetwork, Exchange, session::fix::MessageStore>,
    gateway::udp::UdpGateway<net::AnyPath, ForwardClock, Exchange>,
    gateway::ouch::OuchGateway<net::TcpNetwork, Exchange>,
    gateway::replay::ReplayGateway<Exchange>>;

}  // namespace damrak::standard_exchange
