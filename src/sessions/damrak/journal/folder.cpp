#include <damrak/journal/folder.hpp>

#include <algorithm>

#include <fmt/format.h>

#include <damrak/journal/snapshot.hpp>

namespace damrak::journal {

namespace {

std::string instance_text(const JournalIdentity& identity) {
    return fmt::format("{:016x}{:016x}", identity.instance[0], identity.instance[1]);
}

// Whether only an unfinished file can have this name.
bool is_unfinished(std::string_view name) {
    if (!name.ends_with(k_unfinished_suffix)) return false;
    name.remove_suffix(k_unfinished_suffix.size());
    return parse_segment_name(name) || parse_snapshot_name(name);
}

// Whether a file of an earlier listing is gone: the retention of a running exchange removes
// segments at any time.
bool is_gone(FileSystem& files, const std::filesystem::path& folder, std::string_view name) {
    const auto entries = files.list(folder);
    return entries && std::ranges::find(*entries, name, &FileSystem::Entry::name) == entries->end();
}

// Checks a single segment. Returns what is wrong, or an empty string.
std::string check_name(const SegmentFile& segment) {
    if (parse_segment_name(segment.path.filename().string()) == segment.header.first_sequence)
        return {};
    return fmt::format(
        "{}: its header says that it begins with sequence {}, so it should be called {}: it was "
        "copied or renamed; remove it, or restore its name",
        segment.path.string(), segment.header.first_sequence,
        segment_name(segment.header.first_sequence));
}

// Checks two adjacent segments. Returns what is wrong, or an empty string.
std::string check_neighbours(const SegmentFile& before, const SegmentFile& after) {
    const SegmentHeader& a = before.header;
    const SegmentHeader& b = after.header;
    if (a.identity != b.identity)
        return fmt::format(
            "{} belongs to another journal (instance {}) than {} (instance {}): keep the segments "
            "of one of them and remove the others",
            after.path.string(), instance_text(b.identity), before.path.string(),
            instance_text(a.identity));
    if (b.first_sequence > a.last_sequence() + 1)
        return fmt::format(
            "records {} to {} are missing between {} and {}: restore their segment from a copy, "
            "or move the earlier segments away and start from a snapshot of sequence {} or later",
            a.last_sequence() + 1, b.first_sequence - 1, before.path.string(), after.path.string(),
            b.first_sequence - 1);
    if (b.first_sequence <= a.last_sequence())
        return fmt::format("{} and {} both hold record {}: remove the one that does not belong",
                           before.path.string(), after.path.string(), b.first_sequence);
    return {};
}

}  // namespace

const SegmentFile* JournalFolder::segment_of(std::uint64_t sequence) const {
    const auto after = std::ranges::upper_bound(
        segments, sequence, {}, [](const SegmentFile& s) { return s.header.first_sequence; });
    if (after == segments.begin()) return nullptr;
    const SegmentFile& found = *(after - 1);
    return sequence <= found.header.last_sequence() ? &found : nullptr;
}

Result<JournalFolder> look_into(FileSystem& files, const std::filesystem::path& folder) {
    const auto entries = files.list(folder);
    if (!entries) return std::unexpected{entries.error()};
    JournalFolder result;
    for (const FileSystem::Entry& entry : *entries) {
        const std::filesystem::path path = folder / entry.name;
        if (is_unfinished(entry.name)) result.unfinished.push_back(path);
        if (!entry.name.starts_with("journal-") || !entry.name.ends_with(".seg")) continue;
        const auto file = files.open_mapped(path, FileSystem::Access::read);
        if (!file) {
            if (is_gone(files, folder, entry.name)) continue;
            return std::unexpected{file.error()};
        }
        const std::span<const std::byte> bytes{(*file)->data(), (*file)->size()};
        const auto header = read_header(path, bytes);
        if (!header) return std::unexpected{header.error()};
        result.segments.push_back({.path = path, .header = *header, .mark = read_mark(bytes)});
        result.synced = std::max(result.synced, result.segments.back().mark);
        if (const std::string why = check_name(result.segments.back()); !why.empty())
            return std::unexpected{why};
    }
    for (std::size_t i = 1; i < result.segments.size(); ++i) {
        const std::string why = check_neighbours(result.segments[i - 1], result.segments[i]);
        if (!why.empty()) return std::unexpected{why};
    }
    return result;
}

}  // namespace damrak::journal
