#include "serve_helpers.hpp"

#include <chrono>

namespace damrak::app {

Timestamp system_time() {
    return {std::chrono::duration_cast<std::chrono::nanoseconds>(
                std::chrono::system_clock::now().time_since_epoch())
                .count()};
}

// The syncer of `group` is waited for; what the others do ahead or behind can wait itself.
JournalHelpers::JournalHelpers(journal::Journal& journal)
    : keeper_({.name = "journal-keeper", .gives_way = true}, {AgentRef{journal.keeper()}}),
      syncer_({.name = "journal-syncer",
               .gives_way = journal.config().durability != journal::Durability::group},
              {AgentRef{journal.syncer()}}) {}

}  // namespace damrak::app
