// Trades across the books of a combination (docs/rule-book/combinations.md): implied prices of
// spreads and their legs, and baskets. Only orders of combinations and their legs come here; each
// look costs O(legs) for each of at most eight combinations.
#pragma once

#include <damrak/domain/command.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

[[nodiscard]] Reason set_combination(EngineState& engine, const Command& command);

/// Whether a basket takes the order.
[[nodiscard]] bool suits_basket(const Command& command);
void enter_basket(EngineState& engine, Incoming& order, EventKind kind, std::uint64_t reference);

/// Who looks for implied prices.
struct Taker {
    const InstrumentState* in = nullptr;
    Side side{};
    ParticipantId owner{};  ///< zero: no self-trade rule applies
};
[[nodiscard]] Taker taker_of(const Incoming& order);
/// The best implied price for this side, as a key of the other side; k_no_price if there is none.
[[nodiscard]] PriceKey find_implied_touch(const EngineState& engine, const Taker& taker);
[[nodiscard]] inline PriceKey implied_touch(const EngineState& engine, const Taker& taker) {
    return taker.in->combined() ? find_implied_touch(engine, taker) : k_no_price;
}

/// match() for an order of a combination or of a leg: at each price the orders of its own book
/// first, then the implied ones.
[[nodiscard]] Matched match_combined(EngineState& engine, Incoming& order);

/// Orders at rest of the spreads that the instrument is part of trade at implied prices, as long as
/// there are such prices. False if the slice is full.
[[nodiscard]] bool trade_waiting(EngineState& engine, const InstrumentState& in);

/// The next instrument whose turns are due since orders of others traded with its orders.
[[nodiscard]] InstrumentState& begin_due_turns(EngineState& engine);

}  // namespace damrak::detail
