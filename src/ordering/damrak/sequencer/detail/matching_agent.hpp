// Matches in one shard: takes stamped commands from its ring, applies them, and writes the events
// to another ring, slice by slice. If there is no room for a slice, the command stays in its ring.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

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
    /// The sequencer announces commands, but nobody announces room for their events.
    [[nodiscard]] std::int64_t next_step_ns(std::int64_t now_ns) const {
        return commands_->front().empty() ? std::numeric_limits<std::int64_t>::max() : now_ns;
    }

  private:
    Partition* partition_;
    std::size_t shard_;
    RecordRing* commands_;
    EventRing* events_;
    bool more_follows_ = false;  ///< of the oldest command
};

}  // namespace damrak::sequencer
