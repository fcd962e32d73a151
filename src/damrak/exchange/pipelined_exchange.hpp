// The exchange in its pipelined wiring behind its doors on real sockets: the doors' thread polls
// and answers, another one sequences and keeps, and one for each shard of the instruments matches.
// What `damrak serve --wiring pipelined` runs.
#pragma once

#include <damrak/exchange/door_list.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>

namespace damrak::exchange {

/// Behind a list of doors, such as StandardDoors. A class of its own, as the doors' type is part of
/// the sequencer's and the other way round.
template <template <class Exchange> class List>
class PipelinedExchangeOf : public sequencer::PipelinedSequencer<List<PipelinedExchangeOf<List>>> {
  public:
    using sequencer::PipelinedSequencer<List<PipelinedExchangeOf<List>>>::PipelinedSequencer;
};

using PipelinedExchange = PipelinedExchangeOf<StandardDoors>;

}  // namespace damrak::exchange

namespace damrak {

extern template class session::BinarySession<
    gateway::BinaryGateway<net::TcpNetwork, exchange::PipelinedExchange>>;
extern template class gateway::BinaryGateway<net::TcpNetwork, exchange::PipelinedExchange>;
extern template class gateway::FixApplication<exchange::PipelinedExchange,
                                              session::fix::MessageStore>;
extern template class gateway::UdpGateway<net::AnyPath, ForwardClock, exchange::PipelinedExchange>;

}  // namespace damrak
