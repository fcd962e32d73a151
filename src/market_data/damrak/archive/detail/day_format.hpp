// The file of an archived day: a header, then blocks front to back. All headers are little-endian
// and have the layout of these structs; docs/reference/archive.md describes them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <type_traits>

#include <damrak/archive/day_depth.hpp>

namespace damrak::archive {

inline constexpr std::array<char, 8> k_day_magic{'D', 'A', 'M', 'R', 'A', 'K', 'A', 'R'};
inline constexpr std::uint32_t k_day_version = 3;
inline constexpr std::uint32_t k_block_magic = 0x4B'4C'42'41;  ///< "ABLK"
inline constexpr std::uint32_t k_most_source_bytes = 4'096;

/// A DayDepth in the file.
struct DepthRecord {
    std::int64_t book_from_ns = 0;
    std::int64_t book_until_ns = DayDepth::k_to_the_end;
    std::uint32_t book_flags = 0;
    std::uint16_t depth = 0;
    std::uint16_t misfits = 0;
};
static_assert(sizeof(DepthRecord) == 24 && std::is_trivially_copyable_v<DepthRecord>);

/// The source follows it, as text without an end mark.
struct DayHeader {
    std::array<char, 8> magic = k_day_magic;
    std::uint32_t version = k_day_version;
    std::int32_t date = 0;     ///< yyyymmdd; zero: not known
    std::uint64_t day_id = 0;  ///< day_id_of(date, source)
    DepthRecord depth{};       ///< what was known at the start; the end block has the last word
    std::uint32_t source_bytes = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of all before it and of the source
};
static_assert(sizeof(DayHeader) == 56 && std::is_trivially_copyable_v<DayHeader>);

// NOLINTNEXTLINE(performance-enum-size): the width in the file
enum class BlockKind : std::uint16_t {
    messages = 1,    ///< messages of the day, in order
    checkpoint = 2,  ///< directory, trading state and open orders of some instruments
    end = 3,         ///< the day is complete; the payload is a DepthRecord, not compressed
};

/// A mark of a block of messages: it has Broken Trade messages, so that who needs these finds them
/// without reading the day.
inline constexpr std::uint16_t k_breaks_trades = 1;
/// A mark of the end: the recording that the day was made from was cut short.
inline constexpr std::uint16_t k_recording_cut = 1;

struct BlockHeader {
    std::uint32_t magic = k_block_magic;
    BlockKind kind{};
    std::uint16_t marks = 0;
    std::uint32_t payload_bytes = 0;  ///< zstd
    std::uint32_t raw_bytes = 0;      ///< size of the decompressed columns
    std::uint64_t first_message = 0;  ///< from 1; for a checkpoint the message after it
    std::uint32_t messages = 0;
    std::uint32_t payload_checksum = 0;
    std::int64_t first_time_ns = 0;
    std::int64_t last_time_ns = 0;
    /// For messages: one bit for each locate modulo 64 that occurs. For a checkpoint: the lowest
    /// locate and, from bit 16 on, the highest.
    std::uint64_t locates = 0;
    std::uint64_t day_id = 0;  ///< of the day's header: the block belongs to this day
    /// `checksum` of the block before it, or of the day's header: none was taken out, put in or
    /// moved. It covers that block's payload too, by `payload_checksum`.
    std::uint32_t previous = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of the header before it
};
static_assert(sizeof(BlockHeader) == 72 && std::is_trivially_copyable_v<BlockHeader>);

inline constexpr std::uint32_t k_block_messages = 16'384;
inline constexpr std::uint64_t k_locate_classes = 64;
/// Bounds of `raw_bytes`: the column lengths plus the longest columns of each message.
inline constexpr std::uint64_t k_columns_header_bytes = 204;
inline constexpr std::uint64_t k_most_message_bytes = 96;
inline constexpr std::uint32_t k_most_raw_bytes = std::uint32_t{1} << 30U;

/// Tells days apart by what is known before the first message, so that the same input gives the
/// same file: FNV-1a of the date and the source. Two days that agree in both are told apart by the
/// chain of their blocks.
[[nodiscard]] constexpr std::uint64_t day_id_of(std::int32_t date, std::string_view source) {
    constexpr std::uint64_t k_offset_basis = 0xCBF2'9CE4'8422'2325;
    constexpr std::uint64_t k_prime = 0x100'0000'01B3;
    std::uint64_t hash = k_offset_basis;
    const auto mix = [&hash](std::uint32_t byte) { hash = (hash ^ (byte & 0xFFU)) * k_prime; };
    for (const unsigned shift : {0U, 8U, 16U, 24U}) mix(static_cast<std::uint32_t>(date) >> shift);
    for (const char c : source) mix(static_cast<unsigned char>(c));
    return hash;
}

[[nodiscard]] constexpr DepthRecord record_of(const DayDepth& depth) {
    return {.book_from_ns = depth.book_from_ns,
            .book_until_ns = depth.book_until_ns,
            .book_flags = depth.book_flags,
            .depth = depth.depth,
            .misfits = depth.misfits};
}
[[nodiscard]] constexpr DayDepth depth_of(const DepthRecord& record) {
    return {.depth = record.depth,
            .book_from_ns = record.book_from_ns,
            .book_until_ns = record.book_until_ns,
            .book_flags = record.book_flags,
            .misfits = record.misfits};
}
[[nodiscard]] constexpr bool is_plain(const DepthRecord& record) {
    return (record.book_flags & ~DayDepth::k_all_flags) == 0;
}

/// Counts one more message in a block.
inline void note(BlockHeader& block, char type, std::uint16_t locate, std::int64_t time_ns) {
    if (block.messages == 0) block.first_time_ns = time_ns;
    block.last_time_ns = time_ns;
    block.locates |= std::uint64_t{1} << (locate % k_locate_classes);
    if (type == 'B') block.marks |= k_breaks_trades;
    ++block.messages;
}
[[nodiscard]] inline bool may_have(const BlockHeader& block, std::uint16_t locate) {
    return (block.locates >> (locate % k_locate_classes) & 1U) != 0;
}
/// Whether the block is of a checkpoint and has this instrument.
[[nodiscard]] inline bool is_checkpoint_of(const BlockHeader& block, std::uint16_t locate) {
    return block.kind == BlockKind::checkpoint && locate >= (block.locates & 0xFFFFU) &&
           locate <= block.locates >> 16U;
}

}  // namespace damrak::archive
