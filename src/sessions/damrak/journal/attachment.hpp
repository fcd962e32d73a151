// An attachment as a record: it precedes the record of its command directly, has the same session,
// inbound sequence and time, and means nothing without it. The text starts at byte 24 of the
// command (104 bytes) and continues in the tag of the head; the flags of the command are its
// length. Written by the sequencing thread, read in every replay.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <damrak/domain/attachment.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal {

inline constexpr std::size_t k_attachment_offset = offsetof(Command, order_id);
inline constexpr std::size_t k_attachment_front = sizeof(Command) - k_attachment_offset;
static_assert(k_attachment_front + sizeof(RecordHead::tag) == Attachment::k_capacity);

/// The record must be all zeros.
inline void put_attachment(Record& record, const Attachment& attachment, const Origin& of,
                           Timestamp time) {
    record.head.session = of.session.value;
    record.head.inbound_sequence = of.inbound_sequence;
    record.command.kind = static_cast<CommandKind>(k_attachment_kind);
    record.command.flags = attachment.length;
    record.command.timestamp = time;
    auto* const front = reinterpret_cast<std::byte*>(&record.command) + k_attachment_offset;
    std::memcpy(front, attachment.characters.data(), k_attachment_front);
    std::memcpy(record.head.tag.data(), attachment.characters.data() + k_attachment_front,
                record.head.tag.size());
}

[[nodiscard]] inline Attachment attachment_of(const Record& record) {
    Attachment attachment;
    const auto* const front =
        reinterpret_cast<const std::byte*>(&record.command) + k_attachment_offset;
    std::memcpy(attachment.characters.data(), front, k_attachment_front);
    std::memcpy(attachment.characters.data() + k_attachment_front, record.head.tag.data(),
                record.head.tag.size());
    attachment.length = static_cast<std::uint16_t>(
        std::min<std::size_t>(record.command.flags, Attachment::k_capacity));
    return attachment;
}

/// Whether the attachment belongs to the record with this head, which follows it.
[[nodiscard]] inline bool is_attached(const RecordHead& attachment, const RecordHead& head) {
    return attachment.sequence + 1 == head.sequence && attachment.session == head.session &&
           attachment.inbound_sequence == head.inbound_sequence;
}

}  // namespace damrak::journal
