// Orders that trade only in auctions of their kind (docs/rule-book/auction-orders.md). All of an
// instrument are in one list by time of entry: they wait outside the book, or they are in it,
// undisplayed, while a call of their kind runs. Commands without such orders pay for a test of the
// list only where calls begin and end.
#pragma once

#include <damrak/base/inline.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// Whether the terms of the order fit together, as far as auction orders are concerned.
[[nodiscard]] Reason check_auction_terms(const Command& command);
/// Whether the instrument takes the auction order now.
[[nodiscard]] Reason check_auction_phase(const InstrumentState& in, const Command& command);
/// Whether the phase lets the order be cancelled or replaced.
[[nodiscard]] Reason check_changes(const InstrumentState& in, const Order& order);

/// A new or replaced auction order joins the call of its kind or waits for it.
void enter_auction_order(EngineState& engine, Incoming& order, EventKind kind,
                         std::uint64_t reference);
/// The phase or the call has changed: orders join the call or wait again. A full slice leaves the
/// rest to the next one.
void attend_call(EngineState& engine, InstrumentState& in);
/// The next imbalance-only order at or behind `from` whose limit allows the price, or zero.
[[nodiscard]] OrderIndex next_for_surplus(const EngineState& engine, const InstrumentState& in,
                                          Side side, Tick price, OrderIndex from);
/// Takes a waiting order into the call.
void join_call(EngineState& engine, InstrumentState& in, OrderIndex index);
/// After an auction: cancels the orders that were for it. False if the slice is full before that.
[[nodiscard]] bool end_auction_orders(EngineState& engine, InstrumentState& in);

}  // namespace damrak::detail
