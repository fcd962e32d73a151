// The exchange in its pipelined wiring behind its doors on real sockets: the doors' thread polls
// and answers, another one sequences and keeps, and one for each shard of the instruments matches.
// What `damrak serve --wiring pipelined` runs.
#pragma once

#include <damrak/exchange/doors.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls_network.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::exchange {

class PipelinedExchange;
using PipelinedDoors = Doors<net::TcpNetwork, PipelinedExchange, session::fix::MessageStore,
                             net::AnyPath, net::TlsNetwork>;

/// A name of its own, as the doors' type is part of the sequencer's and the other way round.
class PipelinedExchange : public sequencer::PipelinedSequencer<PipelinedDoors> {
  public:
    using PipelinedSequencer::PipelinedSequencer;
};

}  // namespace damrak::exchange

namespace damrak {

extern template class session::BinarySession<exchange::PipelinedDoors::Binary>;
extern template class gateway::BinaryGateway<net::TcpNetwork, exchange::PipelinedExchange>;
extern template class gateway::FixApplication<exchange::PipelinedExchange,
                                              session::fix::MessageStore>;
extern template class gateway::UdpGateway<net::AnyPath, net::TcpNetwork,
                                          exchange::PipelinedExchange>;

}  // namespace damrak
