#include <damrak/journal/journal.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace damrak::journal {

namespace {

using detail::MappedSegment;
using detail::SegmentChain;

// Maps a segment of the folder, to continue with this record.
Result<SegmentChain::Held> map_segment(FileSystem& files, const SegmentFile& where,
                                       std::uint64_t next_sequence) {
    auto file = files.open_mapped(where.path, FileSystem::Access::write);
    if (!file) return std::unexpected{file.error()};
    auto segment = std::make_shared<MappedSegment>();
    segment->where = where;
    segment->file = std::move(*file);
    std::byte* data = segment->file->data();
    segment->prefaulted_to = segment->offset_of(next_sequence);
    segment->region = {.next = data + segment->prefaulted_to,
                       .end = data + segment->offset_of(where.header.last_sequence() + 1),
                       .file = segment->file.get()};
    return segment;
}

// Recovered records are in the files, but possibly not on disk yet.
Result<void> sync_records(FileSystem& files, const SegmentFile& segment, std::uint64_t last) {
    auto file = files.open_mapped(segment.path, FileSystem::Access::write);
    if (!file) return std::unexpected{file.error()};
    return (*file)->sync(0, offset_of(segment.header, last + 1));
}

Result<void> sync_mark(FileSystem& files, const SegmentFile& segment, std::uint64_t mark) {
    auto file = files.open_mapped(segment.path, FileSystem::Access::write);
    if (!file) return std::unexpected{file.error()};
    write_mark({(*file)->data(), (*file)->size()}, mark);
    return (*file)->sync(0, k_header_bytes);
}

// Syncs and marks all recovered records. Each full segment gets a mark of a later record (see
// JournalSyncer::seal).
Result<void> sync_recovered(FileSystem& files, const JournalFolder& contents,
                            const Recovery& recovery) {
    const std::uint64_t last = recovery.last_sequence;
    for (const SegmentFile& segment : contents.segments) {
        const SegmentHeader& header = segment.header;
        if (header.last_sequence() <= recovery.synced || header.first_sequence > last) continue;
        const auto synced = sync_records(files, segment, std::min(header.last_sequence(), last));
        if (!synced) return synced;
    }
    for (const SegmentFile& segment : contents.segments) {
        const SegmentHeader& header = segment.header;
        const bool marked = segment.mark > header.last_sequence() || segment.mark == last;
        if (marked || header.first_sequence > last) continue;
        if (const auto done = sync_mark(files, segment, last); !done) return done;
    }
    return {};
}

}  // namespace

Result<void> check_engine(const EngineConfig& kept, const EngineConfig& asked) {
    // A command can raise capacities later.
    if (kept.with(asked.capacities(0)) != asked)
        return std::unexpected{std::string{
            "the journal was begun for an engine of another kind (who allocates order ids, or how "
            "events are bounded), and cannot be replayed with this one: begin in an empty "
            "directory"}};
    std::string less;
    const auto compare = [&](std::string_view name, std::uint32_t there, std::uint32_t wanted) {
        if (wanted < there)
            less += fmt::format("{}{} = {} (the journal has {})", less.empty() ? "" : ", ", name,
                                wanted, there);
    };
    compare("instruments", kept.maximum_instruments, asked.maximum_instruments);
    compare("participants", kept.maximum_participants, asked.maximum_participants);
    compare("accounts", kept.maximum_accounts, asked.maximum_accounts);
    compare("orders", kept.maximum_orders, asked.maximum_orders);
    compare("special_orders", kept.maximum_extensions, asked.maximum_extensions);
    compare("levels", kept.maximum_levels, asked.maximum_levels);
    compare("ladder_nodes", kept.maximum_ladder_nodes, asked.maximum_ladder_nodes);
    if (less.empty()) return {};
    return std::unexpected{fmt::format(
        "capacity: {}: capacities only grow, because the journal may need them: configure at "
        "least as much, or begin in an empty directory",
        less)};
}

Result<std::unique_ptr<Journal>> Journal::open(FileSystem& files, const JournalConfig& config,
                                               const Recovery& recovery,
                                               const JournalIdentity& identity, Timestamp now) {
    if (!is_segment_size(config.segment_bytes))
        return std::unexpected{
            fmt::format("invalid segment size of {} bytes: it must be a multiple of {} bytes, at "
                        "least {}",
                        config.segment_bytes, k_page_bytes, 2 * k_page_bytes)};
    if (recovery.identity)
        if (const auto same = check_engine(recovery.identity->engine, identity.engine); !same)
            return std::unexpected{same.error()};
    std::unique_ptr<Journal> journal{new Journal{files, config, recovery}};
    journal->identity_ = recovery.identity.value_or(identity);
    if (const auto attached = journal->attach(files, recovery, now); !attached)
        return std::unexpected{attached.error()};
    return journal;
}

// Maps or creates the segment of the next record.
Result<void> Journal::attach(FileSystem& files, const Recovery& recovery, Timestamp now) {
    const auto contents = look_into(files, config_.directory);
    if (!contents) return std::unexpected{contents.error()};
    if (const auto synced = sync_recovered(files, *contents, recovery); !synced)
        return std::unexpected{synced.error()};
    const std::uint64_t next = recovery.last_sequence + 1;
    const SegmentFile* current = contents->segment_of(next);
    SegmentHeader header{.identity = identity_,
                         .segment_bytes = next_segment_bytes(config_, 0),
                         .number = 0,
                         .first_sequence = next,
                         .created = now};
    if (!contents->segments.empty()) {
        const SegmentHeader& last = contents->segments.back().header;
        header.number = last.number + 1;
        header.segment_bytes = next_segment_bytes(config_, last.segment_bytes);
    }
    auto segment = current != nullptr ? map_segment(files, *current, next)
                                      : make_segment(files, config_, header);
    if (!segment) return std::unexpected{segment.error()};
    // If the last segment has no records, its predecessor must name it as its successor.
    if (const SegmentFile* before = contents->segment_of(next - 1);
        before != nullptr && before != current) {
        auto mapped = map_segment(files, *before, next);
        if (!mapped) return std::unexpected{mapped.error()};
        chain_.add(*mapped);
    }
    chain_.add(*segment);
    handover_.appended.store(recovery.last_sequence);
    handover_.synced.store(recovery.last_sequence);
    writer_ = std::make_unique<JournalWriter>(
        handover_, (*segment)->region,
        JournalWriter::Start{.next_sequence = next,
                             .last_timestamp = recovery.last_timestamp,
                             .durability = config_.durability});
    return {};
}

}  // namespace damrak::journal
