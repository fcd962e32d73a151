// Where a command came from: the session that asked, its place in what that session sent, and a
// note that only the session's protocol reads. Kept in the journal with the command and given back
// with each of its events, so that an answer needs nothing but them. Plain values, no cost.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak {

/// One connection of one client, at any door. Zero: the exchange itself.
using SessionId = Identifier<struct SessionIdTag, std::uint64_t>;

/// The door that a client came in by: the top byte of its session's id. Journals hold it, so a door
/// keeps its number for ever; each states its own (gateway/door.hpp).
enum class DoorNumber : std::uint8_t {};
/// The door whose sessions are counted: each connection has the next number, also after a restart.
inline constexpr DoorNumber k_counting_door{0};
inline constexpr unsigned k_door_shift = 56;

[[nodiscard]] constexpr DoorNumber door_of(SessionId id) {
    return static_cast<DoorNumber>(id.value >> k_door_shift);
}
[[nodiscard]] constexpr SessionId session_at(DoorNumber door, std::uint64_t number) {
    return {static_cast<std::uint64_t>(door) << k_door_shift | number};
}

/// What a protocol wants back with the answer. Opaque to everybody else.
struct Tag {
    std::array<std::byte, 24> bytes{};
    friend constexpr bool operator==(const Tag&, const Tag&) = default;
};

struct Origin {
    SessionId session{};
    std::uint64_t inbound_sequence = 0;
    Tag tag{};
    friend constexpr bool operator==(const Origin&, const Origin&) = default;
};
static_assert(std::is_trivially_copyable_v<Origin> && sizeof(Origin) == 40);

/// What the sequencer gave a command: its place in the total order, and its time.
struct CommandStamp {
    SequenceNumber sequence{};
    Timestamp timestamp{};
};

}  // namespace damrak
