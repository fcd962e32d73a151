#include <damrak/sequencer/matching_agent.hpp>

namespace damrak::sequencer {

std::size_t MatchingAgent::do_work(std::int64_t /*now_ns*/) {
    const std::size_t most_events = partition_->config().maximum_events + std::size_t{1};
    std::size_t done = 0;
    for (const journal::Record& record : commands_->front()) {
        if (!events_->has_room(most_events)) break;
        const bool more = partition_->apply(shard_, record.command, *events_);
        if (more) [[unlikely]] {
            journal::Record* const next = continuations_->claim();
            DAMRAK_ASSERT(next != nullptr);
            *next = record;
            next->command = continuation_of(record.command);
            continuations_->publish();
        }
        end_events(*events_, more);
        // One by one and last: once all are given back, the shard is the sequencer's.
        commands_->release(1);
        ++done;
    }
    return done;
}

}  // namespace damrak::sequencer
