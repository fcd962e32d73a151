// What participants that take liquidity share: orders that trade at once or not at all, and stay
// within a position that the participant may have.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/market_kernel/participant.hpp>
#include <damrak/participants/detail/prices.hpp>

namespace damrak::participants::detail {

/// Quantity of an order of this side that leads to at most `most` in absolute value.
[[nodiscard]] inline std::int64_t room(const market_kernel::MarketAccess& access, InstrumentId id,
                                       Side side, std::int64_t most) {
    const std::int64_t position = access.position(id).value;
    return std::max<std::int64_t>(side == Side::buy ? most - position : most + position, 0);
}

/// Takes up to `quantity` at the best price that it sees, which must exist.
inline void take_best(market_kernel::MarketAccess& access, InstrumentId id, Side side,
                      std::int64_t quantity) {
    const views::PublicChange& view = access.view(id);
    if (quantity <= 0 || !(side == Side::buy ? view.has_ask() : view.has_bid())) return;
    access.enter({.instrument = id,
                  .side = side,
                  .time_in_force = TimeInForce::ioc,
                  .price = side == Side::buy ? view.ask : view.bid,
                  .quantity = {quantity}});
}

}  // namespace damrak::participants::detail
