// The price at which an order would trade, by all rules of sections 4 and 5 of the rule book. Only
// for decisions that need it before the order matches: price limits, and turns of stopped orders.
#pragma once

#include <damrak/engine/detail/engine_state.hpp>
#include <damrak/engine/detail/incoming.hpp>

namespace damrak::detail {

/// An order that looks for somebody to trade with.
struct Seeker {
    const InstrumentState* in = nullptr;
    Side side{};
    SelfTradePrevention rule{};
    AccountIndex account = 0;  ///< zero: it has no orders yet
    Quantity open{};
    PriceKey limit = k_no_price - 1;  ///< as a key of the other side
};
[[nodiscard]] Seeker seeker_of(const Incoming& order);

struct NextTrade {
    PriceKey key = k_no_price;  ///< k_no_price: it would not trade
    bool at_own = false;        ///< because it would stop at own orders that it skips
};

/// Looks past own orders and those that are held, and at one other order at most. Only where orders
/// share it may look at all of one price, as matching does.
[[nodiscard]] NextTrade next_trade(const EngineState& engine, const Seeker& seeker);

}  // namespace damrak::detail
