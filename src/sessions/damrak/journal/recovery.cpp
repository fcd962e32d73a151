#include <damrak/journal/recovery.hpp>

#include <algorithm>
#include <cstring>
#include <ranges>

#include <fmt/format.h>

#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

namespace {

bool is_blank(std::span<const std::byte> bytes) {
    // A range that equals itself shifted by one byte has the same value throughout.
    return bytes.empty() || (bytes[0] == std::byte{0} &&
                             std::memcmp(bytes.data(), bytes.data() + 1, bytes.size() - 1) == 0);
}

// The offset of the first record slot from `offset` on that is not all zeros, or the file's size.
std::size_t next_used(const MappedFile& file, std::size_t offset, std::size_t end) {
    constexpr std::size_t k_block_slots = 4'096;
    while (offset < end) {
        // From a position within a slot back to its start.
        const std::size_t data = std::min(file.next_data(offset), end);
        offset += (data - offset) / k_record_bytes * k_record_bytes;
        if (data == end) return end;
        const std::size_t block = std::min(k_block_slots * k_record_bytes, end - offset);
        if (is_blank({file.data() + offset, block})) {
            offset += block;
            continue;
        }
        while (is_blank({file.data() + offset, k_record_bytes})) offset += k_record_bytes;
        return offset;
    }
    return end;
}

// Without segments, a snapshot may be all that is left of a journal: a new one must not overwrite
// it.
Result<void> check_room_for_a_new_journal(FileSystem& files, const std::filesystem::path& folder) {
    const auto snapshots = list_snapshots(files, folder);
    if (!snapshots) return std::unexpected{snapshots.error()};
    if (snapshots->empty()) return {};
    return std::unexpected{fmt::format(
        "{} holds a snapshot of record {} and no segment of its journal (no file journal-….seg), "
        "so records are missing: restore the segments from a copy, or move the snapshots away to "
        "begin a new, empty journal",
        folder.string(), snapshots->front().sequence)};
}

}  // namespace

Result<RecoveryScan> RecoveryScan::begin(FileSystem& files, const std::filesystem::path& folder,
                                         const RecoveryOptions& options) {
    RecoveryScan scan{files, options};
    if (options.cut) {
        if (const auto made = files.create_folder(folder); !made)
            return std::unexpected{made.error()};
        auto lock = files.lock(folder);
        if (!lock) return std::unexpected{lock.error()};
        scan.result_.lock = std::move(*lock);
    }
    auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    scan.contents_ = std::move(*contents);
    const bool no_journal = scan.contents_.segments.empty();
    if (no_journal && options.cut)
        if (const auto room = check_room_for_a_new_journal(files, folder); !room)
            return std::unexpected{room.error()};
    if (options.cut)
        for (const auto& path : scan.contents_.unfinished)
            if (const auto removed = files.remove(path); !removed)
                return std::unexpected{removed.error()};
    // A new journal begins in an empty folder. Records after a snapshot, or records to inspect,
    // need an existing journal.
    if (no_journal && options.cut && options.from <= 1) return scan;
    if (!options.cut) scan.result_.in_use = !files.lock(folder).has_value();
    auto reader = JournalReader::open(files, folder, scan.contents_, options.from);
    if (!reader) return std::unexpected{reader.error()};
    scan.reader_ = std::move(*reader);
    return scan;
}

Result<Recovery> RecoveryScan::finish() {
    if (!reader_) return std::move(result_);
    const SegmentHeader& oldest = contents_.segments.front().header;
    result_.identity = oldest.identity;
    result_.last_sequence = reader_->position() - 1;
    result_.first_sequence = result_.last_sequence == 0 ? 0 : oldest.first_sequence;
    result_.last_timestamp = reader_->last_timestamp();
    result_.segments = contents_.segments.size();
    result_.synced = std::max(contents_.synced, options_.synced);
    if (const auto sound = judge(); !sound) return std::unexpected{sound.error()};
    if (!result_.in_use)
        if (const auto cleared = clear_rest(); !cleared) return std::unexpected{cleared.error()};
    return std::move(result_);
}

// Checks that the records end at a permitted place.
Result<void> RecoveryScan::judge() const {
    if (reader_->stop() == JournalReader::Stop::unreadable)
        return std::unexpected{reader_->trouble()};
    const std::uint64_t position = reader_->position();
    if (position > result_.synced) return {};
    const SegmentFile* segment = contents_.segment_of(position);
    const std::string trouble =
        !reader_->trouble().empty() ? reader_->trouble()
        : segment == nullptr
            ? fmt::format("{}: record {} is missing, and the segment that held it",
                          contents_.segments.back().path.string(), position)
            : fmt::format("{}, offset {}: record {} is missing: there is no record here",
                          segment->path.string(), offset_of(segment->header, position), position);
    return std::unexpected{fmt::format(
        "{}. The journal was on the disk up to record {}, so this is damage and not a torn end: "
        "restore the segment from a copy, or start from a snapshot of sequence {} or later with "
        "the segments up to it moved away",
        trouble, result_.synced, position)};
}

// Counts the bytes after the end, and cuts them on request.
Result<void> RecoveryScan::clear_rest() {
    const std::uint64_t end = reader_->position();
    const std::string why = reader_->stop() == JournalReader::Stop::unsound
                                ? reader_->trouble()
                                : fmt::format("record {} is not whole", end);
    // From the back, so that any interruption leaves a journal with a torn end.
    for (const SegmentFile& segment : contents_.segments | std::views::reverse) {
        if (segment.header.last_sequence() < end) break;
        const auto cleared = clear(segment, std::max(end, segment.header.first_sequence));
        if (!cleared) return std::unexpected{cleared.error()};
        result_.cut_records += *cleared;
        if (!options_.cut || segment.header.first_sequence <= end) continue;
        if (const auto removed = files_->remove(segment.path); !removed)
            return std::unexpected{removed.error()};
        --result_.segments;
    }
    if (result_.cut_records > 0)
        result_.cut = fmt::format(
            "torn end: {}; records {} and after it {} cut ({} in all); the journal was on the "
            "disk up to record {}",
            why, end, options_.cut ? "were" : "would be", result_.cut_records, result_.synced);
    return {};
}

Result<std::uint64_t> RecoveryScan::clear(const SegmentFile& segment, std::uint64_t from) {
    const auto file = files_->open_mapped(
        segment.path, options_.cut ? FileSystem::Access::write : FileSystem::Access::read);
    if (!file) return std::unexpected{file.error()};
    const std::size_t end = k_header_bytes + segment.header.capacity() * k_record_bytes;
    std::uint64_t used = 0;
    std::size_t first = end;
    std::size_t last = 0;
    for (std::size_t at = next_used(**file, offset_of(segment.header, from), end); at < end;
         at = next_used(**file, at + k_record_bytes, end)) {
        first = std::min(first, at);
        last = at + k_record_bytes;
        ++used;
        if (options_.cut) std::memset((*file)->data() + at, 0, k_record_bytes);
    }
    if (options_.cut && used > 0)
        if (const auto synced = (*file)->sync(first, last - first); !synced)
            return std::unexpected{synced.error()};
    return used;
}

}  // namespace damrak::journal
