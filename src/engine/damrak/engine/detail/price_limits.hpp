// Price limits of an instrument: corridors, bands, collars of market orders, and what happens to an
// order at their edge (docs/rule-book/price-limits.md). Only instruments that are not ordinary
// (InstrumentState::is_ordinary) come here.
#pragma once

#include <damrak/auction/price_range.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>
#include <damrak/engine/detail/next_trade.hpp>

namespace damrak::detail {

/// What an order asks for, as far as price limits look at it.
struct PriceTerms {
    Side side{};
    OrderType type{};
    bool waits = false;  ///< a stop that is not triggered
    Price limit{};
    Price stop{};
};

/// Whether the instrument takes an order with these prices. An ordinary one takes any.
[[nodiscard]] Reason check_price_limits(const InstrumentState& in, const PriceTerms& order);
/// Whether the limits allow a trade at this price now.
[[nodiscard]] bool may_trade_at(const InstrumentState& in, Price price);
/// The prices that an auction may have under the condition k_price_in_corridor.
[[nodiscard]] auction::PriceRange auction_corridor(const InstrumentState& in);
/// The worst price that a market order may pay now, or the last trade price without a collar.
[[nodiscard]] Price market_value_price(const EngineState& engine, const Seeker& order);
/// The limit with which an order that may rest enters: its own, or the edge of the allowed prices.
[[nodiscard]] Tick resting_limit(const InstrumentState& in, Side side, Tick limit);
/// Restricts the prices at which an incoming order trades to those that are allowed now. An order
/// that would rest through the edge of a band gets its edge as its limit.
void limit_prices(const EngineState& engine, Incoming& order);
/// Whether it would trade at a price that is not allowed, once it met all at allowed ones.
[[nodiscard]] bool breaches(const EngineState& engine, const Incoming& order);
/// What happens then.
void breach(EngineState& engine, Incoming& order);
/// Prepares an order that stopped at own orders to rest. False if it must not.
[[nodiscard]] bool settle_own_cross(const EngineState& engine, Incoming& order);
/// After an auction at this price; the floor if it had none.
void note_auction(InstrumentState& in, Price price);

[[nodiscard]] Reason set_price_limits(EngineState& engine, const Command& command);
[[nodiscard]] Reason set_price_band(EngineState& engine, const Command& command);
/// Cancels the orders whose limit is through the band. False if the slice is full before that.
[[nodiscard]] bool cancel_outside_band(EngineState& engine, InstrumentState& in);
/// The same while the instrument trades, unless a breach interrupts trading instead; then turns
/// follow.
void enforce_band(EngineState& engine, InstrumentState& in);

}  // namespace damrak::detail
