// Stores the messages that a FIX session has sent, and the sequence numbers of both directions, in
// append-only files of one folder (store_file.hpp). Committed data survives a kill of the process
// at any moment. (After a power loss, what the system had written by then survives.)
//
//   auto store = MessageStore::open(journal::real_files(), folder, settings, now);
//   Runner helper{{…}, {AgentRef{(*store)->preallocator()}}};  // optional
//   MessageWriter writer{(*store)->claim(512), times};  …      encodes into the file's memory
//   send((*store)->commit(sequence, writer.finish(), kept));
//
// One thread, that of the session. claim() and commit() write to memory that is present and make no
// system call; for 300 bytes they take some 13 ns more than those of MemoryStore. A change of files
// costs one pointer exchange. Messages are found by number while their file is retained: in a step
// or two in the file that is written, by reading record headers of at most 16 KiB in older ones
// (detail/message_index.hpp).
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/session/fix/detail/message_index.hpp>
#include <damrak/session/fix/detail/store.hpp>
#include <damrak/session/fix/detail/store_segment.hpp>
#include <damrak/session/fix/store_file.hpp>
#include <damrak/session/fix/store_preallocator.hpp>

namespace damrak::session::fix {

class MessageStore {
  public:
    /// The largest claim; larger messages are not supported.
    static constexpr std::size_t k_largest_claim_bytes = std::size_t{1} << 20U;

    /// Opens a folder, which is created if missing, and continues from its contents. Unfinished
    /// messages at the end are cut off; damage is reported in notes() and loses the damaged
    /// messages. Of the open files of the process it takes one for its lock, if it has one; none
    /// for its files, however many there are.
    [[nodiscard]] static std::expected<std::unique_ptr<MessageStore>, std::string> open(
        journal::FileSystem& files, const std::filesystem::path& folder, StoreSettings settings,
        Timestamp now);
    MessageStore(const MessageStore&) = delete;
    MessageStore& operator=(const MessageStore&) = delete;
    ~MessageStore() = default;

    [[nodiscard]] StorePreallocator& preallocator() { return preallocator_; }

    // As `concept Store` requires:

    [[nodiscard]] DAMRAK_HOT std::span<char> claim(std::size_t maximum) {
        if (!has_room(k_record_header_bytes + maximum)) [[unlikely]]
            return claim_elsewhere(maximum);
        return {at_ + k_record_header_bytes, maximum};
    }

    DAMRAK_HOT std::span<const char> commit(std::uint64_t sequence, std::span<const char> message,
                                            const Kept& kept) {
        DAMRAK_ASSERT(sequence >= next_outgoing_ && message.data() >= at_ + k_record_header_bytes &&
                      message.data() + message.size() + k_reserve_bytes <= end_);
        const auto offset = static_cast<std::size_t>(message.data() - at_);
        DAMRAK_ASSERT(offset <= UINT16_MAX);
        index_.add(sequence, static_cast<std::size_t>(at_ - segment_->data()));
        append({.kind = RecordKind::message,
                .administrative = kept.administrative,
                .content_offset = static_cast<std::uint16_t>(offset),
                .content_bytes = static_cast<std::uint32_t>(message.size()),
                .sequence = sequence,
                .time_ns = kept.time.value,
                .position = kept.position,
                .file_number = file_number_},
               message);
        next_outgoing_ = sequence + 1;
        last_time_ = kept.time;
        if (last_position_ < kept.position) last_position_ = kept.position;
        return message;
    }

    [[nodiscard]] std::optional<Stored> find(std::uint64_t sequence) const;
    [[nodiscard]] std::uint64_t next_outgoing() const { return next_outgoing_; }
    [[nodiscard]] std::uint64_t next_incoming() const { return next_incoming_; }
    void set_next_outgoing(std::uint64_t sequence, Timestamp now);
    void set_next_incoming(std::uint64_t sequence, Timestamp now);
    void take_incoming(std::uint64_t next, std::span<const char> message, Timestamp now);
    void reset(Timestamp now);
    [[nodiscard]] Timestamp began() const { return began_; }
    [[nodiscard]] EventPosition last_position() const { return last_position_; }
    [[nodiscard]] std::string trouble() const { return preallocator_.trouble(); }

    /// Time of the last record.
    [[nodiscard]] Timestamp last_time() const { return last_time_; }
    /// The lowest number that find() may find; next_outgoing() if there is none.
    [[nodiscard]] std::uint64_t oldest() const;
    /// What was cut off or found damaged at opening, one sentence each.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }
    /// How often a claim had to create the next file itself.
    [[nodiscard]] std::uint64_t stalls() const { return stalls_; }
    [[nodiscard]] std::uint64_t files_begun() const { return files_begun_; }

