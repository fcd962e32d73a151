#include <damrak/participants/detail/informed_trader.hpp>

#include <algorithm>

#include <damrak/participants/detail/taking.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<InformedTrader::Parameters>> InformedTrader::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_day_ns = 86'400 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .duration("news", &P::news_ns, 1'000, k_day_ns, "Time between two signals")
        .duration("interval", &P::interval_ns, 1'000, k_day_ns, "Time between two orders")
        .duration("delay", &P::delay_ns, 0, k_day_ns, "Age of the value in a signal")
        .number("error_sd_ticks", &P::error_sd_ticks, "ticks", 0, 1e6,
                "Standard deviation of the error of a signal")
        .duration("half_life", &P::half_life_ns, 1'000, 365 * k_day_ns,
                  "After this time the distance of a signal counts half")
        .number("fee_ticks", &P::fee_ticks, "ticks", 0, 1e6, "What it takes a trade to cost")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "Largest position, long or short")
        .take();
}

InformedTrader::InformedTrader(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        signals_.push_back({.instrument = instrument});
}

// Keys: twice the instrument's place for its news, and one more for its orders.
void InformedTrader::on_start(MarketAccess& access) {
    errors_ = access.draws("error");
    for (std::size_t i = 0; i < signals_.size(); ++i) {
        access.wake_at(access.now(), 2 * i);
        access.wake_at(access.now(), 2 * i + 1);
    }
}

void InformedTrader::on_timer(MarketAccess& access, std::uint64_t key) {
    Signal& signal = signals_[key / 2];
    if (key % 2 == 1) {
        trade(access, signal);
        access.wake_at({access.now().value + is_.interval_ns}, key);
        return;
    }
    const auto tick = static_cast<double>(detail::tick_of(access, signal.instrument));
    signal.time = access.now();
    signal.value = access.fundamental(signal.instrument, {access.now().value - is_.delay_ns}) +
                   is_.error_sd_ticks * tick * errors_.normal();
    access.wake_at({access.now().value + is_.news_ns}, key);
}

void InformedTrader::trade(MarketAccess& access, const Signal& signal) {
    const views::PublicChange& view = access.view(signal.instrument);
    if (!view.has_both()) return;
    const auto tick = static_cast<double>(detail::tick_of(access, signal.instrument));
    const double half_lives = static_cast<double>((access.now() - signal.time).value) /
                              static_cast<double>(is_.half_life_ns);
    const double distance = (signal.value - view.mid()) * market_kernel::power_of(2, -half_lives);
    const double cost =
        static_cast<double>(view.ask.value - view.bid.value) / 2 + is_.fee_ticks * tick;
    if (distance <= cost && distance >= -cost) return;
    const Side side = distance > 0 ? Side::buy : Side::sell;
    detail::take_best(
        access, signal.instrument, side,
        std::min(is_.quantity, detail::room(access, signal.instrument, side, is_.most_position)));
}

}  // namespace damrak::participants
