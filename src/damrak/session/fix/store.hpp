// What a FIX session asks of the place where its messages and its sequence numbers are kept: a
// concept, so that nothing is called through a pointer. MessageStore (message_store.hpp) keeps them
// in files, MemoryStore (memory_store.hpp) for as long as the process runs.
//
//   const std::span<char> room = store.claim(maximum_bytes);       encode into it
//   const auto kept = store.commit(sequence, encoder.finish(), …);  from here on it survives
//   send(kept);
//
// A message is written where it is kept; there is no other copy. commit() comes before the message
// leaves. A claim that is not committed has not happened. One thread.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include <damrak/domain/measures.hpp>

namespace damrak::session::fix {

/// The event that a message reports, so that a restart can tell which reports are missing: the
/// place of the command in the order of all, and of the event among those that the command caused.
/// Sequences count from 1; zero: no event.
struct EventPosition {
    std::uint64_t command_sequence = 0;
    std::uint32_t event_index = 0;
    friend constexpr auto operator<=>(const EventPosition&, const EventPosition&) = default;
};

/// What is kept beside the bytes of a message.
struct Kept {
    Timestamp time{};
    EventPosition position{};
    bool administrative = false;  ///< not sent again: a gap fill stands for it
};

struct Stored {
    std::span<const char> message;
    std::uint64_t sequence = 0;
    Kept kept;
};

template <class S>
concept Store = requires(S& store, const S& constant, std::span<const char> message) {
    /// Memory for one message, nothing of which is kept yet; empty if there is none (see
    /// trouble()). The same memory until commit().
    { store.claim(std::size_t{}) } -> std::same_as<std::span<char>>;
    /// Keeps `message`, which lies in what was claimed last, as number `sequence`; that is not
    /// below next_outgoing(), which becomes the one after it. Returns the message where it is kept,
    /// good until the next claim.
    { store.commit(std::uint64_t{}, message, Kept{}) } -> std::same_as<std::span<const char>>;
    /// A message that was sent since the last reset; nothing if it is not, or no longer, kept. Good
    /// until the next claim.
    { constant.find(std::uint64_t{}) } -> std::same_as<std::optional<Stored>>;
    { constant.next_outgoing() } -> std::same_as<std::uint64_t>;
    { constant.next_incoming() } -> std::same_as<std::uint64_t>;
    store.set_next_outgoing(std::uint64_t{}, Timestamp{});
    /// One that goes back begins a new count: see began().
    store.set_next_incoming(std::uint64_t{}, Timestamp{});
    /// The next one after a message that was taken, which may be kept for people to read.
    store.take_incoming(std::uint64_t{}, message, Timestamp{});
    /// Both numbers are 1 again and no message is kept.
    store.reset(Timestamp{});
    /// When the numbers began to count: the time of the last reset, or of the first use. What came
    /// from the other side before that says nothing of which number comes next.
    { constant.began() } -> std::same_as<Timestamp>;
    /// The largest position that was kept, also before a reset.
    { constant.last_position() } -> std::same_as<EventPosition>;
    /// Why nothing can be kept, or empty.
    { constant.trouble() } -> std::same_as<std::string>;
};

}  // namespace damrak::session::fix
