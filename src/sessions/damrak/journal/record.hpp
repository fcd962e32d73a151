// A record: one command in the journal, with its sender. 192 bytes on disk and in memory, three
// cache lines: the position of a record follows from its sequence number. Written by the
// sequencing thread (see writer.hpp), read in every replay.
//
//   offset  bytes  field
//        0      4  crc               CRC-32C of all bytes that follow
//        4      1  schema_version    of head and command
//        5      1  kind              of the command
//        6      2  flags             of the sequencer
//        8      8  sequence          1, 2, 3 …; zero: no record here
//       16      8  session           zero: the exchange itself
//       24      8  inbound_sequence  of the message in its session
//       32     24  tag               the client's own name for the order, zero padded
//       56      1  tag_length
//       57      3  (zero)
//       60      4  delay_ns          drawn by the speed bump of the venue; zero: none
//       64    128  command           its `timestamp` is the time of the record
//
// Integers are little-endian. Kinds below 32 belong to the engine, kinds up to 63 to the sequencer
// (sessions), and kinds from 64 to the journal itself.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <damrak/base/crc32c.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine_config.hpp>

namespace damrak::journal {

/// The beginning of a record.
struct alignas(64) RecordHead {
    std::uint32_t crc = 0;
    std::uint8_t schema_version = 0;
    std::uint8_t kind = 0;
    std::uint16_t flags = 0;
    std::uint64_t sequence = 0;
    std::uint64_t session = 0;
    std::uint64_t inbound_sequence = 0;
    std::array<std::byte, 24> tag{};
    std::uint8_t tag_length = 0;
    std::array<std::byte, 3> zero{};
    std::uint32_t delay_ns = 0;
};

struct Record {
    RecordHead head;
    Command command;
};

inline constexpr std::size_t k_record_bytes = 192;
static_assert(std::endian::native == std::endian::little, "the format is the memory layout");
static_assert(sizeof(Record) == k_record_bytes && alignof(Record) == 64);
static_assert(std::is_trivially_copyable_v<Record>);
static_assert(offsetof(RecordHead, crc) == 0 && offsetof(RecordHead, schema_version) == 4 &&
              offsetof(RecordHead, kind) == 5 && offsetof(RecordHead, flags) == 6 &&
              offsetof(RecordHead, sequence) == 8 && offsetof(RecordHead, session) == 16 &&
              offsetof(RecordHead, inbound_sequence) == 24 && offsetof(RecordHead, tag) == 32 &&
              offsetof(RecordHead, tag_length) == 56 && offsetof(RecordHead, zero) == 57 &&
              offsetof(RecordHead, delay_ns) == 60 && offsetof(Record, command) == 64);

/// Increase it when the meaning of a byte of head or command changes.
inline constexpr std::uint8_t k_record_schema_version = k_command_schema_version;

inline constexpr std::uint8_t k_first_session_kind = 32;
inline constexpr std::uint8_t k_first_journal_kind = 64;
/// The state hash after all records before this one, in the first eight bytes of Command::raw.
inline constexpr std::uint8_t k_checkpoint_kind = 64;
/// Gateway data for the command in the next record (journal/attachment.hpp).
inline constexpr std::uint8_t k_attachment_kind = 65;

[[nodiscard]] constexpr Origin origin_of(const RecordHead& head) {
    return {
        .session = {head.session}, .inbound_sequence = head.inbound_sequence, .tag = {head.tag}};
}

[[nodiscard]] constexpr bool is_engine_kind(std::uint8_t kind) {
    return kind < k_first_session_kind;
}

/// The checksum of a record with this sequence number. Each cache line is computed separately: 8
/// dependent steps instead of 24.
[[nodiscard, gnu::target("pclmul")]] inline std::uint32_t crc_of(const Record& record,
                                                                 std::uint64_t sequence) {
    constexpr std::size_t k_line = 64;
    const auto* bytes = reinterpret_cast<const std::byte*>(&record);
    const auto load = [bytes]<class T>(std::size_t offset, T value) {
        std::memcpy(&value, bytes + offset, sizeof value);
        return value;
    };
    std::uint64_t head = crc32c_step(k_crc32c_start, load(4, std::uint32_t{}));
    head = crc32c_step(head, sequence);
    std::uint64_t front = crc32c_step(0, load(k_line, std::uint64_t{}));
    front = crc32c_step(front, load(k_line + 8, std::uint64_t{}));
    std::uint64_t back = crc32c_step(0, load(2 * k_line, std::uint64_t{}));
    back = crc32c_step(back, load(2 * k_line + 8, std::uint64_t{}));
    for (std::size_t offset = 16; offset < k_line; offset += sizeof(std::uint64_t)) {
        head = crc32c_step(head, load(offset, std::uint64_t{}));
        front = crc32c_step(front, load(k_line + offset, std::uint64_t{}));
        back = crc32c_step(back, load(2 * k_line + offset, std::uint64_t{}));
    }
    return crc32c_finish(crc32c_skip<2 * k_line>(head) ^ crc32c_skip<k_line>(front) ^ back);
}

/// A checkpoint that is not sequenced yet.
[[nodiscard]] inline Record checkpoint(Timestamp now, std::uint64_t state_hash) {
    Record record{};
    record.command.kind = static_cast<CommandKind>(k_checkpoint_kind);
    record.command.timestamp = now;
    std::memcpy(record.command.raw, &state_hash, sizeof state_hash);
    return record;
}
[[nodiscard]] inline std::uint64_t checkpoint_hash(const Record& record) {
    std::uint64_t hash;
    std::memcpy(&hash, record.command.raw, sizeof hash);
    return hash;
}

}  // namespace damrak::journal
