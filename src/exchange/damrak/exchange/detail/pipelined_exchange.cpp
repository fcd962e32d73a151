#include <damrak/exchange/detail/pipelined_exchange.hpp>

namespace damrak {

template class session::BinarySession<
    gateway::BinaryGateway<net::TcpNetwork, exchange::PipelinedExchange>>;
template class gateway::BinaryGateway<net::TcpNetwork, exchange::PipelinedExchange>;
template class gateway::FixApplication<exchange::PipelinedExchange, session::fix::MessageStore>;
template class gateway::UdpGateway<net::AnyPath, ForwardClock, exchange::PipelinedExchange>;

}  // namespace damrak
