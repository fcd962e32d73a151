#include <damrak/session/fix/message_store.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace damrak::session::fix {

using detail::StoreSegment;

namespace {

RecordWords words_at(const StoreSegment& segment, std::size_t offset) {
    RecordWords words;
    std::memcpy(words.data(), segment.data() + offset, sizeof words);
    return words;
}

Stored stored_at(const StoreSegment& segment, std::size_t offset, const RecordHeader& header) {
    return {.message = {segment.data() + offset + header.content_offset, header.content_bytes},
            .sequence = header.sequence,
            .kept = {.time = Timestamp{header.time_ns},
                     .position = header.position,
                     .administrative = header.administrative}};
}

}  // namespace

std::span<char> MessageStore::claim_elsewhere(std::size_t maximum) {
    const std::size_t file_bytes = preallocator_.settings().file_bytes;
    constexpr std::size_t k_beside =
        k_store_header_bytes + 2 * k_record_header_bytes + sizeof(NumbersContent) + k_reserve_bytes;
    if (maximum > k_largest_claim_bytes || maximum + k_beside > file_bytes) return {};
    // The first files are small.
    do {
        if (!change_files(last_time_)) return {};
    } while (!has_room(k_record_header_bytes + maximum));
    return {at_ + k_record_header_bytes, maximum};
}

bool MessageStore::change_files(Timestamp now) {
    bool waited = false;
    auto next = preallocator_.take_next(now, waited);
    if (next == nullptr) return false;
    stalls_ += waited ? 1 : 0;
    ++files_begun_;
    if (segment_ != nullptr) end_range();
    if (next->spare_index.has_memory()) std::swap(index_, next->spare_index);
    index_.drop_all();
    in_ranges_ = 0;
    segments_.push_back(std::move(next));
    write_in(*segments_.back(), k_store_header_bytes);
    append_numbers(now);
    give_up_oldest_files();
    return true;
}

void MessageStore::give_up_oldest_files() {
    std::uint64_t retained = 0;
    for (std::size_t i = segments_.size() - 1; i-- > 0;) {
        retained += segments_[i]->file->size();
        if (retained <= preallocator_.settings().retained_bytes) continue;
        for (std::size_t gone = 0; gone <= i; ++gone)
            preallocator_.retire(std::move(segments_[gone]));
        segments_.erase(segments_.begin(), segments_.begin() + static_cast<std::ptrdiff_t>(i) + 1);
        return;
    }
}

void MessageStore::write_in(StoreSegment& segment, std::size_t offset) {
    segment_ = &segment;
    file_number_ = static_cast<std::uint32_t>(segment.number);
    at_ = segment.data() + offset;
    end_ = segment.data() + segment.file->size();
    publish_later();
    preallocator_.begin_at(segment, offset);
}

void MessageStore::end_range() {
    if (in_ranges_ == index_.size()) return;
    segment_->ranges.add(index_.range_from(in_ranges_));
    in_ranges_ = index_.size();
}

void MessageStore::publish() {
    end_range();
    publish_later();
    preallocator_.written_to(static_cast<std::size_t>(at_ - segment_->data()));
}

void MessageStore::append_numbers(Timestamp now) {
    const NumbersContent numbers{.next_incoming = next_incoming_, .began_ns = began_.value};
    char* content = at_ + k_record_header_bytes;
    std::memcpy(content, &numbers, sizeof numbers);
    append({.kind = RecordKind::numbers,
            .content_offset = k_record_header_bytes,
            .content_bytes = sizeof numbers,
            .sequence = next_outgoing_,
            .time_ns = now.value,
            .position = last_position_,
            .file_number = file_number_},
           {content, sizeof numbers});
    last_time_ = now;
}

void MessageStore::set_next_incoming(std::uint64_t sequence, Timestamp now) {
    const bool goes_back = sequence < next_incoming_;
    next_incoming_ = sequence;
    if (goes_back) {
        began_ = now;
        return set_next_outgoing(next_outgoing_, now);
    }
    // A new file begins with a record of the numbers anyway.
    if (!has_room(k_record_header_bytes)) [[unlikely]] {
        static_cast<void>(change_files(now));
        return;
    }
    append_incoming({}, now);
}

