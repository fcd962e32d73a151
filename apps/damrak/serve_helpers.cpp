#include "serve_helpers.hpp"

#include <chrono>

namespace damrak::app {

Timestamp system_time() {
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count()};
}

// The syncer of `group` is waited for, so it looks again soon while it has work.
JournalHelpers::JournalHelpers(journal::Journal& journal)
    : keeper_({.name = "journal-keeper", .waiting = Waiting::block}, {AgentRef{journal.keeper()}}),
      syncer_(
          {.name = "journal-syncer",
           .waiting = journal.config().durability == journal::Durability::group ? Waiting::backoff
                                                                                : Waiting::block},
          {AgentRef{journal.syncer()}}) {}

}  // namespace damrak::app
