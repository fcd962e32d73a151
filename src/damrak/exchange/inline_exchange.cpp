#include <damrak/exchange/inline_exchange.hpp>

namespace damrak {

template class session::BinarySession<gateway::InlineDoors::Binary>;
template class gateway::BinaryGateway<net::TcpNetwork, gateway::InlineExchange>;
template class gateway::FixDesk<gateway::InlineExchange, session::fix::MessageStore>;
template class gateway::UdpGateway<net::AnyPath, net::TcpNetwork, gateway::InlineExchange>;

}  // namespace damrak
