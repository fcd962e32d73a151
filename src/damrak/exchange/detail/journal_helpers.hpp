// Threads that look after the journal while the exchange runs.
#pragma once

#include <damrak/base/runner.hpp>
#include <damrak/journal/journal.hpp>

namespace damrak::exchange {

/// Preallocator and syncer of a journal, each on a thread of its own. After destruction everything
/// is on the disk, unless that failed.
class JournalHelpers {
  public:
    explicit JournalHelpers(journal::Journal& journal);

    /// Something was appended. Costs a system call where nothing was for long, else a load.
    void call() { preallocator_.call(); }

  private:
    Runner preallocator_;
    Runner syncer_;
};

}  // namespace damrak::exchange
