// The file format of messages and sequence numbers of a FIX session, and its reader. Written by
// MessageStore; read by its recovery and by `damrak fix`, even while it is being written.
//
//   offset  bytes  a file: a header page, then records, then zeros
//        0      8  magic "DAMRKFIX"
//        8      4  format version: 1
//       12      4  offset of the first record: 4096
//       16      8  bytes of the whole file
//       24      8  number of the file: 1, 2, 3 …
//       32      8  created, ns since 1970, UTC
//       40      4  crc of all bytes before it
//
//   offset  bytes  a record, at a multiple of 8
//        0      4  bytes of the whole record, a multiple of 8; written last, zero: no record
//        4      4  crc: of bytes 8 to 47, then of the crc of the content
//        8      1  kind: 1 message, 2 numbers, 3 incoming
//        9      1  1: administrative
//       10      2  offset of the content in the record
//       12      4  bytes of the content
//       16      8  message: its number; numbers: the next outgoing; incoming: the next incoming
//       24      8  time, ns since 1970, UTC
//       32      8  command sequence, and
//       40      4  event index, of the event that the message reports
//       44      4  number of the file (low half)
//       48         content; message: its bytes; numbers: next incoming (8), began (8); incoming:
//                  the message, if incoming ones are stored
//
// All little-endian; CRC-32C. Every file begins with a record of numbers, so that it can be read
// without the previous ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include <damrak/base/crc32c.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/session/fix/detail/store.hpp>

namespace damrak::session::fix {

inline constexpr std::size_t k_store_header_bytes = 4'096;
inline constexpr std::uint32_t k_store_format_version = 1;

/// The header of a file of messages.
struct StoreFileHeader {
    std::uint64_t bytes = 0;
    std::uint64_t number = 0;
    Timestamp created{};
};

/// "messages-00000000000000000001.fix"
[[nodiscard]] std::string store_file_name(std::uint64_t number);
/// The number in a file name of this form.
[[nodiscard]] std::optional<std::uint64_t> parse_store_file_name(std::string_view name);

/// Writes a header over zeros.
void write_store_header(std::span<std::byte> file, const StoreFileHeader& header);
/// Reads the header of a file; the error contains `path` and the remedy.
[[nodiscard]] std::expected<StoreFileHeader, std::string> read_store_header(
    const std::filesystem::path& path, std::span<const std::byte> file);

enum class RecordKind : std::uint8_t { message = 1, numbers = 2, incoming = 3 };

/// Everything before the content except the first word.
struct RecordHeader {
    RecordKind kind{};
    bool administrative = false;
    std::uint16_t content_offset = 0;
    std::uint32_t content_bytes = 0;
    std::uint64_t sequence = 0;
    std::int64_t time_ns = 0;
    EventPosition position{};
    std::uint32_t file_number = 0;
};
inline constexpr std::size_t k_record_header_bytes = 48;
using RecordWords = std::array<std::uint64_t, k_record_header_bytes / sizeof(std::uint64_t)>;

/// As in the file, with the first word zero. Assembled word by word: reading fields together that
/// were written separately would stall the processor.
[[nodiscard]] inline RecordWords to_words(const RecordHeader& header) {
    return {0,
            static_cast<std::uint64_t>(header.kind) |
                std::uint64_t{header.administrative ? 1U : 0U} << 8U |
                std::uint64_t{header.content_offset} << 16U |
                std::uint64_t{header.content_bytes} << 32U,
            header.sequence,
            static_cast<std::uint64_t>(header.time_ns),
            header.position.command_sequence,
            header.position.event_index | std::uint64_t{header.file_number} << 32U};
}
[[nodiscard]] inline RecordHeader from_words(const RecordWords& words) {
    return {.kind = static_cast<RecordKind>(words[1] & 0xFF),
            .administrative = (words[1] >> 8U & 0xFF) != 0,
            .content_offset = static_cast<std::uint16_t>(words[1] >> 16U),
            .content_bytes = static_cast<std::uint32_t>(words[1] >> 32U),
            .sequence = words[2],
            .time_ns = static_cast<std::int64_t>(words[3]),
            .position = {words[4], static_cast<std::uint32_t>(words[5])},
            .file_number = static_cast<std::uint32_t>(words[5] >> 32U)};
}

/// Content of a record of numbers.
struct NumbersContent {
    std::uint64_t next_incoming;
    std::int64_t began_ns;
};

[[nodiscard]] constexpr std::size_t record_bytes(std::size_t content_offset,
                                                 std::size_t content_bytes) {
    constexpr std::size_t k_alignment = 8;
    return (content_offset + content_bytes + k_alignment - 1) / k_alignment * k_alignment;
}

[[nodiscard]] inline std::uint32_t record_crc(const RecordWords& words,
                                              std::span<const char> content) {
    std::uint64_t state = k_crc32c_start;
    for (std::size_t i = 1; i < words.size(); ++i) state = crc32c_step(state, words[i]);
    return crc32c_finish(crc32c_step(state, crc32c(std::as_bytes(content))));
}

/// A record as read; `content` points into the file.
struct StoreRecord {
    std::uint64_t offset = 0;  ///< in the file
    RecordKind kind{};
    std::uint64_t sequence = 0;
    Kept kept;
    std::span<const char> content;
    NumbersContent numbers{};  ///< if the kind is `numbers`
};

/// Bytes that are not a record, although a record follows or they are not all zeros.
struct StoreDamage {
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0;
    bool at_the_end = false;  ///< no valid record follows
    /// The writer stopped or is still writing it: the record was neither stored nor sent.
    bool unfinished = false;
};

/// The record at `offset` of a file, if it is valid.
[[nodiscard]] std::optional<StoreRecord> read_record(std::span<const std::byte> file,
                                                     std::uint64_t file_number,
                                                     std::uint64_t offset);

/// Reads the records of one file in order. At the end it may be called again when the file may have
/// grown.
class StoreFileReader {
  public:
    enum class Found : std::uint8_t { record, damage, end };

    /// `file` is the whole file, header included, and stays mapped.
    StoreFileReader(std::span<const std::byte> file, std::uint64_t number)
        : file_(file), number_(number) {}

    [[nodiscard]] Found next();
    [[nodiscard]] const StoreRecord& record() const { return record_; }
    [[nodiscard]] const StoreDamage& damage() const { return damage_; }
    /// Offset of the next record, whether it exists yet or not.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

  private:
    std::span<const std::byte> file_;
    std::uint64_t number_;
    std::uint64_t offset_ = k_store_header_bytes;
    StoreRecord record_;
    StoreDamage damage_;
};

}  // namespace damrak::session::fix
