// The state of the reference model (rule book, section 1) in the simplest containers: a map of
// prices to lists of orders. Nothing is stored that can be derived from the orders. Used by the
// model and by tests that inspect it; every query walks over its orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak::reference {

enum class Place : std::uint8_t { incoming, book, pending, elected, waiting };

/// What an order has to do with the one that it is linked to.
enum class Link : std::uint8_t { none, cancels, triggers, waits };

struct Order {
    InstrumentId instrument{};
    OrderId id{};
    bool is_private = false;  ///< not displayed when it came in: the feeds never show its id
    std::uint64_t public_id = 0;
    ParticipantId participant{};
    Side side{};
    OrderType type{};
    TimeInForce time_in_force{};
    SelfTradePrevention self_trade_prevention{};
    bool hidden = false;
    bool post_only = false;
    bool post_only_reprice = false;
    Price price{};
    Price stop_price{};
    Quantity open{};
    Quantity executed{};
    Quantity display{};  ///< zero unless an iceberg
    Quantity slice{};    ///< of an iceberg in the book
    Quantity minimum{};  ///< zero once it was fulfilled
    Timestamp expire_time{};
    Place place = Place::incoming;
    bool top = false;         ///< the top order of its side
    bool sealed = false;      ///< not displayed before the auction of its batch
    std::uint64_t batch = 0;  ///< in which it came; zero: in none
    bool held = false;
    bool aside = false;         ///< held, stopped by a self-trade rule, a market order in a call
    std::uint64_t arrival = 0;  ///< position in time among resting orders
    PegReference peg{};         ///< of a pegged order; `price` is where it stands
    Price peg_offset{};
    Price peg_limit{};      ///< zero: none
    Price trail{};          ///< of a trailing stop: its distance from a trade
    bool to_limit = false;  ///< market-to-limit, and no price yet
    bool imbalance_only = false;
    bool crossing = false;      ///< filled in part by the auction that is on
    std::uint64_t entered = 0;  ///< position in time among auction orders
    Link link{};
    OrderId other{};      ///< that it is linked to
    Quantity counted{};   ///< executed quantity that the other one has lost
    bool awake = false;   ///< elected because the other one was filled
    bool quoted = false;  ///< a side of a quote
    // While it comes in:
    bool barred = false;          ///< the first price it meets is not allowed
    std::optional<Price> edge;    ///< the worst price that is allowed
    std::optional<Price> collar;  ///< the worst price that a market order accepts
};

/// Quantity that can trade before the order loses its place.
[[nodiscard]] Quantity tradable(const Order& order);
/// Quantity displayed in the public book (section 3).
[[nodiscard]] Quantity displayed(const Order& order);
/// Whether it counts against the capacity of extensions (section 2, new_order 11).
[[nodiscard]] bool is_extended(const Order& order);

using Queue = std::list<Order>;
struct Level {
    Queue displayed;
    Queue hidden;
    Queue aside;
};

/// Orders prices so that the first is the one that an incoming order meets first.
struct BestFirst {
    Side side;
    bool operator()(Price a, Price b) const { return side == Side::buy ? a > b : a < b; }
};
using Levels = std::map<Price, Level, BestFirst>;
using Stops = std::map<Price, Queue, BestFirst>;

/// By the operator.
struct ChangedTrade {
    bool busted = false;
    Quantity at_first{};
    Price price{};
    Quantity quantity{};
};

/// What happens to an order because of another one.
struct Consequence {
    InstrumentId instrument{};
    OrderId id{};
    bool triggered = false;  ///< otherwise it is cancelled
    Reason reason{};
};

