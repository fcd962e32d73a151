// The file of an archived day: a header, then blocks front to back. All headers are little-endian
// and have the layout of these structs; docs/reference/archive.md describes them.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace damrak::archive {

inline constexpr std::array<char, 8> k_day_magic{'D', 'A', 'M', 'R', 'A', 'K', 'A', 'R'};
inline constexpr std::uint32_t k_day_version = 1;
inline constexpr std::uint32_t k_block_magic = 0x4B'4C'42'41;  ///< "ABLK"

struct DayHeader {
    std::array<char, 8> magic = k_day_magic;
    std::uint32_t version = k_day_version;
    std::int32_t date = 0;          ///< yyyymmdd; zero: not known
    std::array<char, 40> source{};  ///< where the day comes from, as text
    std::uint32_t zero = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of all before it
};
static_assert(sizeof(DayHeader) == 64 && std::is_trivially_copyable_v<DayHeader>);

// NOLINTNEXTLINE(performance-enum-size): the width in the file
enum class BlockKind : std::uint32_t {
    messages = 1,    ///< messages of the day, in order
    checkpoint = 2,  ///< directory, trading state and open orders of some instruments
    end = 3,         ///< the day is complete; no payload
};

struct BlockHeader {
    std::uint32_t magic = k_block_magic;
    BlockKind kind{};
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
    std::uint32_t zero = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of the header before it
};
static_assert(sizeof(BlockHeader) == 64 && std::is_trivially_copyable_v<BlockHeader>);

inline constexpr std::uint32_t k_block_messages = 16'384;
inline constexpr std::uint64_t k_locate_classes = 64;
/// Bounds of `raw_bytes`: the column lengths plus the longest columns of each message.
inline constexpr std::uint64_t k_columns_header_bytes = 204;
inline constexpr std::uint64_t k_most_message_bytes = 96;
inline constexpr std::uint32_t k_most_raw_bytes = std::uint32_t{1} << 30U;

/// Counts one more message in a block.
inline void note(BlockHeader& block, std::uint16_t locate, std::int64_t time_ns) {
    if (block.messages == 0) block.first_time_ns = time_ns;
    block.last_time_ns = time_ns;
    block.locates |= std::uint64_t{1} << (locate % k_locate_classes);
    ++block.messages;
}
[[nodiscard]] inline bool may_have(const BlockHeader& block, std::uint16_t locate) {
    return (block.locates >> (locate % k_locate_classes) & 1U) != 0;
}

}  // namespace damrak::archive
