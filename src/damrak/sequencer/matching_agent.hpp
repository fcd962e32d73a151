// Matches in one shard: takes stamped commands from its ring, applies them, and puts the events in
// another, slice by slice. Where a slice has no room, the command waits where it is.
#pragma once

#include <cstddef>
#include <cstdint>

#include <damrak/sequencer/pipeline_rings.hpp>

namespace damrak::sequencer {

class MatchingAgent {
  public:
    MatchingAgent(Partition& partition, PipelineRings& rings, std::size_t shard)
        : partition_(&partition),
          shard_(shard),
          commands_(rings.commands[shard].get()),
          events_(rings.events[shard].get()) {}

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

  private:
    Partition* partition_;
    std::size_t shard_;
    RecordRing* commands_;
    EventRing* events_;
    bool more_follows_ = false;  ///< of the oldest command
};

}  // namespace damrak::sequencer
