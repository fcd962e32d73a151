// The enumerations of order terms. Values are part of the journal format: append only. Values from
// outside may be any byte, hence is_valid() for each.
#pragma once

#include <cstdint>

namespace damrak {

enum class Side : std::uint8_t { buy = 0, sell = 1 };

enum class OrderType : std::uint8_t {
    limit = 0,
    market = 1,
    stop = 2,        ///< becomes a market order once a trade reaches its stop price
    stop_limit = 3,  ///< becomes a limit order once a trade reaches its stop price
};

enum class TimeInForce : std::uint8_t {
    day = 0,  ///< until the end of the trading day
    gtc = 1,  ///< good till cancelled
    gtd = 2,  ///< good till date: until `expire_time`
    ioc = 3,  ///< immediate or cancel: what does not trade at once is cancelled
    fok = 4,  ///< fill or kill: trades whole at once, or not at all
    // Auction orders wait outside the book until an auction of their kind, and end with it:
    // docs/rule-book/auction-orders.md.
    at_open = 5,
    at_close = 6,
    at_auction = 7,  ///< whichever comes next
};

/// What happens when an order meets another order of the same participant. The incoming order's
/// rule applies.
enum class SelfTradePrevention : std::uint8_t {
    none = 0,                  ///< own orders trade with each other
    cancel_newest = 1,         ///< the rest of the incoming order is cancelled
    cancel_oldest = 2,         ///< the resting order is cancelled
    cancel_both = 3,           ///< both
    decrement_and_cancel = 4,  ///< both lose the smaller open quantity, without a trade
    skip_own = 5,              ///< own orders are skipped; matching ends after their level
};

/// The price that a pegged order follows, at a distance: docs/rule-book/pegged-orders.md.
enum class PegReference : std::uint8_t {
    none = 0,
    primary = 1,   ///< the best displayed price of its own side
    market = 2,    ///< the best displayed price of the other side
    midpoint = 3,  ///< the middle of both
};

/// How an order depends on another one of its participant and instrument:
/// docs/rule-book/linked-orders.md.
enum class Contingency : std::uint8_t {
    none = 0,
    one_cancels_other = 1,   ///< what one trades, the other loses; if one ends, so does the other
    one_triggers_other = 2,  ///< waits until the other is filled
};

enum class TradingState : std::uint8_t { trading = 0, halted = 1 };

/// What an instrument does with its orders; a halt is beside it. docs/rule-book/phases.md has the
/// rules.
enum class Phase : std::uint8_t {
    continuous = 0,  ///< orders trade as they come
    pre_open = 1,    ///< orders collect without trading
    call = 2,        ///< the same, until `uncross` lets them trade at one price
    closed = 3,      ///< no new orders
    at_last = 4,     ///< orders trade as they come, but only at the last auction price
};

/// What a call is for. Feeds show it.
enum class CallKind : std::uint8_t {
    intraday = 0,
    opening = 1,
    closing = 2,
    interruption = 3,  ///< begun by a price that left its corridor
    reopening = 4,     ///< after a halt or a pause
};

/// Why an instrument does not trade as in its timetable. Feeds show it.
enum class HaltCause : std::uint8_t {
    none = 0,
    limit_up_limit_down = 1,
    market_wide_1 = 2,  ///< a market-wide breaker of level 1, 2 or 3
    market_wide_2 = 3,
    market_wide_3 = 4,
    volatility = 5,  ///< a price left its corridor
};

/// How the price of a call auction is determined: docs/rule-book/call-auctions.md.
enum class AuctionRule : std::uint8_t {
    xetra = 0,
    euronext = 1,
    lse = 2,
    nasdaq = 3,
    frequent_batch = 4,
};

enum class ParticipantState : std::uint8_t { active = 0, blocked = 1 };

/// How an instrument matches. The engine has a policy for each, chosen at compile time.
enum class MatchingPolicy : std::uint8_t { price_time = 0 };

[[nodiscard]] constexpr bool is_valid(Side v) { return v <= Side::sell; }
[[nodiscard]] constexpr bool is_valid(OrderType v) { return v <= OrderType::stop_limit; }
[[nodiscard]] constexpr bool is_valid(TimeInForce v) { return v <= TimeInForce::at_auction; }
[[nodiscard]] constexpr bool is_valid(SelfTradePrevention v) {
    return v <= SelfTradePrevention::skip_own;
}
[[nodiscard]] constexpr bool is_valid(PegReference v) { return v <= PegReference::midpoint; }
[[nodiscard]] constexpr bool is_valid(Contingency v) {
    return v <= Contingency::one_triggers_other;
}
[[nodiscard]] constexpr bool is_valid(HaltCause v) { return v <= HaltCause::volatility; }
[[nodiscard]] constexpr bool is_valid(TradingState v) { return v <= TradingState::halted; }
[[nodiscard]] constexpr bool is_valid(Phase v) { return v <= Phase::at_last; }
[[nodiscard]] constexpr bool is_valid(CallKind v) { return v <= CallKind::reopening; }
[[nodiscard]] constexpr bool is_valid(AuctionRule v) { return v <= AuctionRule::frequent_batch; }
[[nodiscard]] constexpr bool is_valid(ParticipantState v) { return v <= ParticipantState::blocked; }
[[nodiscard]] constexpr bool is_valid(MatchingPolicy v) { return v <= MatchingPolicy::price_time; }

[[nodiscard]] constexpr Side opposite(Side side) {
    return static_cast<Side>(1 - static_cast<std::uint8_t>(side));
}
[[nodiscard]] constexpr bool is_stop(OrderType type) { return type >= OrderType::stop; }
/// Whether orders of this type have a limit price.
[[nodiscard]] constexpr bool has_limit(OrderType type) {
    return type == OrderType::limit || type == OrderType::stop_limit;
}
/// Whether the remainder of such an order must not rest.
[[nodiscard]] constexpr bool is_immediate(TimeInForce tif) {
    return tif == TimeInForce::ioc || tif == TimeInForce::fok;
}
/// Whether such an order trades only in an auction.
[[nodiscard]] constexpr bool is_for_auctions(TimeInForce tif) {
    return tif >= TimeInForce::at_open;
}

}  // namespace damrak
