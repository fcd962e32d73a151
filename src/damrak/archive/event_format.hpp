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
    std::array<std::uint64_t, 2>
        journal{};  ///< the instance of the journal that its records are of
    std::array<std::byte, 20> more_zero{};
    std::uint32_t checksum = 0;  ///< CRC-32C of all before it
};
static_assert(sizeof(EventFileHeader) == 64 && std::is_trivially_copyable_v<EventFileHeader>);

inline constexpr std::uint32_t k_event_block_magic = 0x4B'42'56'45;  ///< "EVBK"

enum class EventBlockKind : std::uint32_t {
    events = 1,       ///< of whole commands, in order; perhaps none
    instruments = 2,  ///< what the events name
};

struct EventBlockHeader {
    std::uint32_t magic = k_event_block_magic;
    EventBlockKind kind{};
    std::uint32_t payload_bytes = 0;  ///< zstd
    std::uint32_t count = 0;          ///< of events or instruments
    /// Records of the journal whose events are in it, those that had none included. Of a part of a
    /// command the last one is that before it.
    std::uint64_t first_record = 0;
    std::uint64_t last_record = 0;
    std::int64_t first_time_ns = 0;  ///< since the epoch
    std::int64_t last_time_ns = 0;
    std::array<std::byte, 8> zero{};
    std::uint32_t payload_checksum = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of the header before it
};
static_assert(sizeof(EventBlockHeader) == 64 && std::is_trivially_copyable_v<EventBlockHeader>);

inline constexpr std::size_t k_block_events = 16'384;  ///< or more, up to the end of a command
inline constexpr std::uint32_t k_most_block_events = 1U << 20U;

struct LoggedEvent {
    std::uint64_t record = 0;  ///< the sequence number of its command
    std::int64_t time_ns = 0;  ///< of its command, since the epoch
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

/// The ten words of each event (record, time, and those of the event), as differences from the
/// event before, all first bytes of a word together, then its second ones, and so on: they compress
/// well. Pure; some ten nanoseconds an event.
[[nodiscard]] std::vector<std::byte> to_event_columns(std::span<const LoggedEvent> events);
/// The inverse. Nothing: it is not that of so many events.
[[nodiscard]] std::optional<std::vector<LoggedEvent>> from_event_columns(
    std::span<const std::byte> columns, std::size_t count);

}  // namespace damrak::archive
