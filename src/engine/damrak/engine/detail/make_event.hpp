// Builds events on the frequent paths. The first eight bytes are assembled as one word and stored
// at once. Events are built as temporaries and passed on directly, so they are written once, in
// place; a named event would be copied with a string instruction.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>

#include <damrak/base/inline.hpp>
#include <damrak/book/order.hpp>
#include <damrak/domain/event.hpp>

namespace damrak::detail {

/// The first eight bytes of an event.
struct EventHead {
    EventKind kind;
    CommandKind command;
    Side side;
    OrderType order_type;
    TimeInForce time_in_force;
    Reason reason;
    EventFlags::Bits flags;

    [[nodiscard]] DAMRAK_HOT static EventHead of(EventKind kind, CommandKind command,
                                                 OrderAttributes terms, Reason reason,
                                                 EventFlags::Bits flags) {
        return std::bit_cast<EventHead>(terms.spread() | static_cast<std::uint64_t>(kind) |
                                        static_cast<std::uint64_t>(command) << 8U |
                                        static_cast<std::uint64_t>(reason) << 40U |
                                        std::uint64_t{flags} << 48U);
    }
};
static_assert(sizeof(EventHead) == offsetof(Event, instrument) &&
              offsetof(EventHead, side) == offsetof(Event, side) &&
              offsetof(EventHead, time_in_force) == offsetof(Event, time_in_force) &&
              offsetof(EventHead, reason) == offsetof(Event, reason));

/// The other fields of the event.
struct EventBody {
    InstrumentId instrument;
    ParticipantId participant;
    OrderId order_id;
    std::uint64_t reference = 0;
    Price price;
    Quantity quantity{};
    Quantity remaining{};
    Quantity displayed{};
};

[[nodiscard]] DAMRAK_HOT Event make_event(EventHead head, const EventBody& body) {
    return {.kind = head.kind,
            .command = head.command,
            .side = head.side,
            .order_type = head.order_type,
            .time_in_force = head.time_in_force,
            .reason = head.reason,
            .flags = head.flags,
            .instrument = body.instrument,
            .participant = body.participant,
            .order_id = body.order_id,
            .reference = body.reference,
            .price = body.price,
            .quantity = body.quantity,
            .remaining = body.remaining,
            .displayed = body.displayed};
}

}  // namespace damrak::detail
