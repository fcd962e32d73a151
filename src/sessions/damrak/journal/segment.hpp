// A segment: one file of the journal. A header page, then records at fixed offsets, then zeros.
// Written by the journal's helpers and the sequencing thread, read by every reader. The functions
// here are for start and rotation; none is on the path of an order.
//
//   offset  bytes  header page
//        0      8  magic "DAMRKJNL"
//        8      4  format_version         of the layout of segments
//       12      4  header_bytes           where the first record begins: 4096
//       16      4  record_bytes           192
//       20      4  record_schema_version  at the start of the segment
//       24      8  segment_bytes          of the whole file
//       32      8  number                 of the segment: 0, 1, 2 …
//       40      8  first_sequence         of its first record
//       48      8  created_ns             since 1970, UTC
//       56     16  instance               random; the same in all segments of a journal
//       72     40  engine                 EngineConfig of the engine for the commands
//      112      4  crc                    of all bytes before it
//      116      4  rules_version          for matching its commands, see engine_config.hpp
//      120    132  (zero)
//      252      4  crc                    of the bytes from 116 on
//     1024     16  synced mark, first place
//     2048     16  synced mark, second place
//
// A synced mark says that every record up to it has been on disk: sequence (8), crc (4), zero (4).
// The mark of a full segment may name a record after the segment, so that the loss of all later
// segments is detected. The two places are written in turn and lie in separate sectors, so a torn
// write damages only one of them, and not the header. A mark may be too old, but never too new.
//
// A segment of another format, schema or rules version is refused.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/file_system.hpp>
#include <damrak/journal/record.hpp>

namespace damrak::journal {

inline constexpr std::size_t k_page_bytes = 4'096;
inline constexpr std::size_t k_header_bytes = k_page_bytes;
inline constexpr std::uint32_t k_format_version = 2;

/// Identity of a journal; the same in each of its segments.
struct JournalIdentity {
    std::array<std::uint64_t, 2> instance{};  ///< random, drawn when the journal begins
    EngineConfig engine{};
    friend bool operator==(const JournalIdentity&, const JournalIdentity&) = default;
};

/// The header of a segment.
struct SegmentHeader {
    JournalIdentity identity;
    std::uint64_t segment_bytes = 0;
    std::uint64_t number = 0;
    std::uint64_t first_sequence = 0;
    Timestamp created{};

    [[nodiscard]] std::uint64_t capacity() const {
        return (segment_bytes - k_header_bytes) / k_record_bytes;
    }
    [[nodiscard]] std::uint64_t last_sequence() const { return first_sequence + capacity() - 1; }
};

/// Whether a segment may have this size: whole pages, and space for a record.
[[nodiscard]] constexpr bool is_segment_size(std::uint64_t bytes) {
    return bytes % k_page_bytes == 0 && bytes >= 2 * k_page_bytes;
}

/// Offset of a record in the file of its segment.
[[nodiscard]] inline std::uint64_t offset_of(const SegmentHeader& header, std::uint64_t sequence) {
    return k_header_bytes + (sequence - header.first_sequence) * k_record_bytes;
}

/// "journal-00000000000000000001.seg"
[[nodiscard]] std::string segment_name(std::uint64_t first_sequence);
/// The first sequence number in a name of this form.
[[nodiscard]] std::optional<std::uint64_t> parse_segment_name(std::string_view name);

/// What to do with a file of another version, as the end of a message: `what` is the number by
/// which it differs.
[[nodiscard]] std::string of_another_version(std::string_view what, std::uint32_t found,
                                             std::uint32_t ours);

/// Writes a header page, without marks, over zeros.
void write_header(std::span<std::byte> page, const SegmentHeader& header);
/// Reads the header of a mapped file; the error contains `path` and the remedy.
[[nodiscard]] Result<SegmentHeader> read_header(const std::filesystem::path& path,
                                                std::span<const std::byte> file);

/// The newest mark, or zero.
[[nodiscard]] std::uint64_t read_mark(std::span<const std::byte> file);
/// Replaces the older of both marks.
void write_mark(std::span<std::byte> file, std::uint64_t sequence);

}  // namespace damrak::journal
