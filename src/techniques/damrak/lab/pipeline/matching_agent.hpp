// The middle of the pipeline: matches commands in place in the ring and writes the public updates
// into the next ring. One thread.
//
// `Matcher` does the matching: the product's engine, or a rung of the ladder. It has
//   apply(std::span<const Command>, UpdateWriter&)     all of them, in their order
//   k_updates_max                                      updates of one command
// Commands wait until there is room for that many updates.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include <damrak/lab/pipeline/gateway_agent.hpp>
#include <damrak/lab/pipeline/market_update.hpp>

namespace damrak::lab::pipeline {

template <class Matcher>
class MatchingAgent {
  public:
    /// At most `turn` commands a step.
    MatchingAgent(Matcher& matcher, CommandRing& commands, UpdateRing& updates, std::size_t turn)
        : matcher_(&matcher),
          commands_(&commands),
          updates_(&updates),
          writer_(updates),
          turn_(turn) {
        DAMRAK_ASSERT(turn * Matcher::k_updates_max <= updates.capacity());
    }

    void on_start() {}
    std::size_t do_work(std::int64_t /*now_ns*/) {
        auto commands = commands_->front();
        commands = commands.first(std::min(commands.size(), turn_));
        if (commands.empty() || !updates_->has_room(commands.size() * Matcher::k_updates_max))
            return 0;
        matcher_->apply(commands, writer_);
        writer_.publish();
        commands_->release(commands.size());
        return commands.size();
    }
    void on_close() {}

  private:
    Matcher* matcher_;
    CommandRing* commands_;
    UpdateRing* updates_;
    UpdateWriter writer_;
    std::size_t turn_;
};

}  // namespace damrak::lab::pipeline
