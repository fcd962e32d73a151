#include <damrak/participants/detail/noise_trader.hpp>

#include <algorithm>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<NoiseTrader::Parameters>> NoiseTrader::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_day_ns = 86'400 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .number("orders_per_s", &P::orders_per_s, "per second", 1e-6, 1e6,
                "Rate of its orders, at exponential intervals")
        .number("market_share", &P::market_share, "share", 0, 1,
                "Share of its orders that are market orders")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .whole("most_ticks_away", &P::most_ticks_away, "ticks", 0, 10'000,
               "Limit prices are 0 to this many ticks behind the best price of their side")
        .word("rests", &P::rests, {"limit", "post-only", "hidden", "iceberg", "pegged", "midpoint"},
              "How its limit orders rest: an iceberg displays a fifth; a pegged order follows the "
              "best price of its side at its distance, one at the midpoint is hidden")
        .duration("lifetime", &P::lifetime_ns, 1, k_day_ns,
                  "After this time a resting order is cancelled")
        .take();
}

void NoiseTrader::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    terms_ = access.draws("terms");
    sleep(access);
}

void NoiseTrader::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key != 0) {
        access.cancel(detail::handle_of(key));
        return;
    }
    trade(access);
    sleep(access);
}

void NoiseTrader::sleep(MarketAccess& access) {
    detail::wake_after(access, arrivals_.exponential(is_.orders_per_s));
}

// Draws the same numbers whatever the market is like, so that two runs stay in step.
void NoiseTrader::trade(MarketAccess& access) {
    const InstrumentId instrument = instruments_[terms_.below(instruments_.size())];
    const Side side = terms_.chance(0.5) ? Side::buy : Side::sell;
    const bool at_market = terms_.chance(is_.market_share);
    const auto ticks = static_cast<std::int64_t>(
        terms_.below(static_cast<std::uint64_t>(is_.most_ticks_away) + 1));
    if (at_market) {
        access.enter({.instrument = instrument,
                      .side = side,
                      .type = OrderType::market,
                      .time_in_force = TimeInForce::ioc,
                      .quantity = {is_.quantity}});
        return;
    }
    const auto order = access.enter(resting(access, instrument, side, ticks));
    if (order) access.wake_at({access.now().value + is_.lifetime_ns}, detail::key_of(order));
}

market_kernel::NewOrder NoiseTrader::resting(MarketAccess& access, InstrumentId instrument,
                                             Side side, std::int64_t ticks) const {
    market_kernel::NewOrder order{.instrument = instrument,
                                  .side = side,
                                  .price = detail::behind_best(access, instrument, side, ticks),
                                  .quantity = {is_.quantity}};
    if (is_.rests == "post-only") {
        order.post_only = true;
    } else if (is_.rests == "hidden") {
        order.hidden = true;
    } else if (is_.rests == "iceberg") {
        order.display_quantity = {std::max<std::int64_t>(is_.quantity / 5, 1)};
    } else if (is_.rests == "pegged" || is_.rests == "midpoint") {
        // Of type market: it has no price of its own beyond which it does not follow.
        order.type = OrderType::market;
        order.price = {};
        order.hidden = is_.rests == "midpoint";
        order.peg = order.hidden ? PegReference::midpoint : PegReference::primary;
        order.peg_offset = {order.hidden ? 0 : ticks * detail::tick_of(access, instrument)};
    }
    return order;
}

}  // namespace damrak::participants
