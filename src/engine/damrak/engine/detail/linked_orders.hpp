// Links between two orders (docs/rule-book/linked-orders.md), and the orders that are due: what
// happened to another order ends or elects them before the next turn. Only orders that have an
// extension come here.
#pragma once

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>

namespace damrak::detail {

/// Whether the command has the terms of a linked order, if it is one.
[[nodiscard]] Reason check_link(const InstrumentState& in, const Command& command);
/// The order that a linked order names; zero if it is not linked.
[[nodiscard]] Reason find_other(const EngineState& engine, const InstrumentState& in,
                                const Command& command, OrderIndex& other);
/// Whether the link or the quote of an order lets it be replaced with this limit.
[[nodiscard]] Reason check_change(const EngineState& engine, const Order& order, Tick limit);
/// Links a new order, which has its extension, to an open one.
void link(EngineState& engine, OrderIndex other, OrderIndex index, Contingency contingency);

/// An order with an extension has traded this quantity, is not filled and not in the hash: what it
/// is linked to loses as much.
void cut_other(EngineState& engine, OrderIndex index, Quantity traded);
/// Ends the order that a triggered stop is linked to.
void end_other(EngineState& engine, OrderIndex index);
/// The order has got another id.
void tell_other(EngineState& engine, OrderIndex index);
/// The order ends otherwise than by a trade.
void note_end(EngineState& engine, OrderIndex index);

void make_due(EngineState& engine, OrderIndex index, Listing how);
/// Ends or elects the orders that are due, at the end of a command of this instrument. False if the
/// slice is full before that.
[[nodiscard]] bool settle_due(EngineState& engine, InstrumentState& in);

}  // namespace damrak::detail
