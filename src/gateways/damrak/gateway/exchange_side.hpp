// What a gateway needs of the exchange behind it. exchange/detail/inline_exchange.hpp and
// exchange/detail/pipelined_exchange.hpp provide it; tests have their own.
#pragma once

#include <concepts>
#include <cstdint>

#include <damrak/domain/command.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/journal/writer.hpp>

namespace damrak::gateway {

/// What a gateway needs of the exchange behind it.
template <class E>
concept ExchangeSide = requires(E& exchange, const E& view, const Command& command,
                                const Origin& origin, Timestamp now) {
    /// Stamps, journals and applies the command. False: the exchange accepts no more, and did not
    /// accept this one.
    { exchange.submit(command, origin, now) } -> std::same_as<bool>;
    /// Once a turn: expires due orders and reports the events that arrived. False: it has stopped.
    { exchange.do_work(now) } -> std::same_as<bool>;
    /// There is room for two more commands.
    { view.ready() } -> std::convertible_to<bool>;
    /// Events of earlier commands are still to come.
    { view.awaits_answers() } -> std::convertible_to<bool>;
    /// Whether the reported answers may be sent.
    { view.durable_state() } -> std::same_as<journal::DurableState>;
    { view.has_instrument(command.instrument) } -> std::convertible_to<bool>;
    /// There is such an instrument, with prices at and below zero: protocols without signs do not
    /// trade in it.
    { view.below_zero(command.instrument) } -> std::convertible_to<bool>;
    /// The largest numbers ever assigned.
    { view.last_session() } -> std::same_as<SessionId>;
    { view.last_participant() } -> std::same_as<ParticipantId>;
};

/// Whether a session with this many pending requests may send another: a speed bump keeps room
/// for the others.
template <ExchangeSide E>
[[nodiscard]] bool has_room_for(const E& exchange, std::uint32_t pending) {
    if constexpr (requires {
                      { exchange.has_room_for(pending) } -> std::convertible_to<bool>;
                  })
        return exchange.has_room_for(pending);
    else
        return true;
}

}  // namespace damrak::gateway
