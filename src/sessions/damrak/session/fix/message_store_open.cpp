// Recovery of a MessageStore: reads its files and reports what is wrong with them.
#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <damrak/journal/segment.hpp>
#include <damrak/session/fix/message_store.hpp>
#include <damrak/session/fix/store_file.hpp>

namespace damrak::session::fix {

using detail::StoreSegment;

namespace {

template <class T>
using Result = std::expected<T, std::string>;
using Segments = std::vector<std::unique_ptr<StoreSegment>>;

using journal::k_page_bytes;
constexpr std::uint64_t k_least_file_bytes = 16'384;

Result<std::unique_ptr<StoreSegment>> open_segment(journal::FileSystem& files,
                                                   const std::filesystem::path& path,
                                                   std::uint64_t number,
                                                   std::vector<std::string>& notes) {
    auto file = files.open_mapped(path, journal::FileSystem::Access::write);
    if (!file) return std::unexpected{file.error()};
    auto segment = std::make_unique<StoreSegment>();
    segment->path = path;
    segment->number = number;
    segment->file = std::move(*file);
    segment->file->close_descriptor();
    const auto header = read_store_header(path, segment->bytes());
    if (!header) return std::unexpected{header.error()};
    if (header->number != number)
        return std::unexpected{
            fmt::format("{}: it is file {} of its folder by its header: restore its name",
                        path.string(), header->number)};
    if (header->bytes != segment->file->size())
        notes.push_back(
            fmt::format("{}: the file has {} bytes, but its header says {}: the rest "
                        "is lost",
                        path.string(), segment->file->size(), header->bytes));
    segment->ranges = detail::MessageRanges{segment->file->size()};
    return segment;
}

// The first file of a folder that was created just before a power loss: it has no contents.
bool is_blank(journal::FileSystem& files, const std::filesystem::path& path) {
    const auto file = files.open_mapped(path, journal::FileSystem::Access::read);
    if (!file) return false;
    const std::span header{(*file)->data(),
                           std::min<std::size_t>((*file)->size(), k_store_header_bytes)};
    return std::ranges::all_of(header, [](std::byte byte) { return byte == std::byte{}; });
}

Result<Segments> open_segments(journal::FileSystem& files, const std::filesystem::path& folder,
                               std::vector<std::string>& notes) {
    const auto entries = files.list(folder);
    if (!entries) return std::unexpected{entries.error()};
    Segments segments;
    for (const auto& entry : *entries) {
        const auto path = folder / entry.name;
        if (entry.name.ends_with(detail::k_unfinished_suffix)) {
            if (auto removed = files.remove(path); !removed)
                return std::unexpected{removed.error()};
        }
        const auto number = parse_store_file_name(entry.name);
        if (!number) continue;
        if (!segments.empty() && segments.back()->number + 1 != *number)
            notes.push_back(fmt::format("{}: files {} to {} are missing: their messages are lost",
                                        folder.string(), segments.back()->number + 1, *number - 1));
        if (*number == 1 && is_blank(files, path)) {
            if (auto removed = files.remove(path); !removed)
                return std::unexpected{removed.error()};
            continue;
        }
        auto segment = open_segment(files, path, *number, notes);
        if (!segment) return std::unexpected{segment.error()};
        segments.push_back(std::move(*segment));
    }
    return segments;
}

// A file that was preallocated and never used.
bool is_unused(const StoreSegment& segment) {
    StoreFileReader reader{segment.bytes(), segment.number};
    return reader.next() == StoreFileReader::Found::end;
}

}  // namespace

Result<std::unique_ptr<MessageStore>> MessageStore::open(journal::FileSystem& files,
                                                         const std::filesystem::path& folder,
                                                         StoreSettings settings, Timestamp now) {
    if (settings.file_bytes % k_page_bytes != 0 || settings.file_bytes < k_least_file_bytes ||
        settings.file_bytes > UINT32_MAX)
        return std::unexpected{
            fmt::format("the size of a FIX message file is a multiple of {} bytes, at least {} and "
                        "less than 4 GiB, not {}",
                        k_page_bytes, k_least_file_bytes, settings.file_bytes)};
    if (auto made = files.create_folder(folder); !made) return std::unexpected{made.error()};
    std::unique_ptr<journal::FolderLock> lock;
    if (settings.lock_folder) {
        auto taken = files.lock(folder);
        if (!taken) return std::unexpected{taken.error()};
        lock = *std::move(taken);
    }

    std::vector<std::string> notes;
    auto segments = open_segments(files, folder, notes);
    if (!segments) return std::unexpected{segments.error()};
    if (!segments->empty() && is_unused(*segments->back())) {
        if (auto removed = files.remove(segments->back()->path); !removed)
            return std::unexpected{removed.error()};
        segments->pop_back();
    }
    const std::uint64_t next_number = segments->empty() ? 1 : segments->back()->number + 1;
    // One index serves all files, one after the other.
    std::uint64_t indexed_bytes = 0;
    for (const auto& segment : *segments)
        indexed_bytes = std::max<std::uint64_t>(indexed_bytes, segment->file->size());
    std::unique_ptr<MessageStore> store{
        new MessageStore(files, folder, settings, next_number, indexed_bytes, std::move(lock))};
    store->notes_ = std::move(notes);
    store->segments_ = std::move(*segments);
    // Besides those of full size, the smaller ones that come first.
    const auto smaller =
        static_cast<std::size_t>(std::bit_width(settings.file_bytes / k_least_file_bytes));
    store->segments_.reserve(store->segments_.size() +
                             settings.retained_bytes / settings.file_bytes + smaller + 4);
    if (auto done = store->recover(now); !done) return std::unexpected{done.error()};
    return store;
}

Result<void> MessageStore::recover(Timestamp now) {
    began_ = last_time_ = now;
    bool goes_on = false;
    for (const auto& segment : segments_) {
        segment_ = segment.get();
        index_.drop_all();
        in_ranges_ = 0;
        StoreFileReader reader{segment->bytes(), segment->number};
        recover_records(reader);
        if (segment == segments_.back()) goes_on = go_on_behind(reader, now);
    }
    if (!goes_on && !change_files(now)) return std::unexpected{trouble()};
    return {};
}

void MessageStore::recover_records(StoreFileReader& reader) {
    using Found = StoreFileReader::Found;
    const std::size_t range_bytes = detail::range_bytes(segment_->file->size());
    std::uint64_t range_ends = k_store_header_bytes + range_bytes;
    for (Found found = reader.next(); found != Found::end; found = reader.next()) {
        if (found == Found::record) {
            apply(reader.record());
        } else {
            if (!reader.damage().unfinished) note(reader.damage());
            if (reader.damage().at_the_end) break;
        }
        if (found == Found::record && reader.offset() < range_ends) continue;
        end_range();
        range_ends = reader.offset() + range_bytes;
    }
    end_range();
}

void MessageStore::apply(const StoreRecord& record) {
    last_time_ = record.kept.time;
    last_position_ = std::max(last_position_, record.kept.position);
    switch (record.kind) {
        case RecordKind::message:
            // The record that set the number back is among the damage.
            if (record.sequence < next_outgoing_) forget_from(record.sequence);
            if (!index_.takes(record.sequence)) return;
            index_.add(record.sequence, record.offset);
            next_outgoing_ = record.sequence + 1;
            return;
        case RecordKind::incoming:
            next_incoming_ = record.sequence;
            return;
        case RecordKind::numbers:
            forget_from(record.sequence);
            next_outgoing_ = record.sequence;
            next_incoming_ = record.numbers.next_incoming;
            began_ = Timestamp{record.numbers.began_ns};
            return;
    }
}

void MessageStore::note(const StoreDamage& damage) {
    if (!damage.at_the_end || segment_ != segments_.back().get()) {
        notes_.push_back(
            fmt::format("{}: {} bytes at offset {} are damaged: the message there is lost, and a "
                        "resend skips it",
                        segment_->path.string(), damage.bytes, damage.offset));
        return;
    }
    // It may have been sent, so no other message may use its number.
    notes_.push_back(
        fmt::format("{}: the last record, {} bytes at offset {}, is damaged and was cut: number {} "
                    "counts as used",
                    segment_->path.string(), damage.bytes, damage.offset, next_outgoing_));
    ++next_outgoing_;
}

bool MessageStore::go_on_behind(const StoreFileReader& reader, Timestamp now) {
    StoreSegment& segment = *segment_;
    const std::uint64_t offset = reader.offset();
    const auto header = read_store_header(segment.path, segment.bytes());
    // A truncated file is not extended.
    if (!header || header->bytes != segment.file->size() ||
        segment.file->size() < offset + 2 * k_reserve_bytes)
        return false;
    // Left by an unfinished message; no claim extends further.
    const std::size_t reach = std::min<std::size_t>(segment.file->size() - offset,
                                                    k_largest_claim_bytes + k_reserve_bytes);
    segment.prefaulted_to = std::min<std::size_t>(offset + preallocator_.settings().prefault_bytes,
                                                  segment.file->size());
    segment.file->prefault(offset, segment.prefaulted_to - offset);
    const std::span tail{segment.data() + offset, reach};
    const bool was_clean = std::ranges::all_of(tail, [](char c) { return c == 0; });
    if (!was_clean) std::ranges::fill(tail, char{0});
    write_in(segment, offset);
    if (!was_clean) append_numbers(now);
    return true;
}

}  // namespace damrak::session::fix
