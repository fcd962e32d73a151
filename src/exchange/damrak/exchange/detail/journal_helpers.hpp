// Helper threads of the journal while the exchange runs.
#pragma once

#include <damrak/base/runner.hpp>
#include <damrak/journal/journal.hpp>

namespace damrak::exchange {

/// The preallocator and the syncer of a journal, each on its own thread. The destructor syncs
/// everything to disk; it can fail.
class JournalHelpers {
  public:
    explicit JournalHelpers(journal::Journal& journal);

    /// Something was appended. Costs a system call after a long pause, else a load.
    void call() { preallocator_.call(); }

  private:
    Runner preallocator_;
    Runner syncer_;
};

}  // namespace damrak::exchange
