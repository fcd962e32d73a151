// Matches in one shard: takes stamped commands from its ring, applies them, and writes the events
// to another ring, slice by slice. If there is no room for a slice, the command stays in its ring.
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
