// A command: any request to the exchange, as the sequencer stamps it and the journal stores it. 128
// bytes, trivially copyable; a plain order needs only the first cache line.
//
// Field table (fields not listed for a kind must be zero and are ignored):
//
//   kind                  fields
//   new_order             side order_type time_in_force self_trade_prevention flags instrument
//                         participant order_id(1) client_order_id price(2) quantity;
//                         order: stop_price(3) display_quantity(4) minimum_quantity expire_time(5)
//                         peg(9) offset(9,10); with flags(linked): new_order_id (the order it is
//                         linked to), order: contingency
//   quote                 instrument participant order_id(1) new_order_id(1) client_order_id
//                         self_trade_prevention price quantity (the bid); quote: the ask   (11)
//   cancel_order          instrument participant order_id client_order_id quantity (0: all of it)
//   replace_order         instrument participant order_id client_order_id price quantity
//                         new_order_id(6) flags(quantity_is_total, lose_priority);
//                         order: stop_price
//   mass_cancel           instrument (0: all) participant (0: all) side, flags(both_sides)
//   query_order           instrument participant order_id client_order_id
//   add_instrument        instrument; definition
//   add_tick_band         instrument; tick_band
//   set_trading_state     instrument flags(market_wide); trading_state
//   set_phase             instrument; phase: phase, auction (the rule of a later uncross), call,
//                         sealed, restrictions, cause
//   uncross               instrument; phase: phase (the one that follows), conditions
//   set_allocation        instrument; allocation
//   set_price_limits      instrument; price_limits
//   set_price_band        instrument flags(auction_collar, daily) quantity (extensions of the
//                         collar); price_band
//   set_lead_maker        instrument participant; lead_maker
//   set_quote_protection  instrument participant; quote_protection
//   set_combination       instrument; combination
//   bust_trade            instrument participant (the buyer) order_id (the buy) price quantity
//                         new_order_id (the sell); bust
//   correct_trade         the same; bust: also the new price and quantity
//   set_limits            participant (0: default for all without their own); limits
//                         flags(default_limits: removes the participant's own limits)
//   set_participant_state participant; participant_state (blocked: also cancels all its orders)
//   tick                  only the time stamp: orders due by then expire
//   end_day               instrument (0: all), flags: day orders expire
//   release_participant   participant flags(write_off): closes its accounts, so the id is new again
//   set_capacities        capacities
//   recorded_trade        instrument participant order_id(8) client_order_id price quantity
//                         side(8) flags(print_rest)
//   session_opened        participant flags(cancel_on_disconnect): a client logged in      (7)
//   session_closed        participant: it logged out or disconnected                       (7)
//   day_opened            trading_day: date and feed session; sent again with the same date
//                         if only the feed session changes                                 (7)
//   day_closed            trading_day: the day that ended, after its end_day               (7)
//   breaker_levels        breaker_levels: of the day                                       (7)
//
//   (1) a setting of the engine: zero if the engine allocates ids, else the id
//   (2) zero for market and stop orders   (3) zero except for stop and stop-limit orders
//   (4) zero, or the displayed part of an iceberg   (5) zero except for good-till-date orders
//   (6) if the engine allocates ids: zero for a new id if priority is lost, or order_id to keep the
//       id. If commands give ids: the id, old or new
//   (7) for consumers of the journal (sessions, feeds); unknown to the engine
//   (8) the resting order of the recording and zero, or zero and the side on which it rested
//   (9) with flags(pegged): a limit order never goes through its price, a market order has none
//   (10) of a stop with flags(trailing): stop_price may be zero
//   (11) replaces the participant's quote in the instrument; a side of quantity zero has none
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/market_rules.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/trading_day.hpp>

