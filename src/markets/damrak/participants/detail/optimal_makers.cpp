#include <damrak/participants/detail/optimal_makers.hpp>

namespace damrak::participants {

namespace {

template <class P>
ParameterRows<P> optimal_rows() {
    ParameterRows<P> rows = detail::maker_rows<P>();
    rows.number("risk_aversion", &P::risk_aversion, "per tick", 1e-9, 1e3,
                "Aversion to the risk of a tick times quantity (gamma)");
    rows.number("volatility_ticks", &P::volatility_ticks, "ticks per square root of a second", 0,
                1e6, "What it takes the volatility of the price to be (sigma)");
    rows.number("decay_per_tick", &P::decay_per_tick, "per tick", 1e-6, 1e3,
                "Fills of a quote get rarer by this rate with its distance (k)");
    return rows;
}

}  // namespace

std::vector<Parameter<AvellanedaStoikov::Parameters>> AvellanedaStoikov::parameters() {
    using P = Parameters;
    return optimal_rows<P>()
        .duration("horizon", &P::horizon_ns, market_kernel::k_millisecond_ns,
                  86'400 * market_kernel::k_second_ns, "Time after which it starts again (T)")
        .take();
}

void AvellanedaStoikov::on_start(market_kernel::MarketAccess& access) {
    start_ = access.now();
    Maker::on_start(access);
}

models::Distances AvellanedaStoikov::distances(market_kernel::MarketAccess& access,
                                               double inventory) {
    const std::int64_t gone_ns = (access.now() - start_).value % is_.horizon_ns;
    const double left_s = static_cast<double>(is_.horizon_ns - gone_ns) * 1e-9;
    return models::avellaneda_stoikov_quotes({.risk_aversion = is_.risk_aversion,
                                              .volatility = is_.volatility_ticks,
                                              .decay = is_.decay_per_tick},
                                             inventory, left_s);
}

std::vector<Parameter<Glft::Parameters>> Glft::parameters() {
    using P = Parameters;
    return optimal_rows<P>()
        .number("fills_per_s", &P::fills_per_s, "per second", 1e-6, 1e6,
                "Rate of fills of a quote at the mid price (A)")
        .take();
}

models::Distances Glft::distances(market_kernel::MarketAccess& /*access*/, double inventory) {
    return models::glft_quotes({.risk_aversion = is_.risk_aversion,
                                .volatility = is_.volatility_ticks,
                                .decay = is_.decay_per_tick,
                                .intensity = is_.fills_per_s},
                               inventory);
}

}  // namespace damrak::participants