void MessageStore::append_incoming(std::span<const char> message, Timestamp now) {
    char* const content = at_ + k_record_header_bytes;
    if (!message.empty()) std::memcpy(content, message.data(), message.size());
    append({.kind = RecordKind::incoming,
            .content_offset = k_record_header_bytes,
            .content_bytes = static_cast<std::uint32_t>(message.size()),
            .sequence = next_incoming_,
            .time_ns = now.value,
            .file_number = file_number_},
           {content, message.size()});
}

void MessageStore::take_incoming(std::uint64_t next, std::span<const char> message, Timestamp now) {
    if (!preallocator_.settings().keep_incoming || next < next_incoming_)
        return set_next_incoming(next, now);
    next_incoming_ = next;
    const std::size_t bytes = k_record_header_bytes + message.size();
    if (!has_room(bytes) && (!change_files(now) || !has_room(bytes))) [[unlikely]]
        return;
    append_incoming(message, now);
}

void MessageStore::set_next_outgoing(std::uint64_t sequence, Timestamp now) {
    forget_from(sequence);
    next_outgoing_ = sequence;
    if (!has_room(k_record_header_bytes + sizeof(NumbersContent))) [[unlikely]] {
        static_cast<void>(change_files(now));
        return;
    }
    append_numbers(now);
}

void MessageStore::reset(Timestamp now) {
    next_incoming_ = 1;
    began_ = now;
    set_next_outgoing(1, now);
}

void MessageStore::forget_from(std::uint64_t sequence) {
    if (!index_.empty() && index_.last() >= sequence) {
        // What is forgotten stays in the file, so the range must not continue behind it.
        end_range();
        index_.drop_from(sequence);
        in_ranges_ = index_.size();
    }
    for (const auto& segment : segments_) segment->ranges.drop_from(sequence);
}

std::uint64_t MessageStore::oldest() const {
    for (const auto& segment : segments_)
        if (segment.get() != segment_ && !segment->ranges.empty()) return segment->ranges.base();
    return index_.empty() ? next_outgoing_ : index_.base();
}

std::optional<Stored> MessageStore::find(std::uint64_t sequence) const {
    if (const auto offset = index_.find(sequence))
        return stored_at(*segment_, *offset, from_words(words_at(*segment_, *offset)));
    for (std::size_t i = segments_.size() - 1; i-- > 0;)
        if (const auto* const range = segments_[i]->ranges.find(sequence))
            return find_in(*segments_[i], *range, sequence);
    return std::nullopt;
}

// The records of the range were valid when it was made. If the disk has lost some since, the search
// still ends.
std::optional<Stored> MessageStore::find_in(const StoreSegment& segment,
                                            const detail::MessageRange& range,
                                            std::uint64_t sequence) const {
    const std::size_t file_bytes = segment.file->size();
    const std::size_t end = std::min(range.offset + detail::range_bytes(file_bytes),
                                     file_bytes - k_record_header_bytes);
    const bool goes_on = last_search_.file == segment.number &&
                         last_search_.sequence >= range.first && last_search_.sequence <= sequence;
    std::size_t offset = goes_on ? last_search_.offset : range.offset;
    while (offset <= end) {
        const RecordWords words = words_at(segment, offset);
        const RecordHeader header = from_words(words);
        if (header.kind == RecordKind::message && header.sequence >= sequence) {
            if (header.sequence != sequence) return std::nullopt;
            last_search_ = {.file = segment.number, .sequence = sequence, .offset = offset};
            return stored_at(segment, offset, header);
        }
        offset +=
            std::max<std::size_t>(static_cast<std::uint32_t>(words[0]), k_record_header_bytes);
    }
    return std::nullopt;
}

}  // namespace damrak::session::fix
