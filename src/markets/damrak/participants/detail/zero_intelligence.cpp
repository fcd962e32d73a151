#include <damrak/participants/detail/zero_intelligence.hpp>

#include <damrak/participants/detail/flow.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<ZeroIntelligence::Parameters>> ZeroIntelligence::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .number("limit_per_tick_per_s", &P::limit_per_tick_per_s, "per tick and second", 1e-9, 1e6,
                "Rate of limit orders at each price of each side (alpha)")
        .number("market_per_s", &P::market_per_s, "per second", 0, 1e6,
                "Rate of market orders of both sides together (mu)")
        .number("cancel_per_s", &P::cancel_per_s, "per second", 1e-9, 1e6,
                "Rate at which each resting order is cancelled (delta)")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order (sigma)")
        .whole("window_ticks", &P::window_ticks, "ticks", 1, 100'000,
               "Limit prices are 1 to this many ticks from the best price of the other side")
        .take();
}

void ZeroIntelligence::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    terms_ = access.draws("terms");
    sleep(access);
}

void ZeroIntelligence::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key != 0) {
        access.cancel(detail::handle_of(key));
        return;
    }
    trade(access);
    sleep(access);
}

void ZeroIntelligence::sleep(MarketAccess& access) {
    const double per_s = limit_per_s() + is_.market_per_s;
    const auto instruments = static_cast<double>(instruments_.size());
    detail::wake_after(access, arrivals_.exponential(per_s * instruments));
}

// Draws the same numbers whatever the market is like, so that two runs stay in step.
void ZeroIntelligence::trade(MarketAccess& access) {
    const InstrumentId instrument = instruments_[terms_.below(instruments_.size())];
    const Side side = terms_.chance(0.5) ? Side::buy : Side::sell;
    const bool at_market = terms_.chance(is_.market_per_s / (limit_per_s() + is_.market_per_s));
    const auto window = static_cast<std::uint64_t>(is_.window_ticks);
    const auto ticks = static_cast<std::int64_t>(terms_.below(window)) + 1;
    const double lifetime_s = terms_.exponential(is_.cancel_per_s);
    if (at_market) {
        detail::flow_market(access, instrument, side, is_.quantity);
        return;
    }
    const Price price = detail::from_opposite(access, instrument, side, ticks);
    const auto order = detail::flow_limit(access, instrument, side, price, is_.quantity);
    if (order) detail::wake_after(access, lifetime_s, detail::key_of(order));
}

}  // namespace damrak::participants
