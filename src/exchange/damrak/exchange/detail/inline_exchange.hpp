// The inline wiring of the exchange with its gateways on real sockets: one thread polls, sequences,
// appends to the journal, matches and answers. `damrak serve` runs it by default.
#pragma once

#include <damrak/exchange/detail/delayed.hpp>
#include <damrak/sequencer/sequencer.hpp>

namespace damrak::exchange {

/// With a list of gateways such as standard_exchange::Gateways. A class of its own, because the
/// types of the gateways and of the sequencer depend on each other.
template <template <class Exchange> class List>
class InlineExchangeOf : public Delayed<sequencer::Sequencer<List<InlineExchangeOf<List>>>> {
  public:
    using Delayed<sequencer::Sequencer<List<InlineExchangeOf<List>>>>::Delayed;
};

}  // namespace damrak::exchange
