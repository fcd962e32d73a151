#include <damrak/exchange/pipelined_exchange.hpp>

namespace damrak {

template class session::BinarySession<exchange::PipelinedDoors::Binary>;
template class gateway::BinaryGateway<net::TcpNetwork, exchange::PipelinedExchange>;
template class gateway::FixApplication<exchange::PipelinedExchange, session::fix::MessageStore>;
template class gateway::UdpGateway<net::AnyPath, net::TcpNetwork, exchange::PipelinedExchange>;

}  // namespace damrak
