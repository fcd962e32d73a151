// A journal that is being written: its files, the writer for the sequencing thread, and the
// helpers. Created at start by one thread, after recovery has read all records (see recovery.hpp).
//
//   auto recovery = recover(files, folder, {}, apply);
//   auto journal = Journal::open(files, config, *recovery, identity, now);
//   …run (*journal)->preallocator() and (*journal)->syncer(); append to (*journal)->writer()…
#pragma once

#include <memory>

#include <damrak/journal/detail/preallocator.hpp>
#include <damrak/journal/detail/syncer.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/journal/writer.hpp>

namespace damrak::journal {

/// Checks that the journal was begun for a compatible engine.
[[nodiscard]] Result<void> check_engine(const EngineConfig& kept, const EngineConfig& asked);

class Journal {
  public:
    /// Continues after the recovered records. `identity` is used only for a new journal; an
    /// existing one has its own, and is rejected if it was made for an incompatible engine.
    [[nodiscard]] static Result<std::unique_ptr<Journal>> open(FileSystem& files,
                                                               const JournalConfig& config,
                                                               const Recovery& recovery,
                                                               const JournalIdentity& identity,
                                                               Timestamp now);
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;

    [[nodiscard]] JournalWriter& writer() { return *writer_; }
    [[nodiscard]] const JournalWriter& writer() const { return *writer_; }
    [[nodiscard]] SegmentPreallocator& preallocator() { return preallocator_; }
    [[nodiscard]] JournalSyncer& syncer() { return syncer_; }
    [[nodiscard]] const JournalConfig& config() const { return config_; }
    [[nodiscard]] const JournalIdentity& identity() const { return identity_; }

  private:
    Journal(FileSystem& files, JournalConfig config, const Recovery& recovery)
        : config_(std::move(config)),
          lock_(recovery.lock),
          preallocator_(files, config_, chain_, handover_),
          syncer_(config_, chain_, handover_) {}

    [[nodiscard]] Result<void> attach(FileSystem& files, const Recovery& recovery, Timestamp now);

    JournalConfig config_;
    std::shared_ptr<FolderLock> lock_;
    JournalIdentity identity_;
    detail::Handover handover_;
    detail::SegmentChain chain_;
    std::unique_ptr<JournalWriter> writer_;
    SegmentPreallocator preallocator_;
    JournalSyncer syncer_;
};

}  // namespace damrak::journal
