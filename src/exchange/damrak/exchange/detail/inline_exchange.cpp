#include <damrak/exchange/detail/inline_exchange.hpp>

namespace damrak {

template class session::BinarySession<
    gateway::BinaryGateway<net::TcpNetwork, exchange::InlineExchange>>;
template class gateway::BinaryGateway<net::TcpNetwork, exchange::InlineExchange>;
template class gateway::FixApplication<exchange::InlineExchange, session::fix::MessageStore>;
template class gateway::UdpGateway<net::AnyPath, ForwardClock, exchange::InlineExchange>;

}  // namespace damrak
