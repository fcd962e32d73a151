#include <damrak/participants/detail/fcn_trader.hpp>

#include <algorithm>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<FcnTrader::Parameters>> FcnTrader::parameters() {
    using P = Parameters;
    constexpr std::int64_t k_day_ns = 86'400 * market_kernel::k_second_ns;
    return ParameterRows<P>{}
        .number("orders_per_s", &P::orders_per_s, "per second", 1e-6, 1e6, "Rate of its orders")
        .number("fundamental_weight", &P::fundamental_weight, "", 0, 1e6,
                "Mean weight of the way back to the fundamental value")
        .number("chart_weight", &P::chart_weight, "", 0, 1e6,
                "Mean weight of the trend; a third of the others makes prices diverge")
        .number("noise_weight", &P::noise_weight, "", 0, 1e6, "Mean weight of the noise")
        .number("noise_per_s", &P::noise_per_s, "log return per second", 0, 1,
                "Standard deviation of the noise")
        .duration("window", &P::window_ns, market_kernel::k_millisecond_ns, k_day_ns,
                  "How far it looks back and ahead; its orders live as long")
        .duration("reversion", &P::reversion_ns, market_kernel::k_millisecond_ns, k_day_ns,
                  "Time in which it expects the price to return to the value")
        .number("margin", &P::margin, "share of the price", 0, 0.5,
                "Its limit is this much better than the price that it expects")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .take();
}

std::string FcnTrader::check(const Parameters& is) {
    if (is.fundamental_weight + is.chart_weight + is.noise_weight <= 0)
        return "one of the weights must be above zero";
    return {};
}

FcnTrader::FcnTrader(const Parameters& parameters, const Assignment& assignment) : is_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        memories_.push_back({.instrument = instrument});
}

void FcnTrader::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    terms_ = access.draws("terms");
    market_kernel::Draws weights = access.draws("weights");
    weights_ = {weights.exponential(1) * is_.fundamental_weight,
                weights.exponential(1) * is_.chart_weight,
                weights.exponential(1) * is_.noise_weight};
    detail::wake_after(access, arrivals_.exponential(is_.orders_per_s));
}

void FcnTrader::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key != 0) {
        access.cancel(detail::handle_of(key));
        return;
    }
    trade(access, memories_[terms_.below(memories_.size())]);
    detail::wake_after(access, arrivals_.exponential(is_.orders_per_s));
}

// Log return a second over the window, from the oldest price in it or the last one before it. Until
// it has seen a whole window, the time before counts as one without a return: a trend of
// milliseconds is not extrapolated over minutes.
double FcnTrader::trend(Memory& memory, Timestamp now, double price) const {
    auto& prices = memory.prices;
    while (prices.size() > 1 && (now - prices[1].first).value >= is_.window_ns)
        prices.erase(prices.begin());
    const auto [then, old] = prices.empty() ? std::pair{now, price} : prices.front();
    prices.emplace_back(now, price);
    const std::int64_t over_ns = std::max((now - then).value, is_.window_ns);
    return market_kernel::logarithm_of(price / old) / (static_cast<double>(over_ns) * 1e-9);
}

void FcnTrader::trade(MarketAccess& access, Memory& memory) {
    const double noise = is_.noise_per_s * terms_.normal();
    const Timestamp now = access.now();
    // The last trade, as in the model: the mid of an order book with one side is no price.
    const views::PublicChange& view = access.view(memory.instrument);
    const double price = view.trades > 0 ? static_cast<double>(view.last_price.value)
                                         : detail::reference_price(access, memory.instrument);
    const double value = access.fundamental(memory.instrument, now);
    const double gap = market_kernel::logarithm_of(value / price);
    const double trend = this->trend(memory, now, price);
    const double expected_return = models::fcn_return(
        weights_, gap, static_cast<double>(is_.reversion_ns) * 1e-9, trend, noise);
    const double window_s = static_cast<double>(is_.window_ns) * 1e-9;
    const double expected = price * market_kernel::exponential_of(expected_return * window_s);
    if (expected == price) return;
    const Side side = expected > price ? Side::buy : Side::sell;
    const double limit = expected * (side == Side::buy ? 1 - is_.margin : 1 + is_.margin);
    const InstrumentDefinition& definition = access.definition(memory.instrument);
    const auto order = access.enter({.instrument = memory.instrument,
                                     .side = side,
                                     .price = detail::on_tick(limit, definition, side),
                                     .quantity = {is_.quantity}});
    if (order) access.wake_at({now.value + is_.window_ns}, detail::key_of(order));
}

}  // namespace damrak::participants
