#include <damrak/participants/hawkes_flow.hpp>

#include <string>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<HawkesFlow::Parameters>> HawkesFlow::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .numbers("base_per_s", &P::base_per_s, "per second", 0, 1e6,
                 "Rates without excitement: market buy and sell, limit buy and sell, cancel of a "
                 "buy and of a sell order")
        .numbers("branching", &P::branching, "events", 0, 100,
                 "36 numbers by row: how many events of the row's type follow directly from one of "
                 "the column's type, on average")
        .number("decay_per_s", &P::decay_per_s, "per second", 1e-6, 1e6,
                "Rate at which excitement decays")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .whole("most_ticks_away", &P::most_ticks_away, "ticks", 0, 10'000,
               "Limit prices are from a tick inside the spread to this many ticks behind the best "
               "price of their side")
        .whole("most_open", &P::most_open, "orders", 1, 5'000, "Most open orders of a side")
        .take();
}

std::string HawkesFlow::check(const Parameters& parameters) {
    if (parameters.base_per_s.size() != k_types) return "base_per_s needs 6 rates";
    if (parameters.branching.size() != k_types * k_types) return "branching needs 36 numbers";
    double sum = 0;
    for (const double rate : parameters.base_per_s) sum += rate;
    if (sum <= 0) return "base_per_s needs a rate above zero";
    const auto rates = models::stationary_rates(
        {parameters.base_per_s, parameters.branching, parameters.decay_per_s});
    if (rates.empty())
        return "branching has a spectral radius of 1 or more, so that rates grow without bound; "
               "make its numbers smaller";
    return {};
}

HawkesFlow::HawkesFlow(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        flows_.push_back(
            {instrument, models::HawkesProcess{{is_.base_per_s, is_.branching, is_.decay_per_s}}});
}

void HawkesFlow::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < flows_.size(); ++i) {
        const std::string name = std::to_string(flows_[i].instrument.value);
        flows_[i].arrivals = access.draws("arrival " + name);
        flows_[i].terms = access.draws("terms " + name);
        sleep(access, i);
    }
}

void HawkesFlow::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    for (Flow& flow : flows_)
        if (flow.instrument == report.order.instrument)
            flow.open[static_cast<std::size_t>(report.order.side)].on_report(report);
}

void HawkesFlow::sleep(MarketAccess& access, std::size_t flow) {
    const auto next = flows_[flow].process.next(flows_[flow].arrivals);
    flows_[flow].due = next.type;
    detail::wake_after(access, next.wait_s, flow);
}

// Draws the same numbers whatever the market is like, so that two runs stay in step.
void HawkesFlow::on_timer(MarketAccess& access, std::uint64_t key) {
    Flow& flow = flows_[key];
    const Side side = flow.due % 2 == 0 ? Side::buy : Side::sell;
    const double place = flow.terms.uniform();
    const auto& open = flow.open[static_cast<std::size_t>(side)].all();
    if (flow.due < 2) {
        detail::flow_market(access, flow.instrument, side, is_.quantity);
    } else if (flow.due < 4) {
        const auto places = static_cast<double>(is_.most_ticks_away + 2);
        enter(access, flow, side, static_cast<std::int64_t>(place * places) - 1);
    } else if (!open.empty()) {
        access.cancel(open[static_cast<std::size_t>(place * static_cast<double>(open.size()))]);
    }
    sleep(access, key);
}

void HawkesFlow::enter(MarketAccess& access, Flow& flow, Side side, std::int64_t ticks) {
    auto& open = flow.open[static_cast<std::size_t>(side)];
    if (open.all().size() >= static_cast<std::size_t>(is_.most_open))
        access.cancel(open.all().front());
    const views::PublicChange& view = access.view(flow.instrument);
    const std::int64_t tick = detail::tick_of(access, flow.instrument);
    const bool has_room = !view.has_both() || view.ask.value - view.bid.value > tick;
    if (ticks < 0 && !has_room) ticks = 0;
    // On an empty side, orders keep off the reference price, which may be the other side's best.
    const bool has_best = side == Side::buy ? view.has_bid() : view.has_ask();
    if (!has_best) ticks += 2;
    const Price price = detail::behind_best(access, flow.instrument, side, ticks);
    open.add(detail::flow_limit(access, flow.instrument, side, price, is_.quantity));
}

}  // namespace damrak::participants
