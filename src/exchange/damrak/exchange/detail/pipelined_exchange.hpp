// The pipelined wiring of the exchange with its gateways on real sockets: the gateways' thread
// polls and answers, another thread sequences and journals, and one thread per shard of the
// instruments matches. `damrak serve --wiring pipelined` runs it.
#pragma once

#include <damrak/exchange/detail/delayed.hpp>
#include <damrak/sequencer/pipelined_sequencer.hpp>

namespace damrak::exchange {

/// With a list of gateways such as standard_exchange::Gateways. A class of its own, because the
/// types of the gateways and of the sequencer depend on each other.
template <template <class Exchange> class List>
class PipelinedExchangeOf
    : public Delayed<sequencer::PipelinedSequencer<List<PipelinedExchangeOf<List>>>> {
  public:
    using Delayed<sequencer::PipelinedSequencer<List<PipelinedExchangeOf<List>>>>::Delayed;
};

}  // namespace damrak::exchange
