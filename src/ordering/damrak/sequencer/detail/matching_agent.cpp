#include <damrak/sequencer/detail/matching_agent.hpp>

namespace damrak::sequencer {

std::size_t MatchingAgent::do_work(std::int64_t /*now_ns*/) {
    const std::size_t most_events = partition_->config().maximum_events + std::size_t{1};
    std::size_t done = 0;
    for (const journal::Record& record : commands_->front()) {
        do {
            if (!events_->has_room(most_events)) return done;
            const Slice slice = more_follows_ ? partition_->resume(shard_)
                                              : partition_->apply(shard_, record.command);
            more_follows_ = slice.more;
            publish(slice, *events_);
        } while (more_follows_);
        // Released one by one, and last: once all are released, the sequencer owns the shard.
        commands_->release(1);
        ++done;
    }
    return done;
}

}  // namespace damrak::sequencer
