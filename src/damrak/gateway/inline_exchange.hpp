// The exchange in its inline wiring behind the binary door on real sockets: one thread polls,
// sequences, appends to the journal, matches and answers. What `damrak serve` runs.
#pragma once

#include <damrak/gateway/binary_gateway.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/sequencer/sequencer.hpp>

namespace damrak::gateway {

class InlineExchange;
using BinaryDoor = BinaryGateway<net::TcpNetwork, InlineExchange>;

/// A name of its own, as the door's type is part of the sequencer's and the other way round.
class InlineExchange : public sequencer::Sequencer<BinaryDoor> {
  public:
    using Sequencer::Sequencer;
};

}  // namespace damrak::gateway

namespace damrak {

extern template class Engine<sequencer::Sequencer<gateway::BinaryDoor>>;
extern template class session::BinarySession<gateway::BinaryDoor>;
extern template class gateway::BinaryGateway<net::TcpNetwork, gateway::InlineExchange>;

}  // namespace damrak