  private:
    /// Reserved after a claim: the encoder's spare room, a possible record of numbers, and the
    /// zeros that end the last record.
    static constexpr std::size_t k_reserve_bytes = 128;
    static constexpr std::size_t k_line_bytes = 64;
    static constexpr std::size_t k_fetched_ahead_bytes = 448;  ///< size of a typical message

    MessageStore(journal::FileSystem& files, const std::filesystem::path& folder,
                 StoreSettings settings, std::uint64_t next_number, std::uint64_t indexed_bytes,
                 std::unique_ptr<journal::FolderLock> lock)
        : index_(indexed_bytes),
          lock_(std::move(lock)),
          preallocator_(files, folder, settings, next_number, indexed_bytes) {}

    [[nodiscard]] DAMRAK_HOT bool has_room(std::size_t bytes) const {
        return static_cast<std::size_t>(end_ - at_) >= bytes + k_reserve_bytes &&
               index_.takes(next_outgoing_);
    }

    /// Writes the header; its first word, written last, makes the record valid.
    DAMRAK_HOT void append(const RecordHeader& header, std::span<const char> content) {
        const std::size_t bytes = record_bytes(header.content_offset, content.size());
        char* next = at_ + bytes;
        // Prefetches the cache lines of the message after the next, for writing.
        for (std::size_t i = 0; i < k_fetched_ahead_bytes; i += k_line_bytes)
            __builtin_prefetch(next + k_fetched_ahead_bytes + i, 1);
        const RecordWords words = to_words(header);
        // Bytes left by the encoder after its message must not look like a record.
        std::memset(next, 0, sizeof(std::uint64_t));
        std::memcpy(at_ + sizeof words[0], &words[1], sizeof words - sizeof words[0]);
        const std::uint64_t first = bytes | std::uint64_t{record_crc(words, content)} << 32U;
        __atomic_store_n(reinterpret_cast<std::uint64_t*>(at_), first, __ATOMIC_RELEASE);
        at_ = next;
        if (at_ >= publish_at_) [[unlikely]]
            publish();
    }

    [[nodiscard]] std::span<char> claim_elsewhere(std::size_t maximum);
    /// Returns whether there is a next file, which begins with the numbers.
    [[nodiscard]] bool change_files(Timestamp now);
    void give_up_oldest_files();
    void write_in(detail::StoreSegment& segment, std::size_t offset);
    void append_numbers(Timestamp now);
    void append_incoming(std::span<const char> message, Timestamp now);
    void forget_from(std::uint64_t sequence);
    [[nodiscard]] std::optional<Stored> find_in(const detail::StoreSegment& segment,
                                                const detail::MessageRange& range,
                                                std::uint64_t sequence) const;
    void end_range();
    void publish();
    void publish_later() { publish_at_ = at_ + detail::range_bytes(segment_->file->size()); }

    // Opening, in message_store_open.cpp:
    [[nodiscard]] std::expected<void, std::string> recover(Timestamp now);
    void recover_records(StoreFileReader& reader);
    void apply(const StoreRecord& record);
    void note(const StoreDamage& damage);
    /// Returns whether the last file can be continued.
    [[nodiscard]] bool go_on_behind(const StoreFileReader& reader, Timestamp now);

    char* at_ = nullptr;   ///< the next record
    char* end_ = nullptr;  ///< end of the current file
    char* publish_at_ = nullptr;
    detail::StoreSegment* segment_ = nullptr;  ///< the newest; at opening, the one that is read
    detail::MessageIndex index_;               ///< of that segment
    std::size_t in_ranges_ = 0;                ///< how many of its messages are in its ranges
    std::uint32_t file_number_ = 0;
    std::uint64_t next_outgoing_ = 1;
    std::uint64_t next_incoming_ = 1;
    Timestamp began_{};
    EventPosition last_position_;
    Timestamp last_time_{};
    std::vector<std::unique_ptr<detail::StoreSegment>> segments_;  ///< oldest first
    /// The message that was found last in an older file: a resend continues from there.
    struct Search {
        std::uint64_t file = 0;
        std::uint64_t sequence = 0;
        std::size_t offset = 0;
    };
    mutable Search last_search_;
    std::uint64_t stalls_ = 0;
    std::uint64_t files_begun_ = 0;
    std::vector<std::string> notes_;
    std::unique_ptr<journal::FolderLock> lock_;
    StorePreallocator preallocator_;
};
static_assert(Store<MessageStore>);

}  // namespace damrak::session::fix
