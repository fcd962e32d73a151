// What a FIX session requires of the store of its messages and sequence numbers: a concept, so that
// no call goes through a pointer. MessageStore (message_store.hpp) stores them in files,
// MemoryStore (memory_store.hpp) in memory.
//
//   const std::span<char> room = store.claim(maximum_bytes);       encode into it
//   const auto kept = store.commit(sequence, encoder.finish(), …);  from now on it survives
//   send(kept);
//
// A message is encoded directly into the store; there is no other copy. Commit a message before
// sending it. An uncommitted claim has no effect. One thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <damrak/domain/measures.hpp>

namespace damrak::session::fix {

/// The event that a message reports, so that a restart can find missing reports: the sequence of
/// the command, and the index of the event among those of the command. Sequences count from 1;
/// zero: no event.
struct EventPosition {
    std::uint64_t command_sequence = 0;
    std::uint32_t event_index = 0;
    friend constexpr auto operator<=>(const EventPosition&, const EventPosition&) = default;
};

/// What is stored with a message's bytes.
struct Kept {
    Timestamp time{};
    EventPosition position{};
    bool administrative = false;  ///< not resent: a gap fill replaces it
};

struct Stored {
    std::span<const char> message;
    std::uint64_t sequence = 0;
    Kept kept;
};

template <class S>
concept Store = requires(S& store, const S& constant, std::span<const char> message) {
    /// Memory for one message, of which nothing is stored yet; empty if there is none (see
    /// trouble()). Returns the same memory until commit().
    { store.claim(std::size_t{}) } -> std::same_as<std::span<char>>;
    /// Stores `message`, which lies in the last claim, as number `sequence`, which is at least
    /// next_outgoing(). next_outgoing() becomes the number after it. Returns the message as stored,
    /// valid until the next claim.
    { store.commit(std::uint64_t{}, message, Kept{}) } -> std::same_as<std::span<const char>>;
    /// A message sent since the last reset; empty if it is not, or no longer, stored. Valid until
    /// the next claim.
    { constant.find(std::uint64_t{}) } -> std::same_as<std::optional<Stored>>;
    { constant.next_outgoing() } -> std::same_as<std::uint64_t>;
    { constant.next_incoming() } -> std::same_as<std::uint64_t>;
    store.set_next_outgoing(std::uint64_t{}, Timestamp{});
    /// A lower number starts a new count: see began().
    store.set_next_incoming(std::uint64_t{}, Timestamp{});
    /// Advances past a handled incoming message, which may be stored for inspection.
    store.take_incoming(std::uint64_t{}, message, Timestamp{});
    /// Sets both numbers to 1 and drops all messages.
    store.reset(Timestamp{});
    /// Start of the current count: the time of the last reset, or of the first use. Earlier
    /// messages of the other side say nothing about the next number.
    { constant.began() } -> std::same_as<Timestamp>;
    /// The largest position that was ever stored, even before a reset.
    { constant.last_position() } -> std::same_as<EventPosition>;
    /// Why nothing can be stored, or empty.
    { constant.trouble() } -> std::same_as<std::string>;
};

}  // namespace damrak::session::fix
