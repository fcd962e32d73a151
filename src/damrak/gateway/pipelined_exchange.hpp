// The exchange in its pipelined wiring behind the binary door on real sockets: the door's thread
// polls and answers, another one sequences and keeps, and one for each shard of the instruments
// matches. What `damrak serve --wiring pipelined` runs.
#pragma once

#include <damrak/gateway/binary_gateway.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>

namespace damrak::gateway {

class PipelinedExchange;
using PipelinedDoor = BinaryGateway<net::TcpNetwork, PipelinedExchange>;

/// A name of its own, as the door's type is part of the sequencer's and the other way round.
class PipelinedExchange : public sequencer::PipelinedSequencer<PipelinedDoor> {
  public:
    using PipelinedSequencer::PipelinedSequencer;
};

}  // namespace damrak::gateway

namespace damrak {

extern template class session::BinarySession<gateway::PipelinedDoor>;
extern template class gateway::BinaryGateway<net::TcpNetwork, gateway::PipelinedExchange>;

}  // namespace damrak
