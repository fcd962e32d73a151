#include <damrak/participants/detail/kyle_trader.hpp>

#include <algorithm>

#include <damrak/participants/detail/taking.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<KyleTrader::Parameters>> KyleTrader::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .number("value_sd_ticks", &P::value_sd_ticks, "ticks", 1e-3, 1e6,
                "Standard deviation of the value, as others see it (root of Sigma 0)")
        .number("noise_sd", &P::noise_sd, "shares", 1e-3, 1e9,
                "Standard deviation of what others order within the horizon (sigma u)")
        .whole("slices", &P::slices, "orders", 1, 10'000, "Orders within the horizon (N)")
        .duration("horizon", &P::horizon_ns, market_kernel::k_millisecond_ns,
                  86'400 * market_kernel::k_second_ns, "Time within which it trades")
        .whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "Largest position, long or short")
        .take();
}

KyleTrader::KyleTrader(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters),
      instruments_(assignment.instruments),
      auctions_(models::kyle_auctions(static_cast<int>(is_.slices),
                                      is_.value_sd_ticks * is_.value_sd_ticks,
                                      is_.noise_sd * is_.noise_sd)),
      next_(instruments_.size()) {}

void KyleTrader::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < instruments_.size(); ++i)
        access.wake_at({access.now().value + is_.horizon_ns / is_.slices}, i);
}

void KyleTrader::on_timer(MarketAccess& access, std::uint64_t key) {
    access.wake_at({access.now().value + is_.horizon_ns / is_.slices}, key);
    const double beta = auctions_[next_[key]].beta;
    next_[key] = (next_[key] + 1) % auctions_.size();
    const InstrumentId instrument = instruments_[key];
    const views::PublicChange& view = access.view(instrument);
    if (!view.has_both()) return;
    const std::int64_t tick = detail::tick_of(access, instrument);
    const double value = access.fundamental(instrument, access.now());
    const double gap_ticks = (value - view.mid()) / static_cast<double>(tick);
    const Side side = gap_ticks > 0 ? Side::buy : Side::sell;
    const double wanted = std::min(beta * (gap_ticks > 0 ? gap_ticks : -gap_ticks),
                                   static_cast<double>(is_.most_position));
    const std::int64_t most = std::min(detail::room(access, instrument, side, is_.most_position),
                                       access.definition(instrument).maximum_quantity.value);
    const std::int64_t quantity = std::min(static_cast<std::int64_t>(wanted), most);
    if (quantity <= 0) return;
    access.enter({.instrument = instrument,
                  .side = side,
                  .time_in_force = TimeInForce::ioc,
                  .price = detail::on_tick(value, access.definition(instrument), side),
                  .quantity = {quantity}});
}

}  // namespace damrak::participants
