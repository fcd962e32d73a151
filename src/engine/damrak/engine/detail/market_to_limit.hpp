// Market-to-limit orders: market orders whose limit is the first price that they meet
// (docs/rule-book/market-to-limit.md).
#pragma once

#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// Whether the command has the terms of a market-to-limit order, if it is one.
[[nodiscard]] Reason check_to_limit(const InstrumentState& in, const Command& command);
/// Sets the limit of a new one while orders trade; says why it has none. Another `tick` stays.
[[nodiscard]] Reason check_first_price(const EngineState& engine, const InstrumentState& in,
                                       const Command& command, Tick& tick);
/// After an auction at this price, a collected one rests with that limit. False if it cannot.
[[nodiscard]] bool rest_at_auction_price(EngineState& engine, InstrumentState& in, OrderIndex index,
                                         Tick price);

}  // namespace damrak::detail
