// The writer of the journal: the one sequencing thread claims the slot of the next record, fills it
// in place, and publishes it. No system call (except in `sync`), no lock, no allocation: a record
// costs its checksum and three cache lines. The preallocator prepares files ahead of it.
//
//   if (Record* record = writer.claim()) { …fill…; const auto sequence = writer.publish(); }
//   else if (writer.standing() == Standing::stalled) …try again, nothing is lost…
//   else …stop trading: writer.refusal() says why…
//
// Published bytes survive the end of the process at once. The configured durability is reached up
// to durable_position(): answers wait for it.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>

#include <damrak/base/assert.hpp>
#include <damrak/base/inline.hpp>
#include <damrak/journal/detail/handover.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal {

enum class Durability : std::uint8_t {
    async,  ///< durable when appended: survives a process crash, and a power loss once synced later
    group,  ///< durable when on disk: the syncer continuously syncs what has arrived
    sync,   ///< durable when on disk, one record at a time, synced by the sequencing thread
};

enum class Standing : std::uint8_t {
    ready,
    stalled,  ///< the next segment is not ready yet
    refused,  ///< the disk is full or has failed; see refusal()
};

/// Whether the answers to all appended records may be sent.
enum class DurableState : std::uint8_t {
    all,
    not_yet,
    refused,  ///< never: the disk has failed; see refusal()
};

/// Appends records to a journal.
class JournalWriter {
  public:
    /// Where a writer begins.
    struct Start {
        std::uint64_t next_sequence = 1;
        Timestamp last_timestamp{INT64_MIN};
        Durability durability = Durability::async;
    };
    JournalWriter(detail::Handover& handover, detail::Region region, const Start& start)
        : region_(region),
          next_sequence_(start.next_sequence),
          last_timestamp_(start.last_timestamp),
          durability_(start.durability),
          handover_(&handover) {}

    /// The slot of the next record, all zeros, or null: see standing(). The content counts only
    /// after publish(), which sets `crc`, `schema_version`, `kind`, `sequence`.
    [[nodiscard]] DAMRAK_HOT Record* claim() {
        if (region_.next == region_.end || handover_->broken.load(std::memory_order_relaxed))
            [[unlikely]]
            if (!advance()) return nullptr;
        return reinterpret_cast<Record*>(region_.next);
    }

    /// Appends the claimed record and returns its sequence number. Its command's time stamp must
    /// not be before the previous one's.
    DAMRAK_HOT std::uint64_t publish() {
        auto& record = *reinterpret_cast<Record*>(region_.next);
        const std::uint64_t sequence = next_sequence_++;
        DAMRAK_ASSERT(record.command.timestamp >= last_timestamp_);
        last_timestamp_ = record.command.timestamp;
        record.head.schema_version = k_record_schema_version;
        record.head.kind = static_cast<std::uint8_t>(record.command.kind);
        record.head.crc = crc_of(record, sequence);
        // Stored last: a reader that sees the number sees the record, even after a kill.
        __atomic_store_n(&record.head.sequence, sequence, __ATOMIC_RELEASE);
        region_.next += k_record_bytes;
        prefetch_ahead();
        handover_->appended.store(sequence, std::memory_order_release);
        if (durability_ == Durability::sync) [[unlikely]]
            sync_now(record, sequence);
        return sequence;
    }

    /// Claims and publishes. False: nothing was appended, see standing().
    [[nodiscard]] DAMRAK_HOT bool append(const Record& record) {
        Record* place = claim();
        if (place == nullptr) [[unlikely]]
            return false;
        *place = record;
        place->head.sequence = 0;
        publish();
        return true;
    }

    [[nodiscard]] Standing standing() const;
    [[nodiscard]] std::uint64_t next_sequence() const { return next_sequence_; }
    [[nodiscard]] Timestamp last_timestamp() const { return last_timestamp_; }
    /// How often the next segment was not ready when needed.
    [[nodiscard]] std::uint64_t stalls() const { return stalls_; }

    // From any thread:

    /// The last record whose answers may be sent.
    [[nodiscard]] std::uint64_t durable_position() const {
        return durability_ == Durability::async ? appended_position() : synced_position();
    }
    [[nodiscard]] DurableState durable_state() const {
        if (durable_position() >= appended_position()) return DurableState::all;
        return handover_->broken.load(std::memory_order_relaxed) ? DurableState::refused
                                                                 : DurableState::not_yet;
    }
    [[nodiscard]] std::uint64_t appended_position() const {
        return handover_->appended.load(std::memory_order_acquire);
    }
    [[nodiscard]] std::uint64_t synced_position() const {
        return handover_->synced.load(std::memory_order_acquire);
    }
    /// No segment could be created after this one so far; refusal() says why.
    [[nodiscard]] bool out_of_room() const {
        return handover_->out_of_room.load() && !handover_->broken.load();
    }
    /// Why nothing can be appended, or soon cannot; empty if all is well.
    [[nodiscard]] std::string refusal() const { return handover_->why(); }

  private:
    [[nodiscard]] bool advance();
    void sync_now(const Record& record, std::uint64_t sequence);

    // Prefetches the cache lines of a later record, as processors do not predict stores.
    void prefetch_ahead() const {
        constexpr std::size_t k_records_ahead = 4;
        constexpr std::size_t k_line = 64;
        const std::byte* ahead = region_.next + k_records_ahead * k_record_bytes;
        for (std::size_t line = 0; line < k_record_bytes; line += k_line)
            __builtin_prefetch(ahead + line, 1);
    }

    detail::Region region_;
    std::uint64_t next_sequence_;
    Timestamp last_timestamp_;
    std::uint64_t stalls_ = 0;
    bool stalled_ = false;
    Durability durability_;
    detail::Handover* handover_;
};

}  // namespace damrak::journal
