#include <damrak/exchange/detail/journal_helpers.hpp>

#include <chrono>

namespace damrak::exchange {

namespace {

// The exchange waits for the syncer under `group`. Otherwise the helpers' work can wait, but not
// for ever: trading has pages and segments for some ten milliseconds ahead, and the file system
// makes the preallocator wait for the syncer. If other load kept them from their core, all clients
// would wait. After a quiet time they look less often; a burst fills the pages ahead in less than
// such a pause, so its beginning wakes the preallocator.
RunnerConfig helper(const char* name, bool waited_for) {
    if (waited_for) return {.name = name};
    return {.name = name,
            .pause = std::chrono::milliseconds{10},
            .longest_pause = std::chrono::milliseconds{50},
            .is_helper = true,
            .share = k_no_less};
}

}  // namespace

JournalHelpers::JournalHelpers(journal::Journal& journal)
    : preallocator_(helper("journal-alloc", false), {AgentRef{journal.preallocator()}}),
      syncer_(helper("journal-syncer", journal.config().durability == journal::Durability::group),
              {AgentRef{journal.syncer()}}) {}

}  // namespace damrak::exchange
