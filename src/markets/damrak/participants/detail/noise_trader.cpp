#include <damrak/participants/detail/noise_trader.hpp>

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
    const Price price = detail::behind_best(access, instrument, side, ticks);
    const auto order = access.enter(
        {.instrument = instrument, .side = side, .price = price, .quantity = {is_.quantity}});
    if (order) access.wake_at({access.now().value + is_.lifetime_ns}, detail::key_of(order));
}

}  // namespace damrak::participants
