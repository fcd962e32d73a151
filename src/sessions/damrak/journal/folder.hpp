// The segments in a journal's folder, checked against each other: all of one journal, none missing,
// none twice. Read once, at start; costs one page per segment.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include <damrak/journal/file_system.hpp>
#include <damrak/journal/segment.hpp>

namespace damrak::journal {

/// A segment that is there.
struct SegmentFile {
    std::filesystem::path path;
    SegmentHeader header;
    std::uint64_t mark = 0;  ///< its synced mark when it was read
};

/// The segments of a directory.
struct JournalFolder {
    std::vector<SegmentFile> segments;  ///< in order; empty: no journal yet
    std::uint64_t synced = 0;           ///< the newest synced mark of all segments
    /// Segments and snapshots whose writer ended before they were complete: they are useless. Files
    /// with other names are left alone.
    std::vector<std::filesystem::path> unfinished;

    /// The segment that has, or would have, this record; null if it precedes or follows all.
    [[nodiscard]] const SegmentFile* segment_of(std::uint64_t sequence) const;
};

/// A folder that does not exist has no segments.
[[nodiscard]] Result<JournalFolder> look_into(FileSystem& files,
                                              const std::filesystem::path& folder);

/// Suffix of a segment until its header is on disk, and of a snapshot until it is complete.
inline constexpr std::string_view k_unfinished_suffix = ".new";

}  // namespace damrak::journal
