// The exchange in its inline wiring behind its doors on real sockets: one thread polls, sequences,
// appends to the journal, matches and answers. What `damrak serve` runs.
#pragma once

#include <damrak/exchange/doors.hpp>
#include <damrak/net/any_path.hpp>
#include <damrak/net/tcp_network.hpp>
#include <damrak/net/tls_network.hpp>
#include <damrak/sequencer/sequencer.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::exchange {

class InlineExchange;
using InlineDoors = Doors<net::TcpNetwork, InlineExchange, session::fix::MessageStore, net::AnyPath,
                          net::TlsNetwork>;

/// A name of its own, as the doors' type is part of the sequencer's and the other way round.
class InlineExchange : public sequencer::Sequencer<InlineDoors> {
  public:
    using Sequencer::Sequencer;
};

}  // namespace damrak::exchange

namespace damrak {

extern template class session::BinarySession<exchange::InlineDoors::Binary>;
extern template class gateway::BinaryGateway<net::TcpNetwork, exchange::InlineExchange>;
extern template class gateway::FixApplication<exchange::InlineExchange, session::fix::MessageStore>;
extern template class gateway::UdpGateway<net::AnyPath, net::TcpNetwork, exchange::InlineExchange>;

}  // namespace damrak
