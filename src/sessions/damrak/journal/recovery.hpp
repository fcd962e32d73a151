// Recovery of a journal before it continues: reads all records, and distinguishes a torn end (which
// is cut) from damage (which prevents the start). Used once, at start, and by read-only tools.
//
// Records up to the newest synced mark have been on disk: any fault in them is damage. After it, a
// power loss may have kept any part of the writes. The journal then ends with the last record
// before the first incomplete one; the rest is cut, counted and reported. To cut is to overwrite
// with zeros: otherwise, once the place of the torn record is rewritten, a complete record after it
// would become part of the journal again.
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

/// From where a journal is read, and how faults are treated.
struct RecoveryOptions {
    std::uint64_t from = 1;    ///< the first requested record: the one after the snapshot's
    std::uint64_t synced = 0;  ///< known from elsewhere (a snapshot) to have been on disk
    bool cut = true;           ///< false: read-only; nothing is changed or locked
};

struct Recovery {
    std::optional<JournalIdentity> identity;  ///< empty: no journal yet
    std::uint64_t first_sequence = 0;         ///< the oldest record in the journal
    std::uint64_t last_sequence = 0;          ///< the newest; zero: none
    std::uint64_t synced = 0;                 ///< the newest synced mark
    Timestamp last_timestamp{INT64_MIN};
    std::uint64_t records = 0;      ///< number read, from the first requested one
    std::uint64_t segments = 0;     ///< files
    std::uint64_t cut_records = 0;  ///< partial or complete ones after the end
    std::string cut;                ///< what was (or would be) cut, and why; empty: nothing
    bool in_use = false;            ///< an exchange is writing it; reported only to read-only users
    std::shared_ptr<FolderLock> lock;
};

/// Reads a journal after a restart and finds its end.
class RecoveryScan {
  public:
    [[nodiscard]] static Result<RecoveryScan> begin(FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    const RecoveryOptions& options);
    /// The next records; empty after the last.
    [[nodiscard]] std::span<const Record> next() {
        const auto records = reader_ ? reader_->next() : std::span<const Record>{};
        result_.records += records.size();
        return records;
    }
    /// Call when next() returns none: judges how the records ended.
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

/// Calls `f(std::span<const Record>)` for all records in order. On return the end is clean, the
/// result holds the lock of the folder, and a Journal can continue.
template <class F>
[[nodiscard]] Result<Recovery> recover(FileSystem& files, const std::filesystem::path& folder,
                                       const RecoveryOptions& options, F&& f) {
    auto scan = RecoveryScan::begin(files, folder, options);
    if (!scan) return std::unexpected{std::move(scan.error())};
    for (auto records = scan->next(); !records.empty(); records = scan->next()) f(records);
    return scan->finish();
}

}  // namespace damrak::journal
