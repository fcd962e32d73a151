#include "serve_helpers.hpp"

#include <chrono>

namespace damrak::app {

Timestamp system_time() {
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count()};
}

JournalHelpers::JournalHelpers(journal::Journal& journal)
    : keeper_({.name = "journal-keeper", .waiting = Waiting::block}, {AgentRef{journal.keeper()}}),
      syncer_({.name = "journal-syncer", .waiting = Waiting::block}, {AgentRef{journal.syncer()}}) {
}

}  // namespace damrak::app
