#include <damrak/gateway/pipelined_exchange.hpp>

namespace damrak {

template class session::BinarySession<gateway::PipelinedDoor>;
template class gateway::BinaryGateway<net::TcpNetwork, gateway::PipelinedExchange>;

}  // namespace damrak
