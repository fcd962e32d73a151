// The exchange in its inline wiring behind its doors on real sockets: one thread polls, sequences,
// appends to the journal, matches and answers. What `damrak serve` runs.
#pragma once

#include <damrak/exchange/door_list.hpp>
#include <damrak/sequencer/sequencer.hpp>

namespace damrak::exchange {

/// Behind a list of doors, such as StandardDoors. A class of its own, as the doors' type is part of
/// the sequencer's and the other way round.
template <template <class Exchange> class List>
class InlineExchangeOf : public sequencer::Sequencer<List<InlineExchangeOf<List>>> {
  public:
    using sequencer::Sequencer<List<InlineExchangeOf<List>>>::Sequencer;
};

using InlineExchange = InlineExchangeOf<StandardDoors>;

}  // namespace damrak::exchange

namespace damrak {

extern template class session::BinarySession<
    gateway::BinaryGateway<net::TcpNetwork, exchange::InlineExchange>>;
extern template class gateway::BinaryGateway<net::TcpNetwork, exchange::InlineExchange>;
extern template class gateway::FixApplication<exchange::InlineExchange, session::fix::MessageStore>;
extern template class gateway::UdpGateway<net::AnyPath, ForwardClock, exchange::InlineExchange>;

}  // namespace damrak
