// Stores a block of ITCH messages field by field, which compresses to half the size of the
// messages: types, locates, tracking numbers, time differences, order references as distances from
// the newest one, and the remaining bytes of each type. Decoding restores the same bytes. Pure; any
// thread; some ten nanoseconds a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <damrak/archive/detail/day_format.hpp>

namespace damrak::archive {

/// Encodes many blocks and reuses its memory.
class ColumnEncoder {
  public:
    ColumnEncoder();
    ColumnEncoder(ColumnEncoder&&) noexcept;
    ColumnEncoder& operator=(ColumnEncoder&&) = delete;
    ~ColumnEncoder();

    /// Encodes complete ITCH 5.0 messages, each after its length in two bytes, big-endian. Valid
    /// until the next call.
    [[nodiscard]] std::span<const std::byte> encode(std::span<const std::byte> frames);

  private:
    class Writer;
    std::unique_ptr<Writer> writer_;
};

/// The same for one block.
[[nodiscard]] std::vector<std::byte> to_columns(std::span<const std::byte> frames);

/// The messages of a block, and what its header must say about them.
struct DecodedBlock {
    std::vector<std::byte> frames;
    /// Counts, times, locates and marks of these messages, which the block's header must match.
    BlockHeader noted{};
    bool in_time_order = true;

    /// Whether they match. The messages of a checkpoint may have any times.
    [[nodiscard]] bool fits(const BlockHeader& header) const {
        if (header.kind == BlockKind::checkpoint) return noted.messages == header.messages;
        return in_time_order && noted.messages == header.messages &&
               noted.first_time_ns == header.first_time_ns &&
               noted.last_time_ns == header.last_time_ns && noted.locates == header.locates &&
               noted.marks == header.marks;
    }
};
/// Returns nothing if the bytes are not output of to_columns().
[[nodiscard]] std::optional<DecodedBlock> from_columns(std::span<const std::byte> columns);

}  // namespace damrak::archive
