#include <damrak/journal/reader.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace damrak::journal {

Result<JournalReader> JournalReader::open(FileSystem& files, const std::filesystem::path& folder,
                                          std::uint64_t from) {
    const auto contents = look_into(files, folder);
    if (!contents) return std::unexpected{contents.error()};
    return open(files, folder, *contents, from);
}

Result<JournalReader> JournalReader::open(FileSystem& files, const std::filesystem::path& folder,
                                          const JournalFolder& contents, std::uint64_t from) {
    if (contents.segments.empty())
        return std::unexpected{
            fmt::format("{} contains no journal (no journal-….seg file)", folder.string())};
    const SegmentHeader& oldest = contents.segments.front().header;
    if (from < oldest.first_sequence)
        return std::unexpected{fmt::format(
            "record {} is no longer in {}, which begins with {}: begin at a snapshot of sequence "
            "{} or later",
            from, folder.string(), oldest.first_sequence, oldest.first_sequence - 1)};
    JournalReader reader{files, folder};
    // The preceding record gives the lower bound of the first one's time.
    reader.position_ = std::max(from - 1, oldest.first_sequence);
    const SegmentFile* segment = contents.segment_of(reader.position_);
    if (segment == nullptr)
        return std::unexpected{fmt::format(
            "record {} is not in {}, whose segments end with record {}: restore the "
            "segments that are missing from a copy",
            reader.position_, folder.string(), contents.segments.back().header.last_sequence())};
    if (auto entered = reader.enter(segment->path); !entered)
        return std::unexpected{entered.error()};
    if (reader.position_ < from && reader.next(1).empty()) {
        if (reader.stop_ != Stop::end) return std::unexpected{reader.trouble_};
        return std::unexpected{
            fmt::format("record {} is not in {}: the journal ends earlier, so the records after "
                        "it cannot be read: restore the segment from a copy",
                        reader.position_, segment->path.string())};
    }
    return reader;
}

Result<void> JournalReader::enter(const std::filesystem::path& path) {
    auto file = files_->open_mapped(path, FileSystem::Access::read);
    if (!file) return std::unexpected{file.error()};
    const auto header = read_header(path, {(*file)->data(), (*file)->size()});
    if (!header) return std::unexpected{header.error()};
    file_ = std::move(*file);
    segment_ = {.path = path, .header = *header};
    return {};
}

// False if there is no further readable segment.
bool JournalReader::enter_next() {
    const JournalIdentity identity = segment_.header.identity;
    const std::string name = segment_name(position_);
    const auto entries = files_->list(folder_);
    if (entries && std::ranges::find(*entries, name, &FileSystem::Entry::name) == entries->end()) {
        stop_ = Stop::end;
        return false;
    }
    const auto entered =
        entries ? enter(folder_ / name) : Result<void>{std::unexpected{entries.error()}};
    stop_ = Stop::unreadable;
    if (!entered) {
        trouble_ = entered.error();
        return false;
    }
    if (segment_.header.first_sequence == position_ && segment_.header.identity == identity)
        return true;
    trouble_ =
        fmt::format("{}: does not continue where the previous one ends", segment_.path.string());
    return false;
}

const Record* JournalReader::record_at(std::uint64_t sequence) const {
    return reinterpret_cast<const Record*>(file_->data() + offset_of(segment_.header, sequence));
}

std::span<const Record> JournalReader::next(std::size_t limit) {
    if (stop_ != Stop::end) return {};
    if (position_ > segment_.header.last_sequence() && !enter_next()) return {};
    stop_ = Stop::end;
    const Record* first = record_at(position_);
    const std::uint64_t room = segment_.header.last_sequence() - position_ + 1;
    const std::size_t most = std::min<std::uint64_t>(limit, room);
    std::size_t count = 0;
    while (count < most && check(first[count])) ++count;
    return {first, count};
}

// Advances over a valid record. The most frequent case is one predicted branch after the checksum.
bool JournalReader::check(const Record& record) {
    // The writer stores the number last: a reader that sees it sees the whole record.
    const std::uint64_t sequence = __atomic_load_n(&record.head.sequence, __ATOMIC_ACQUIRE);
    const bool sound = sequence == position_ && record.head.crc == crc_of(record, sequence) &&
                       record.head.schema_version == k_record_schema_version &&
                       record.command.timestamp >= last_timestamp_ &&
                       static_cast<std::uint8_t>(record.command.kind) == record.head.kind &&
                       record.head.tag_length <= record.head.tag.size();
    if (!sound) [[unlikely]] {
        explain(record, sequence);
        return false;
    }
    last_timestamp_ = record.command.timestamp;
    ++position_;
    return true;
}

void JournalReader::explain(const Record& record, std::uint64_t sequence) {
    const auto tell = [&](Stop stop, std::string_view what) {
        stop_ = stop;
        trouble_ = fmt::format("{}, offset {}: record {} {}", segment_.path.string(),
                               offset_of(segment_.header, position_), position_, what);
    };
    const RecordHead& head = record.head;
    const std::uint32_t crc = crc_of(record, sequence);
    if (sequence == 0) {
        stop_ = Stop::end;  // nothing, or a record that is being written
    } else if (head.crc != crc) {
        tell(Stop::unsound, fmt::format("is damaged: its checksum is {:08x}, and its bytes give "
                                        "{:08x}",
                                        head.crc, crc));
    } else if (head.schema_version != k_record_schema_version) {
        tell(Stop::unreadable,
             "cannot be read: " +
                 of_another_version("schema", head.schema_version, k_record_schema_version));
    } else if (sequence != position_) {
        tell(Stop::unsound,
             fmt::format("carries the number {}: it is in the wrong place", sequence));
    } else if (record.command.timestamp < last_timestamp_) {
        tell(Stop::unreadable,
             fmt::format("goes back in time, from {} to {} ns: its writer did not stamp it as the "
                         "journal demands",
                         last_timestamp_.value, record.command.timestamp.value));
    } else {
        tell(Stop::unreadable,
             "contradicts itself in kind or tag length: Damrak writes no such "
             "record");
    }
}

}  // namespace damrak::journal
