#include <damrak/journal/retention.hpp>

#include <algorithm>

#include <damrak/journal/folder.hpp>
#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

namespace {

// Removes surplus snapshots. Returns the oldest sequence that is still needed, or zero if nothing
// may be removed: too few valid snapshots of this journal, or none from which a restart can replay
// the records after `resumed`. Leaves snapshots of other journals alone.
Result<std::uint64_t> thin_snapshots(FileSystem& files, const std::filesystem::path& folder,
                                     const JournalIdentity& journal, std::size_t keep,
                                     std::uint64_t resumed, Removed& removed) {
    const auto snapshots = list_snapshots(files, folder);
    if (!snapshots) return std::unexpected{snapshots.error()};
    std::uint64_t needed = 0;
    std::size_t kept = 0;
    for (const SnapshotFile& snapshot : *snapshots) {
        const auto opened = open_snapshot(files, snapshot.path);
        if (!opened) continue;  // left for diagnosis
        const SnapshotInfo& info = opened->info;
        if (info.instance != journal.instance || info.sequence != snapshot.sequence) continue;
        if (kept < keep || needed > resumed) {
            needed = snapshot.sequence;
            ++kept;
            continue;
        }
        if (const auto done = files.remove(snapshot.path); !done)
            return std::unexpected{done.error()};
        ++removed.snapshots;
        removed.bytes += snapshot.bytes;
    }
    return kept >= keep && needed <= resumed ? needed : 0;
}

}  // namespace

Result<Removed> apply_retention(FileSystem& files, const std::filesystem::path& folder,
                                const Retention& retention, Timestamp now,
                                const RecordsInUse& in_use) {
    Removed removed;
    const auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    if (contents->segments.empty()) return removed;
    const auto needed = thin_snapshots(files, folder, contents->segments.front().header.identity,
                                       retention.snapshots, in_use.resumed, removed);
    if (!needed) return std::unexpected{needed.error()};
    std::uint64_t bytes = 0;
    for (const SegmentFile& segment : contents->segments) bytes += segment.header.segment_bytes;
    for (const SegmentFile& segment : contents->segments) {
        const SegmentHeader& header = segment.header;
        // The snapshot's own record stays: a restart checks that the journal has it.
        if (header.last_sequence() >= *needed || header.last_sequence() > in_use.read) break;
        const bool too_much = retention.bytes != 0 && bytes > retention.bytes;
        const bool too_old =
            retention.age_ns != 0 && now.value - header.created.value > retention.age_ns;
        if (!too_much && !too_old) break;
        if (const auto done = files.remove(segment.path); !done)
            return std::unexpected{done.error()};
        bytes -= header.segment_bytes;
        ++removed.segments;
        removed.bytes += header.segment_bytes;
    }
    return removed;
}

}  // namespace damrak::journal
