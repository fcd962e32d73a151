// Matches in one shard: takes stamped commands from its ring, applies them, and puts the events in
// another. Where the events have no room, the commands wait.
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
          continuations_(rings.continuations[shard].get()),
          events_(rings.events[shard].get()) {}

    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

  private:
    Partition* partition_;
    std::size_t shard_;
    RecordRing* commands_;
    RecordRing* continuations_;
    EventRing* events_;
};

}  // namespace damrak::sequencer
