// The file of a day's events, beside its archived day: a header, then blocks front to back, all
// little-endian. docs/reference/archive.md describes it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <type_traits>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/domain/instrument.hpp>

namespace damrak::archive {

struct EventFileHeader {
    std::array<char, 8> magic{'D', 'A', 'M', 'R', 'A', 'K', 'E', 'V'};
    std::uint32_t version = 1;
    std::int32_t date = 0;  ///< yyyymmdd
    std::uint32_t feed_session = 0;
    std::uint32_t zero = 0;
    std::array<std::uint64_t, 2> journal{};  ///< the journal that the records belong to
    std::array<std::byte, 20> more_zero{};
    std::uint32_t checksum = 0;  ///< CRC-32C of all before it
};
static_assert(sizeof(EventFileHeader) == 64 && std::is_trivially_copyable_v<EventFileHeader>);

inline constexpr std::uint32_t k_event_block_magic = 0x4B'42'56'45;  ///< "EVBK"

// NOLINTNEXTLINE(performance-enum-size): the width in the file
enum class EventBlockKind : std::uint32_t {
    events = 1,       ///< of complete commands, in order; may be empty
    instruments = 2,  ///< instruments that the events name
    missing = 3,      ///< first in a file: records before it that are in no file; has no payload
};

struct EventBlockHeader {
    std::uint32_t magic = k_event_block_magic;
    EventBlockKind kind{};
    std::uint32_t payload_bytes = 0;  ///< zstd
    std::uint32_t count = 0;          ///< of events or instruments
    /// Journal records whose events are in the block, including records without events. For a part
    /// of a command, the last one is the record before it.
    std::uint64_t first_record = 0;
    std::uint64_t last_record = 0;
    std::int64_t first_time_ns = 0;  ///< since the epoch
    std::int64_t last_time_ns = 0;
    std::array<std::byte, 8> zero{};
    std::uint32_t payload_checksum = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of the header before it
};
static_assert(sizeof(EventBlockHeader) == 64 && std::is_trivially_copyable_v<EventBlockHeader>);

inline constexpr std::size_t k_block_events = 16'384;  ///< or more, to the end of a command
inline constexpr std::uint32_t k_most_block_events = 1U << 20U;

struct LoggedEvent {
    std::uint64_t record = 0;  ///< sequence number of the command
    std::int64_t time_ns = 0;  ///< time of the command, since the epoch
    Event event{};
    friend bool operator==(const LoggedEvent&, const LoggedEvent&) = default;
};

struct LoggedInstrument {
    InstrumentId id{};
    std::uint32_t price_decimals = 0;
    Symbol symbol{};
    friend bool operator==(const LoggedInstrument&, const LoggedInstrument&) = default;
};
static_assert(sizeof(LoggedInstrument) == 24 && std::is_trivially_copyable_v<LoggedInstrument>);

/// Stores the ten words of each event (record, time, and the event's own) as differences from the
/// previous event: first the lowest bytes of a word of all events, then their second bytes, and so
/// on, which compresses well. Pure; some ten nanoseconds an event.
[[nodiscard]] std::vector<std::byte> to_event_columns(std::span<const LoggedEvent> events);
/// The inverse. Returns nothing if the columns are not of `count` events.
[[nodiscard]] std::optional<std::vector<LoggedEvent>> from_event_columns(
    std::span<const std::byte> columns, std::size_t count);

}  // namespace damrak::archive