namespace damrak {

inline constexpr std::uint8_t k_command_schema_version = 1;

enum class CommandKind : std::uint8_t {
    none = 0,
    new_order = 1,
    cancel_order = 2,
    replace_order = 3,
    mass_cancel = 4,
    query_order = 5,
    add_instrument = 6,
    add_tick_band = 7,
    set_trading_state = 8,
    set_limits = 9,
    set_participant_state = 10,
    tick = 11,
    end_day = 12,
    // 13 is not used
    release_participant = 14,
    set_capacities = 15,
    recorded_trade = 16,
    set_phase = 17,
    uncross = 18,
    set_allocation = 19,
    set_price_limits = 20,
    set_price_band = 21,
    set_lead_maker = 22,
    bust_trade = 23,
    quote = 24,
    set_quote_protection = 25,
    correct_trade = 26,
    set_combination = 27,
    session_opened = 32,
    session_closed = 33,
    day_opened = 34,
    day_closed = 35,
    breaker_levels = 36,
};

/// Bits of Command::flags.
struct CommandFlags {
    using Bits = std::uint16_t;
    static constexpr Bits k_hidden = 1U << 0;             ///< not displayed at all
    static constexpr Bits k_post_only = 1U << 1;          ///< rejected if it could trade at once
    static constexpr Bits k_post_only_reprice = 1U << 2;  ///< moved one tick away instead
    static constexpr Bits k_number_refused = 1U << 7;     ///< a reject uses up an order number
    static constexpr Bits k_quantity_is_total = 1U << 3;  ///< replace: executed part included
    static constexpr Bits k_both_sides = 1U << 4;         ///< mass cancel: ignores the side
    static constexpr Bits k_lose_priority = 1U << 5;      ///< replace: always join the back
    static constexpr Bits k_replace_bits = k_quantity_is_total | k_lose_priority;
    static constexpr Bits k_write_off = 1U << 8;       ///< release: despite an open position
    static constexpr Bits k_default_limits = 1U << 9;  ///< limits: those of participant 0 apply
    static constexpr Bits k_print_rest = 1U << 10;  ///< recorded trade: prints the unmatched rest
    static constexpr Bits k_cancel_on_disconnect = 1U << 6;  ///< session: cancels its orders
    static constexpr Bits k_pegged = 1U << 11;               ///< its price follows another one
    static constexpr Bits k_imbalance_only = 1U << 12;  ///< trades only with the surplus of a cross
    static constexpr Bits k_to_limit = 1U
                                       << 13;  ///< a market order with the limit of its first price
    static constexpr Bits k_trailing = 1U << 14;  ///< a stop whose price follows the market
    static constexpr Bits k_linked = 1U << 15;    ///< depends on another order: see Contingency
    static constexpr Bits k_new_order_bits = k_hidden | k_post_only | k_post_only_reprice |
                                             k_number_refused | k_pegged | k_imbalance_only |
                                             k_to_limit | k_trailing | k_linked;
    static constexpr Bits k_auction_collar = 1U << 0;    ///< price band: of a reopening auction
    static constexpr Bits k_daily = 1U << 1;             ///< price band: the limits of a day
    static constexpr Bits k_market_wide = 1U << 0;       ///< halt: by the market-wide breaker
    static constexpr Bits k_all_of_anonymous = 1U << 0;  ///< end of day: not day orders alone
};

/// Terms of an order that a plain one does not have.
struct OrderDetails {
    Price stop_price{};
    Quantity display_quantity{};
    Quantity minimum_quantity{};
    Timestamp expire_time{};
    Price offset{};  ///< of pegged orders, away from the market; of trailing stops, from a trade
    PegReference peg{};         ///< of pegged orders
    Contingency contingency{};  ///< of linked orders
    /// Whether all fields are zero that do not need a flag.
    [[nodiscard]] constexpr bool empty() const {
        return (stop_price.value | display_quantity.value | minimum_quantity.value |
                expire_time.value) == 0;
    }
    friend constexpr bool operator==(const OrderDetails&, const OrderDetails&) = default;
};

/// What `add_instrument` defines.
struct InstrumentDetails {
    Symbol symbol{};
    Price tick_size{};
    Price maximum_price{};
    Quantity lot_size{};
    Quantity maximum_quantity{};
    std::uint16_t shard_group = 0;
    std::uint8_t price_decimals = 0;
    MatchingPolicy policy{};
    std::uint8_t unpublished = 0;
    Price minimum_price{};  ///< zero: prices are above zero
};

/// Pre-trade limits of one participant. The largest value means no limit; negative ones are
/// refused.
struct LimitDetails {
    static constexpr std::int64_t k_unlimited = INT64_MAX;
    Quantity order_quantity{k_unlimited};      ///< of one order
    std::int64_t order_notional{k_unlimited};  ///< price units x quantity of one order
    std::int64_t open_orders{k_unlimited};     ///< resting and stop orders in all instruments
    std::int64_t open_notional{k_unlimited};   ///< sum of limit price x open quantity
    Quantity position{k_unlimited};  ///< per instrument, long or short, if all open orders fill
    friend constexpr bool operator==(const LimitDetails&, const LimitDetails&) = default;
};

/// Capacities of the pools. None may decrease.
struct CapacityDetails {
    std::uint32_t instruments = 0;
    std::uint32_t orders = 0;
    std::uint32_t extensions = 0;
    std::uint32_t levels = 0;
    std::uint32_t ladder_nodes = 0;
    std::uint32_t participants = 0;
    std::uint32_t accounts = 0;
    /// Percentage of each pool. While more is in use, participants without their own limits cannot
    /// enter orders that need it.
    std::uint32_t anonymous_share = 100;
    friend bool operator==(const CapacityDetails&, const CapacityDetails&) = default;
};

/// What a phase does not take, although its orders collect or trade. Bits.
struct PhaseRestrictions {
    using Bits = std::uint8_t;
    static constexpr Bits k_market_auction_orders = 1U << 0;  ///< new ones without a limit
    static constexpr Bits k_limit_auction_orders = 1U << 1;   ///< new ones, imbalance-only apart
    static constexpr Bits k_auction_order_changes = 1U << 2;  ///< their cancels and replaces
    static constexpr Bits k_changes = 1U << 3;                ///< cancels and replaces of any order
    static constexpr Bits k_all = 0xF;
};

/// What must hold before an auction takes place; else `uncross` is rejected. Bits.
struct UncrossConditions {
    using Bits = std::uint8_t;
    static constexpr Bits k_price_in_corridor = 1U << 0;  ///< of PriceLimitDetails
    static constexpr Bits k_no_market_orders_left = 1U << 1;
    static constexpr Bits k_has_price = 1U << 2;
    static constexpr Bits k_all = 0x7;
};

/// What `set_phase` and `uncross` set.
struct PhaseDetails {
    Phase phase{};
    AuctionRule auction{};
    CallKind call{};
    std::uint8_t sealed = 0;  ///< orders are not displayed until they have traded in an auction
    PhaseRestrictions::Bits restrictions = 0;
    UncrossConditions::Bits conditions = 0;  ///< of uncross
    HaltCause cause{};                       ///< for the feeds
};

/// Of bust_trade and correct_trade, beside the terms of the trade.
struct BustDetails {
    TradeId trade{};
    ParticipantId seller{};
    Price new_price{};  ///< of correct_trade, as the next one
    Quantity new_quantity{};
};

/// Of quote, beside the bid.
struct QuoteDetails {
    Price ask_price{};
    Quantity ask_quantity{};
};

struct alignas(64) Command {
    CommandKind kind{};
    std::uint8_t schema_version = k_command_schema_version;
    Side side{};
    OrderType order_type{};
    TimeInForce time_in_force{};
    SelfTradePrevention self_trade_prevention{};
    CommandFlags::Bits flags = 0;
    InstrumentId instrument{};
    ParticipantId participant{};
    Timestamp timestamp{};  ///< from the sequencer; never decreases
    OrderId order_id{};
    ClientOrderId client_order_id{};
    Price price{};
    Quantity quantity{};
    OrderId new_order_id{};
    union {
        OrderDetails order{};
        InstrumentDetails definition;
        TickBand tick_band;
        TradingState trading_state;
        PhaseDetails phase;
        AllocationDetails allocation;
        PriceLimitDetails price_limits;
        PriceBandDetails price_band;
        LeadMakerDetails lead_maker;
        BustDetails bust;
        QuoteDetails quote;
        QuoteProtectionDetails quote_protection;
        CombinationDetails combination;
        BreakerLevels breaker_levels;
        ParticipantState participant_state;
        LimitDetails limits;
        CapacityDetails capacities;
        TradingDay trading_day;
        std::byte raw[64];
    };
};

static_assert(sizeof(Command) == 128 && alignof(Command) == 64);
static_assert(std::is_trivially_copyable_v<Command>);
static_assert(offsetof(Command, instrument) == 8 && offsetof(Command, timestamp) == 16 &&
              offsetof(Command, order_id) == 24 && offsetof(Command, price) == 40 &&
              offsetof(Command, quantity) == 48 && offsetof(Command, order) == 64);
static_assert(sizeof(InstrumentDetails) <= 64 && sizeof(LimitDetails) <= 64 &&
              sizeof(PriceLimitDetails) <= 64 && sizeof(AllocationDetails) <= 64 &&
              sizeof(CombinationDetails) <= 64);

/// What add_instrument defines, valid or not.
[[nodiscard]] InstrumentDefinition definition_of(const Command& command);

/// The first eight bytes as one word: the attributes of an order without its numbers.
[[nodiscard]] inline std::uint64_t head_of(const Command& command) {
    std::uint64_t head;
    std::memcpy(&head, &command, sizeof head);
    return head;
}
static_assert(offsetof(Command, side) == 2 && offsetof(Command, order_type) == 3 &&
              offsetof(Command, time_in_force) == 4 &&
              offsetof(Command, self_trade_prevention) == 5 && offsetof(Command, flags) == 6);

[[nodiscard]] constexpr bool has_flag(const Command& command, CommandFlags::Bits bit) {
    return (command.flags & bit) != 0;
}

}  // namespace damrak
