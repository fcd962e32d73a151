#include <damrak/session/fix/message_store.hpp>

#include <algorithm>
#include <utility>

namespace damrak::session::fix {

using detail::StoreSegment;

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
    publish_at_ = at_ + publish_step();
    preallocator_.begin_at(segment, offset);
}

void MessageStore::publish() {
    publish_at_ = at_ + publish_step();
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
    for (const auto& segment : segments_) segment->index.drop_from(sequence);
}

std::uint64_t MessageStore::oldest() const {
    for (const auto& segment : segments_)
        if (!segment->index.empty()) return segment->index.base();
    return next_outgoing_;
}

std::optional<Stored> MessageStore::find(std::uint64_t sequence) const {
    for (std::size_t i = segments_.size(); i-- > 0;) {
        const StoreSegment& segment = *segments_[i];
        const auto offset = segment.index.find(sequence);
        if (!offset) continue;
        RecordWords words;
        std::memcpy(words.data(), segment.data() + *offset, sizeof words);
        const RecordHeader header = from_words(words);
        return Stored{
            .message = {segment.data() + *offset + header.content_offset, header.content_bytes},
            .sequence = sequence,
            .kept = {.time = Timestamp{header.time_ns},
                     .position = header.position,
                     .administrative = header.administrative}};
    }
    return std::nullopt;
}

}  // namespace damrak::session::fix
