// Removal of old snapshots, and of segments that no kept snapshot needs. The replica applies it
// after each snapshot, off the path of an order.
#pragma once

#include <cstdint>
#include <filesystem>

#include <damrak/domain/measures.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::journal {

struct Retention {
    /// Segments beyond this size are removed, the oldest first; zero: no limit.
    std::uint64_t bytes = 0;
    /// Segments begun longer ago are removed; zero: no limit.
    std::int64_t age_ns = 0;
    /// Number of snapshots to keep. Older ones are needed if the newest is damaged.
    std::size_t snapshots = 2;
};

/// Positions of other followers of the journal.
struct RecordsInUse {
    std::uint64_t read = UINT64_MAX;     ///< the last record that all of them are done with
    std::uint64_t resumed = UINT64_MAX;  ///< a restart must replay the records after this one
};

/// What was removed.
struct Removed {
    std::uint64_t segments = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t bytes = 0;
};

/// Removes obsolete files. A segment stays, whatever its size and age, unless the configured number
/// of valid snapshots exists and all its records precede all of them; or while others use its
/// records. If a restart must replay earlier records, an earlier snapshot is kept, too.
[[nodiscard]] Result<Removed> apply_retention(FileSystem& files,
                                              const std::filesystem::path& folder,
                                              const Retention& retention, Timestamp now,
                                              const RecordsInUse& in_use = {});

}  // namespace damrak::journal
