// Prices as participants choose them: on the ticks of the instrument, and in its range. Instruments
// of market files have one tick size at all prices.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/market_kernel/participant.hpp>

namespace damrak::participants::detail {

[[nodiscard]] inline std::int64_t tick_of(const market_kernel::MarketAccess& access,
                                          InstrumentId id) {
    return access.definition(id).common_tick().value;
}
/// On a tick, not above for a buy order and not below for a sell order; at least the lowest price.
[[nodiscard]] inline Price on_tick(double price, const InstrumentDefinition& of, Side side) {
    const Price tick = of.common_tick();
    const double ticks = price / static_cast<double>(tick.value);
    auto whole = static_cast<std::int64_t>(ticks);
    if (side == Side::sell && static_cast<double>(whole) < ticks) ++whole;
    if (side == Side::buy && static_cast<double>(whole) > ticks) --whole;
    return std::max(Price{whole * tick.value}, of.floor() + tick);
}
/// What the participant takes the instrument to be worth when it sees no better: the mid price, the
/// last trade, or its fundamental value at the opening.
[[nodiscard]] inline double reference_price(market_kernel::MarketAccess& access, InstrumentId id) {
    const views::PublicChange& view = access.view(id);
    if (view.has_both()) return view.mid();
    if (view.has_bid()) return static_cast<double>(view.bid.value);
    if (view.has_ask()) return static_cast<double>(view.ask.value);
    if (view.trades > 0) return static_cast<double>(view.last_price.value);
    return access.fundamental(id, Timestamp{0});
}
/// This many ticks behind the best price of this side; where it has none, behind the reference
/// price.
[[nodiscard]] inline Price behind_best(market_kernel::MarketAccess& access, InstrumentId id,
                                       Side side, std::int64_t ticks) {
    const views::PublicChange& view = access.view(id);
    const bool has_best = side == Side::buy ? view.has_bid() : view.has_ask();
    const auto best = static_cast<double>(side == Side::buy ? view.bid.value : view.ask.value);
    const std::int64_t away = ticks * tick_of(access, id);
    const double from = has_best ? best : reference_price(access, id);
    return on_tick(from + static_cast<double>(side == Side::buy ? -away : away),
                   access.definition(id), side);
}

}  // namespace damrak::participants::detail
