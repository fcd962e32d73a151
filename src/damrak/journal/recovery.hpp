// What is to be done with a journal before it goes on: read all that is kept, tell a torn end
// (which is cut) from damage (which stops the start). Used once, at start, and by those who only
// look.
//
// Records up to the newest synced mark have been on the disk: anything wrong with them is damage.
// Behind it, a power loss may have kept any part of what was written: the journal ends with the
// last record before the first one that is not whole, and what lies behind it is cut, counted and
// told. Cut means zeroed: a whole record behind a torn one would otherwise come back to life once
// the place of the torn one is written anew.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include <damrak/journal/reader.hpp>

namespace damrak::journal {

struct RecoveryOptions {
    std::uint64_t from = 1;    ///< the first record that is wanted: one after the snapshot's
    std::uint64_t synced = 0;  ///< known from elsewhere (a snapshot) to have been on the disk
    bool cut = true;           ///< false: look only; nothing is changed, and nothing is locked
};

struct Recovery {
    std::optional<JournalIdentity> identity;  ///< none: no journal yet
    std::uint64_t first_sequence = 0;         ///< the oldest record in the journal
    std::uint64_t last_sequence = 0;          ///< the newest; zero: none
    std::uint64_t synced = 0;                 ///< the newest synced mark
    Timestamp last_timestamp{INT64_MIN};
    std::uint64_t records = 0;      ///< that were read, from the one that was requested
    std::uint64_t segments = 0;     ///< files
    std::uint64_t cut_records = 0;  ///< begun or whole, behind the end
    std::string cut;                ///< what was (or would be) cut and why; empty: nothing
    bool in_use = false;            ///< an exchange is writing it; reported only to read-only users
    std::shared_ptr<FolderLock> lock;
};

class RecoveryScan {
  public:
    [[nodiscard]] static Result<RecoveryScan> begin(FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    const RecoveryOptions& options);
    /// The next records; none once all were given.
    [[nodiscard]] std::span<const Record> next() {
        const auto records = reader_ ? reader_->next() : std::span<const Record>{};
        result_.records += records.size();
        return records;
    }
    /// Judges how the records ended, after next() gave none.
    [[nodiscard]] Result<Recovery> finish();

  private:
    RecoveryScan(FileSystem& files, RecoveryOptions options) : files_(&files), options_(options) {}

    [[nodiscard]] Result<void> judge() const;
    [[nodiscard]] Result<void> clear_rest();
    [[nodiscard]] Result<std::uint64_t> clear(const SegmentFile& segment, std::uint64_t from);

    FileSystem* files_;
    RecoveryOptions options_;
    JournalFolder contents_;
    std::optional<JournalReader> reader_;
    Recovery result_;
};

/// Whether this program may match the records from `from` on. It may not if any have earlier rules,
/// as it would derive other events and another state from them.
[[nodiscard]] Result<void> check_rules(FileSystem& files, const std::filesystem::path& folder,
                                       const JournalFolder& contents, std::uint64_t from);

/// `f(std::span<const Record>)` for all records in order. On return the end is clean, the folder is
/// locked by the result, and a Journal can go on behind it.
template <class F>
[[nodiscard]] Result<Recovery> recover(FileSystem& files, const std::filesystem::path& folder,
                                       const RecoveryOptions& options, F&& f) {
    auto scan = RecoveryScan::begin(files, folder, options);
    if (!scan) return std::unexpected{std::move(scan.error())};
    for (auto records = scan->next(); !records.empty(); records = scan->next()) f(records);
    return scan->finish();
}

}  // namespace damrak::journal
