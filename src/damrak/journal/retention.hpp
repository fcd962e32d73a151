// Removal of old snapshots, and of segments that no kept snapshot needs. The replica applies it
// after each snapshot, off the path of an order.
#pragma once

#include <cstdint>
#include <filesystem>

#include <damrak/domain/measures.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::journal {

struct Retention {
    /// Segments beyond this are removed, the oldest first; zero: none for their size.
    std::uint64_t bytes = 0;
    /// Segments that were begun longer ago are removed; zero: none for their age.
    std::int64_t age_ns = 0;
    /// Number of snapshots to keep. Older ones are needed if the newest is damaged.
    std::size_t snapshots = 2;
};

/// Others who follow the journal.
struct RecordsInUse {
    std::uint64_t read = UINT64_MAX;     ///< the last record that all of them have read
    std::uint64_t resumed = UINT64_MAX;  ///< a restart has to replay the records after this one
};

struct Removed {
    std::uint64_t segments = 0;
    std::uint64_t snapshots = 0;
    std::uint64_t bytes = 0;
};

/// Removes what may go. A segment stays, whatever its size and age, unless there are as many sound
/// snapshots as are to be kept and all its records are before all of them; nor while others use its
/// records. For a restart that has to replay older ones, an older snapshot is kept, too.
[[nodiscard]] Result<Removed> apply_retention(FileSystem& files,
                                              const std::filesystem::path& folder,
                                              const Retention& retention, Timestamp now,
                                              const RecordsInUse& in_use = {});

}  // namespace damrak::journal
