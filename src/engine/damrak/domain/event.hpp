// An event: one fact about what the engine did. 64 bytes, trivially copyable. The events of a
// command are those since the previous command. Their transport adds the command's sequence number
// and the index of the event within the command, which together identify the event permanently.
//
// Events are sufficient to rebuild every view. `displayed` is the quantity of the order in the
// public book after the event. An order is in the book from the event with k_on_book until one with
// remaining zero (or replaced).
//
//   kind                      order_id  reference         price          quantity    remaining
//   accepted                  new       client_order_id   limit          ordered     same
//   rejected                  (target)  client_order_id   asked          asked       -
//   executed                  order     trade_id          of the trade   traded      open after it
//   cancelled                 order     -                 limit          removed     open after it
//   replaced                  old       new_order_id      new limit      -           new open
//   expired                   order     -                 limit          removed     0
//   triggered                 order     -                 limit          -           open
//   refreshed                 order     public_id         limit          -           open
//   rested                    order     public_id         limit          -           open
//   order_status              order     client_order_id   limit          executed    open
//   uncrossed                 -         trade_id          auction price  executable  surplus
//   instrument_added, tick_band_added, limits_set,
//   participant_state_changed -         -                 -              new state   -
//   trading_state_changed, phase_changed
//                             -         -                 -              new state   its HaltCause
//   allocation_set, price_limits_set, price_band_set, lead_maker_set, quote_protection_set,
//   combination_set           -         -                 -              -           -
//   trade_busted              order     trade_id       of the trade   traded      -
//   trade_corrected           order     trade_id          new            new         traded before
//   mass_cancelled, day_ended -         -                 -              orders      1: more left
//   participant_released      -         generation        -              accounts    positions
//   capacities_set            -         -                 -              -           -
//
// trade_busted and trade_corrected come in pairs, the buy first, the sell (k_aggressor) second. The
// `displayed` of trade_corrected is the price before.
//
// executed comes in pairs, the resting order first, the incoming one (k_aggressor) second. In a
// cross, both rest: the buy comes first, the sell (k_aggressor) second. In an implied trade there
// is one for each resting order, in its instrument, and then that of the incoming order, all with
// k_implied and one trade_id, which is of the combination. `uncrossed` is ahead of the trades of
// its auction; its price and its trade_id are zero if there is no price, and its side is the one
// that is left over; its `displayed` is the CallKind.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak {

enum class EventKind : std::uint8_t {
    none = 0,
    accepted = 1,
    rejected = 2,
    executed = 3,
    cancelled = 4,
    replaced = 5,
    expired = 6,
    triggered = 7,
    refreshed = 8,
    rested = 9,
    order_status = 10,
    instrument_added = 11,
    tick_band_added = 12,
    trading_state_changed = 13,
    limits_set = 14,
    participant_state_changed = 15,
    mass_cancelled = 16,
    day_ended = 17,
    participant_released = 18,
    capacities_set = 19,
    phase_changed = 20,
    uncrossed = 21,
    allocation_set = 22,
    price_limits_set = 23,
    price_band_set = 24,
    lead_maker_set = 25,
    trade_busted = 26,
    quote_protection_set = 27,
    trade_corrected = 28,
    combination_set = 29,
};

/// Bits of Event::flags.
struct EventFlags {
    using Bits = std::uint16_t;
    static constexpr Bits k_on_book = 1U << 0;  ///< rests in the book after this event
    static constexpr Bits k_aggressor = 1U
                                        << 1;  ///< executed: the incoming side; the sell in a cross
    static constexpr Bits k_hidden = 1U << 2;  ///< the order is not displayed
    static constexpr Bits k_repriced = 1U << 3;  ///< post-only: not at the requested price
    static constexpr Bits k_waiting = 1U << 4;   ///< for its stop price, or its auction
    static constexpr Bits k_held = 1U << 5;      ///< rests until its minimum quantity can trade
    static constexpr Bits k_cross = 1U << 6;     ///< executed: at the price of an auction
    static constexpr Bits k_implied = 1U << 7;   ///< executed: across the books of a combination
};

struct alignas(64) Event {
    EventKind kind{};
    CommandKind command{};  ///< kind of the command that caused it
    Side side{};
    OrderType order_type{};
    TimeInForce time_in_force{};
    Reason reason{};
    EventFlags::Bits flags = 0;
    InstrumentId instrument{};
    ParticipantId participant{};
    OrderId order_id{};
    std::uint64_t reference = 0;  ///< see the table; typed by the accessors
    Price price{};
    Quantity quantity{};
    Quantity remaining{};
    Quantity displayed{};

    [[nodiscard]] constexpr ClientOrderId client_order_id() const { return {reference}; }
    [[nodiscard]] constexpr TradeId trade_id() const { return {reference}; }
    [[nodiscard]] constexpr OrderId new_order_id() const { return {reference}; }
    [[nodiscard]] constexpr OrderId public_id() const { return {reference}; }

    friend constexpr bool operator==(const Event&, const Event&) = default;
};

static_assert(sizeof(Event) == 64 && alignof(Event) == 64);
static_assert(std::is_trivially_copyable_v<Event>);
static_assert(std::has_unique_object_representations_v<Event>);
static_assert(offsetof(Event, instrument) == 8 && offsetof(Event, order_id) == 16 &&
              offsetof(Event, price) == 32 && offsetof(Event, displayed) == 56);

[[nodiscard]] constexpr bool has_flag(const Event& event, EventFlags::Bits bit) {
    return (event.flags & bit) != 0;
}

/// Whether an `executed` is that of an order that came in; in a cross, none did.
[[nodiscard]] constexpr bool is_taker(const Event& event) {
    return has_flag(event, EventFlags::k_aggressor) && !has_flag(event, EventFlags::k_cross);
}

/// Whether an `executed` adds its quantity to what its instrument has traded: one of the two of a
/// trade, or any that is implied.
[[nodiscard]] constexpr bool adds_to_volume(const Event& event) {
    return !has_flag(event, EventFlags::k_aggressor) || has_flag(event, EventFlags::k_implied);
}

}  // namespace damrak
