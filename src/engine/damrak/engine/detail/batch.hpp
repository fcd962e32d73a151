// Sealed calls, where orders come in batches (docs/rule-book/frequent-batch.md). The orders of a
// batch rest in the hidden queues until the auction that ends it.
#pragma once

#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// An order in a cross, and what it may trade there.
struct InCross {
    OrderIndex index = 0;
    Quantity most{};
};

/// Lists what each order trades in the auction of a batch.
void list_trades(EngineState& engine, const InstrumentState& in, Tick price, Quantity executable);
/// The next of them on a side.
[[nodiscard]] InCross next_listed(EngineState& engine, Side side);
/// That order traded this.
void note_listed(EngineState& engine, Side side, Quantity quantity);
/// After the trades: displays what is left of the batch, and cancels what lives no longer. False if
/// the slice is full.
[[nodiscard]] bool end_batch(EngineState& engine, InstrumentState& in);

}  // namespace damrak::detail
