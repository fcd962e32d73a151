#include <damrak/gateway/inline_exchange.hpp>

namespace damrak {

template class Engine<sequencer::Sequencer<gateway::BinaryDoor>>;
template class session::BinarySession<gateway::BinaryDoor>;
template class gateway::BinaryGateway<net::TcpNetwork, gateway::InlineExchange>;

}  // namespace damrak
