#include <damrak/exchange/pipelined_exchange.hpp>

namespace damrak {

template class session::BinarySession<gateway::PipelinedDoors::Binary>;
template class gateway::BinaryGateway<net::TcpNetwork, gateway::PipelinedExchange>;
template class gateway::FixDesk<gateway::PipelinedExchange, session::fix::MessageStore>;
template class gateway::UdpGateway<net::AnyPath, net::TcpNetwork, gateway::PipelinedExchange>;

}  // namespace damrak
