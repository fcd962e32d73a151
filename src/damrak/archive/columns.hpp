// A block of ITCH messages field by field, which compresses to half of what the messages do: types,
// locates, tracking numbers, times as differences, order references as distances from the newest
// one, and of each type what is left. The inverse gives the same bytes back. Pure; any thread; some
// ten nanoseconds a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace damrak::archive {

/// Whole messages of ITCH 5.0, each after its length in two bytes, big-endian.
[[nodiscard]] std::vector<std::byte> to_columns(std::span<const std::byte> frames);

/// Nothing: these bytes are not what to_columns() gives.
[[nodiscard]] std::optional<std::vector<std::byte>> from_columns(
    std::span<const std::byte> columns);

}  // namespace damrak::archive
