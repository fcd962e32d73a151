#include <damrak/participants/detail/value_trader.hpp>

#include <algorithm>

#include <damrak/participants/detail/taking.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<ValueTrader::Parameters>> ValueTrader::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_hour_ns = 3'600 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .number("looks_per_s", &P::looks_per_s, "per second", 1e-6, 1e6,
                "Rate of its looks at the value and the market, at exponential intervals")
        .duration("delay", &P::delay_ns, 0, k_hour_ns, "Age of the value that it sees")
        .number("observation_sd_ticks", &P::observation_sd_ticks, "ticks", 0, 1e6,
                "Standard deviation of the error with which it sees the value")
        .number("volatility_ticks", &P::volatility_ticks, "ticks per square root of a second", 0,
                1e6, "What it takes the volatility of the value to be")
        .number("reversion_per_s", &P::reversion_per_s, "per second", 0, 1e3,
                "What it takes the reversion of the value to its opening level to be")
        .number("aggressive_share", &P::aggressive_share, "share", 0, 1,
                "Share of its orders that take the best price of the other side")
        .whole("most_ticks_away", &P::most_ticks_away, "ticks", 0, 10'000,
               "Other orders are 0 to this many ticks behind the best price of their side")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "Largest position, long or short")
        .take();
}

ValueTrader::ValueTrader(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        opinions_.push_back({.instrument = instrument});
}

void ValueTrader::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    terms_ = access.draws("terms");
    for (Opinion& opinion : opinions_) {
        const auto tick = static_cast<double>(detail::tick_of(access, opinion.instrument));
        const double opening = access.fundamental(opinion.instrument, Timestamp{0});
        opinion.dynamics = {opening, is_.reversion_per_s, is_.volatility_ticks * tick,
                            is_.observation_sd_ticks * tick};
        opinion.estimate = {opening, 0};
        opinion.time = access.now();
    }
    detail::wake_after(access, arrivals_.exponential(is_.looks_per_s));
}

void ValueTrader::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    look(access, opinions_[terms_.below(opinions_.size())]);
    detail::wake_after(access, arrivals_.exponential(is_.looks_per_s));
}

// Draws the same numbers whatever the market is like, so that two runs stay in step.
void ValueTrader::look(MarketAccess& access, Opinion& opinion) {
    const double error = opinion.dynamics.observation_sd * terms_.normal();
    const bool is_aggressive = terms_.chance(is_.aggressive_share);
    const auto ticks = static_cast<std::int64_t>(
        terms_.below(static_cast<std::uint64_t>(is_.most_ticks_away) + 1));

    const InstrumentId instrument = opinion.instrument;
    const Timestamp now = access.now();
    const double seen = access.fundamental(instrument, {now.value - is_.delay_ns}) + error;
    const double passed_s = static_cast<double>((now - opinion.time).value) * 1e-9;
    opinion.time = now;
    opinion.estimate = models::observed(
        opinion.dynamics, models::later(opinion.dynamics, opinion.estimate, passed_s), seen);

    access.cancel(opinion.order);
    const double value = opinion.estimate.mean;
    const double market_price = detail::reference_price(access, instrument);
    if (value == market_price) return;
    const Side side = value > market_price ? Side::buy : Side::sell;
    const std::int64_t quantity =
        std::min(is_.quantity, detail::room(access, instrument, side, is_.most_position));
    if (quantity == 0) return;
    if (is_aggressive) {
        detail::take_best(access, instrument, side, quantity);
        return;
    }
    opinion.order = access.enter({.instrument = instrument,
                                  .side = side,
                                  .price = detail::behind_best(access, instrument, side, ticks),
                                  .quantity = {quantity}});
}

}  // namespace damrak::participants
