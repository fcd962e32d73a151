#include <damrak/participants/detail/average_traders.hpp>

#include <algorithm>

#include <damrak/participants/detail/taking.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

/// Of a new sample in an average with this time constant.
double weight_of_sample(std::int64_t interval_ns, std::int64_t constant_ns) {
    return 1 - market_kernel::exponential_of(-static_cast<double>(interval_ns) /
                                             static_cast<double>(constant_ns));
}

}  // namespace

std::vector<Parameter<AverageTrader::Parameters>> AverageTrader::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_day_ns = 86'400 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .duration("interval", &P::interval_ns, 1'000, k_day_ns, "Time between two looks")
        .duration("fast", &P::fast_ns, 1'000, k_day_ns, "Time constant of the fast average")
        .duration("slow", &P::slow_ns, 1'000, k_day_ns, "Time constant of the slow average")
        .number("threshold_ticks", &P::threshold_ticks, "ticks", 0, 1e6,
                "It trades while the averages differ by more than this")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "Largest position, long or short")
        .take();
}

std::string AverageTrader::check(const Parameters& parameters) {
    if (parameters.fast_ns >= parameters.slow_ns) return "fast must be shorter than slow";
    return {};
}

AverageTrader::AverageTrader(const Parameters& parameters, const Assignment& assignment,
                             Side when_rising)
    : is_(parameters),
      when_rising_(when_rising),
      fast_weight_(weight_of_sample(is_.interval_ns, is_.fast_ns)),
      slow_weight_(weight_of_sample(is_.interval_ns, is_.slow_ns)) {
    for (const InstrumentId instrument : assignment.instruments)
        averages_.push_back({.instrument = instrument});
}

void AverageTrader::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < averages_.size(); ++i) access.wake_at(access.now(), i);
}

void AverageTrader::on_timer(MarketAccess& access, std::uint64_t key) {
    access.wake_at({access.now().value + is_.interval_ns}, key);
    Averages& of = averages_[key];
    const views::PublicChange& view = access.view(of.instrument);
    if (!view.has_both()) return;
    if (of.samples++ == 0) of.fast = of.slow = view.mid();
    of.fast += fast_weight_ * (view.mid() - of.fast);
    of.slow += slow_weight_ * (view.mid() - of.slow);
    if (of.samples * is_.interval_ns <= is_.slow_ns) return;
    const auto tick = static_cast<double>(detail::tick_of(access, of.instrument));
    const double rise = (of.fast - of.slow) / tick;
    if (rise <= is_.threshold_ticks && rise >= -is_.threshold_ticks) return;
    const Side side = rise > 0 ? when_rising_ : opposite(when_rising_);
    detail::take_best(
        access, of.instrument, side,
        std::min(is_.quantity, detail::room(access, of.instrument, side, is_.most_position)));
}

}  // namespace damrak::participants
