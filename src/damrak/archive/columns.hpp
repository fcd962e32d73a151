// A block of ITCH messages field by field, which compresses to half of what the messages do: types,
// locates, tracking numbers, times as differences, order references as distances from the newest
// one, and of each type what is left. The inverse gives the same bytes back. Pure; any thread; some
// ten nanoseconds a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include <damrak/archive/day_format.hpp>

namespace damrak::archive {

/// For many blocks: their memory is used again.
class ColumnEncoder {
  public:
    ColumnEncoder();
    ColumnEncoder(ColumnEncoder&&) noexcept;
    ColumnEncoder& operator=(ColumnEncoder&&) = delete;
    ~ColumnEncoder();

    /// Of whole messages of ITCH 5.0, each after its length in two bytes, big-endian. Valid until
    /// the next call.
    [[nodiscard]] std::span<const std::byte> encode(std::span<const std::byte> frames);

  private:
    class Writer;
    std::unique_ptr<Writer> writer_;
};

/// The same for one block.
[[nodiscard]] std::vector<std::byte> to_columns(std::span<const std::byte> frames);

struct DecodedBlock {
    std::vector<std::byte> frames;
    /// Counts, times and locates of these messages, as the header of their block has to give them.
    BlockHeader noted{};
    bool in_time_order = true;

    /// Those of a checkpoint have any times.
    [[nodiscard]] bool fits(const BlockHeader& header) const {
        if (header.kind == BlockKind::checkpoint) return noted.messages == header.messages;
        return in_time_order && noted.messages == header.messages &&
               noted.first_time_ns == header.first_time_ns &&
               noted.last_time_ns == header.last_time_ns && noted.locates == header.locates;
    }
};
/// Nothing: these bytes are not what to_columns() gives.
[[nodiscard]] std::optional<DecodedBlock> from_columns(std::span<const std::byte> columns);

}  // namespace damrak::archive
