// What the engine holds on the stack while it works through a command.
#pragma once

#include <cstdint>

#include <damrak/book/book_store.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/instrument_state.hpp>

namespace damrak::detail {

/// An order on its way in: new, replaced or triggered. It lives until it rests or ends.
struct Incoming {
    Incoming() = default;
    Incoming(InstrumentState* instrument, OrderId order_id, OrderAttributes attributes,
             AccountIndex account_index, ParticipantId owner, Quantity quantity)
        : in(instrument),
          id(order_id),
          entry_id(order_id),
          terms(attributes),
          participant(owner),
          account(account_index),
          open(quantity) {}

    InstrumentState* in = nullptr;
    OrderId id{};
    OrderId entry_id{};  ///< the id by which its entry event calls it
    OrderAttributes terms{};
    bool repriced = false;
    bool has_room = true;  ///< what is left can rest: known of new orders, to be asked of stops
    ParticipantId participant{};
    AccountIndex account = 0;
    OrderIdMap::Key key{};    ///< of its id; set for new orders
    OrderIndex index = 0;     ///< the place it has already, if it was replaced or triggered
    std::uint32_t skips = 0;  ///< resting orders passed over so far
    Tick tick = 0;            ///< limit; zero for market orders
    PriceKey limit_key = 0;   ///< the worst price it trades at, as a key of the opposite side
    Quantity open{};
    Quantity executed{};
    Quantity display{};
    Quantity minimum{};
    Timestamp expire_time{};

    [[nodiscard]] Reason reason_to_drop() const {
        return has_room ? Reason::unfilled_remainder : Reason::levels_full;
    }
    [[nodiscard]] Side resting_side() const { return opposite(terms.side()); }

    /// Sets the limit and what follows from it.
    void set_limit(Tick limit) {
        tick = limit;
        limit_key = has_limit(terms.type()) ? price_key(resting_side(), limit) : k_no_price - 1;
    }
};

/// What the events of a trade tell, beside the orders.
struct Trade {
    TradeId id;
    ParticipantId owner;  ///< of the resting order
    Price price;
    Quantity fill;
    Quantity open;         ///< of the incoming order after it
    Quantity left{};       ///< of the resting one
    Quantity displayed{};  ///< what the public sees of that
    EventFlags::Bits flags = 0;
};

/// How matching ended.
enum class Matched : std::uint8_t {
    done,
    cancelled,
    stopped,        ///< at own orders that it passed over
    out_of_events,  ///< of the slice: the next one goes on; rules of version 1: of the command
    out_of_skips,
};

/// What a command is in the middle of when a slice is full.
enum class Work : std::uint8_t { none, matching, cascade, orders, expiry, recorded };

/// How orders end that are ended together.
struct Ending {
    EventKind kind{};
    Reason reason{};
    InstrumentId only{};  ///< zero: in all instruments
};

/// What other engines use, for the length of a command.
struct Lent {
    OtherShards others{};
    ParticipantId participant{};
};

/// What the next slice goes on from.
struct Suspended {
    Incoming order{};   ///< matching, recorded: the incoming order
    Command command{};  ///< orders, expiry, recorded
    InstrumentState* in = nullptr;
    std::int64_t ended = 0;  ///< orders, so far
};

/// The walk of an incoming order along the queues of a level.
struct Walk {
    bool passed_own = false;
    bool refreshed = false;  ///< the order visited last joined the end of its queue
    Matched end = Matched::done;

    [[nodiscard]] bool stop(Matched why) {
        end = why;
        return false;
    }
};

/// What a sum over levels has found so far.
struct Supply {
    std::int64_t events;  ///< that may still be counted
    Quantity quantity{};
    std::uint32_t skips = 0;
    bool own_in_level = false;  ///< that is passed over
    bool final = false;         ///< an own order ends it
};

}  // namespace damrak::detail