struct Instrument {
    InstrumentDefinition definition{};
    TradingState state = TradingState::trading;
    Phase phase = Phase::continuous;
    AuctionRule auction = AuctionRule::xetra;
    bool sealed = false;
    std::uint64_t batch = 0;  ///< number of the last one
    AllocationDetails allocation{};
    std::map<ParticipantId, std::int64_t> lead_makers;  ///< with their hundredths of a per cent
    bool had_orders = false;
    std::optional<CombinationDetails> combination;  ///< what it is itself
    CallKind call = CallKind::intraday;
    HaltCause cause = HaltCause::none;
    PriceLimitDetails price_limits{};
    PriceBandDetails price_band{};
    bool has_collar = false;  ///< the band is for an auction
    bool has_daily = false;   ///< the band is for a day
    std::optional<Price> last_auction;
    std::optional<Price> last_trade;
    std::uint64_t order_numbers = 0;          ///< the last one used
    std::uint64_t private_order_numbers = 0;  ///< likewise, of orders that come in undisplayed
    std::uint64_t trade_numbers = 0;
    std::uint64_t settled_trades = 0;                      ///< the last trade number of days before
    std::map<std::uint64_t, ChangedTrade> changed_trades;  ///< of today, by trade id
    Levels bids{BestFirst{Side::buy}};
    Levels asks{BestFirst{Side::sell}};
    Stops buy_stops{BestFirst{Side::sell}};  ///< from the lowest stop price up
    Stops sell_stops{BestFirst{Side::buy}};  ///< from the highest down
    Queue elected;
    // docs/rule-book/trailing-stops.md:
    std::vector<OrderId> trailing;       ///< by time of entry; ended ones may be left
    std::optional<Price> highest_trade;  ///< since they moved last
    std::optional<Price> lowest_trade;
    // docs/rule-book/auction-orders.md:
    Queue waiting;  ///< for their auction, by time of entry
    PhaseRestrictions::Bits restrictions = 0;
    // docs/rule-book/linked-orders.md:
    Queue dependent;  ///< wait until another order is filled, by arrival
    // docs/rule-book/pegged-orders.md:
    std::vector<OrderId> pegs;             ///< by time of entry; ended ones may be left
    std::vector<OrderId> pegs_to_move;     ///< to look at after the best prices changed
    std::pair<Price, Price> peg_quotes{};  ///< best displayed bid and ask; zero: none

    [[nodiscard]] bool collects() const {
        return phase != Phase::continuous && phase != Phase::at_last;
    }
    [[nodiscard]] bool trades() const { return state == TradingState::trading && !collects(); }
    [[nodiscard]] Levels& levels(Side side) { return side == Side::buy ? bids : asks; }
    [[nodiscard]] const Levels& levels(Side side) const { return side == Side::buy ? bids : asks; }
    [[nodiscard]] bool shares() const { return allocation.steps[0] != AllocationStep::none; }
    [[nodiscard]] Stops& stops(Side side) { return side == Side::buy ? buy_stops : sell_stops; }
};

struct Participant {
    LimitDetails limits{};
    ParticipantState state = ParticipantState::active;
    bool has_own_limits = false;   ///< otherwise those of participant 0 apply
    std::uint64_t generation = 0;  ///< number of releases
};

/// The position of an order: its queue, and the place in it.
struct Found {
    Queue* queue;
    Queue::iterator at;
};

/// Visits every open order in visiting order. The visitor returns whether to continue, and may not
/// change queues.
void visit(const Instrument& instrument, const std::function<bool(const Order&)>& visitor);
/// The open order with this id, if any.
[[nodiscard]] std::optional<Found> find(Instrument& instrument, OrderId id);
/// The best price of a side at which an order is displayed, if any.
[[nodiscard]] std::optional<Price> best_displayed(const Instrument& instrument, Side side);
/// No order is a top order any more.
void clear_top(Instrument& instrument);
void clear_top(Levels& levels);
/// Removes levels and stop prices that hold no order.
void remove_empty_levels(Instrument& instrument);

/// docs/rule-book/quotes.md.
struct Protection {
    QuoteProtectionDetails rule{};
    Timestamp begin{};
    Quantity traded{};
};

struct State {
    std::map<InstrumentId, Instrument> instruments;
    std::map<ParticipantId, Participant> participants;
    /// Positions; an account exists if it has an entry.
    std::map<std::pair<InstrumentId, ParticipantId>, Quantity> accounts;
    std::map<std::pair<InstrumentId, ParticipantId>, Protection> protections;

    [[nodiscard]] std::size_t count_orders(const std::function<bool(const Order&)>& wanted) const;
};

}  // namespace damrak::reference
