#include <damrak/exchange/detail/journal_helpers.hpp>

#include <chrono>

namespace damrak::exchange {

namespace {

// With `group` durability the exchange waits for the syncer. Other helper work may be delayed, but
// not for long: trading has pages and segments for some ten milliseconds ahead, and the file system
// makes the preallocator wait for the syncer. If other load kept the helpers from the core for
// longer, all clients would wait. After a quiet time the helpers check less often; a burst uses up
// the prepared pages in less than that pause, so its beginning wakes the preallocator.
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
