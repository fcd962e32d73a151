#include "serve_helpers.hpp"

#include <chrono>

#include <damrak/base/system_time.hpp>

namespace damrak::app {

Timestamp system_time() { return {system_time_ns()}; }

Timestamp unset_time() {
    using Clock = std::chrono::steady_clock;
    static const std::int64_t begin_ns = system_time_ns();
    static const auto begin = Clock::now();
    return {begin_ns + (Clock::now() - begin) / std::chrono::nanoseconds{1}};
}

namespace {

// The syncer of `group` is waited for; what the others do ahead or behind can wait, but not without
// end. Trading has pages and segments for some ten milliseconds ahead, and in the file system the
// keeper waits for the syncer: kept from their core by whatever else loads the machine, they would
// hold up everybody. After a quiet time they look less often; the keeper is called when it is
// over, as a burst fills the pages ahead in less than such a pause.
RunnerConfig helper(const char* name, bool waited_for) {
    if (waited_for) return {.name = name};
    return {.name = name,
            .pause = std::chrono::milliseconds{10},
            .longest_pause = std::chrono::milliseconds{50},
            .gives_way = true,
            .share = k_no_less};
}

}  // namespace

JournalHelpers::JournalHelpers(journal::Journal& journal)
    : keeper_(helper("journal-keeper", false), {AgentRef{journal.keeper()}}),
      syncer_(helper("journal-syncer", journal.config().durability == journal::Durability::group),
              {AgentRef{journal.syncer()}}) {}

}  // namespace damrak::app
