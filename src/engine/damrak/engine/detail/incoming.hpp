// What the engine holds on the stack while it applies a command.
#pragma once

#include <array>
#include <cstdint>

#include <damrak/base/wide_integer.hpp>
#include <damrak/book/book_store.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/engine/cross_shard.hpp>
#include <damrak/engine/instrument_state.hpp>

namespace damrak::detail {

/// What the price of a pegged order depends on, beside the market.
struct Peg {
    Side side{};
    PegReference follows{};  ///< none: the order is not pegged
    Tick offset = 0;
    Tick limit = 0;  ///< zero: none
};

/// An incoming order: new, replaced or triggered. It exists until it rests or ends.
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
    OrderId entry_id{};  ///< the id in its entry event
    OrderAttributes terms{};
    bool repriced = false;
    bool imbalance_only = false;  ///< of auction orders
    bool has_room = true;  ///< the remainder can rest; known for new orders, stops check later
    ParticipantId participant{};
    AccountIndex account = 0;
    OrderIdMap::Key key{};   ///< of its id; set for new orders
    OrderIndex index = 0;    ///< its slot in memory, if it was replaced or triggered
    Tick tick = 0;           ///< limit; zero for market orders
    PriceKey limit_key = 0;  ///< the worst price it trades at, as a key of the opposite side
    PriceKey own_key = 0;    ///< the same by its own terms, without the instrument's price limits
    Quantity open{};
    Quantity executed{};
    Quantity display{};
    Quantity minimum{};
    Timestamp expire_time{};
    Peg peg{};
    Tick trail = 0;                ///< offset of a trailing stop
    bool to_limit = false;         ///< market-to-limit, and no price yet
    bool keeps_public_id = false;  ///< the one in its extension

    [[nodiscard]] Reason reason_to_drop() const {
        return has_room ? Reason::unfilled_remainder : Reason::levels_full;
    }
    [[nodiscard]] Side resting_side() const { return opposite(terms.side()); }

    /// Sets the limit and the fields derived from it.
    void set_limit(Tick limit) {
        tick = limit;
        limit_key = has_limit(terms.type()) ? price_key(resting_side(), limit) : k_no_price - 1;
        own_key = limit_key;
    }
};

/// Fields of a trade's events that are not in the orders.
struct Trade {
    TradeId id;
    ParticipantId owner;  ///< of the resting order
    Price price;
    Quantity fill;
    Quantity open;         ///< quantity of the incoming order after the trade
    Quantity left{};       ///< open quantity of the resting order
    Quantity displayed{};  ///< displayed part of that
    EventFlags::Bits flags = 0;
};

/// Result of matching.
enum class Matched : std::uint8_t {
    done,
    cancelled,
    stopped,        ///< at own orders that it skipped
    out_of_events,  ///< slice full: continue in the next one
};

/// What a suspended command continues with in the next slice.
enum class Work : std::uint8_t {
    none,
    matching,
    cascade,
    orders,
    expiry,
    recorded,
    uncross,
    band,
    auction_orders,
    quote,
};

/// The part of the list of fills that is still to be carried out.
struct Round {
    std::uint32_t next = 0;
    std::uint32_t end = 0;
};

/// A trade across the books of a combination (docs/rule-book/combinations.md) in progress.
struct TradeAcross {
    struct Part {
        InstrumentState* in = nullptr;
        Side resting{};
        Quantity left{};
    };
    std::array<Part, CombinationDetails::k_maximum_legs> parts{};
    std::uint32_t next = 0;  ///< the part that trades now
    std::uint32_t end = 0;   ///< zero: no trade is in progress
    TradeId id{};
    OrderIndex waiting =
        0;             ///< the order at rest that trades with the parts; zero: an incoming one
    Quantity units{};  ///< of that order
    Int128 paid = 0;   ///< by it so far; received: negative
};

/// Where an order of a combination or a leg is in its own book; zero: at no price.
struct OwnPrices {
    PriceKey passed = 0;  ///< the last price with which it is done
    PriceKey level = 0;   ///< the price at which it trades now
};

/// How a command ends many orders.
struct Ending {
    EventKind kind{};
    Reason reason{};
    InstrumentId only{};  ///< zero: all instruments
};

/// What other engines use, for the duration of a command.
struct Lent {
    OtherShards others{};
    ParticipantId participant{};
};

/// State from which the next slice continues.
struct Suspended {
    Incoming order{};                     ///< matching, recorded: the incoming order
    Command command{};                    ///< orders, expiry, recorded, uncross, quote
    Tick tick = 0;                        ///< uncross: the price; zero if there is none
    Side surplus{};                       ///< uncross: the side that has more at the price
    std::array<OrderIndex, 2> partial{};  ///< uncross: by side, the order that is filled in part
    std::uint64_t arrival = 0;  ///< uncross: of what is left of a batch; zero: not known yet
    InstrumentState* in = nullptr;
    InstrumentState* ending = nullptr;  ///< orders: the instrument whose orders end, of several
    std::int64_t ended = 0;             ///< orders ended so far
};

/// The walk of an incoming order along the queues of a level.
struct Walk {
    bool passed_own = false;
    bool refreshed = false;  ///< the order visited last moved to the end of its queue
    Matched end = Matched::done;

    [[nodiscard]] bool stop(Matched why) {
        end = why;
        return false;
    }
};

/// Running totals of a count of available quantity.
struct Supply {
    Quantity quantity{};
    bool own_in_level = false;  ///< an own order in this level is skipped
    bool final = false;         ///< an own order ends the count
};

}  // namespace damrak::detail
