#include <damrak/participants/detail/neutral_flow.hpp>

#include <algorithm>
#include <string>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

constexpr double k_passive_or_cancel = 0.875;
constexpr double k_up_to_replace = 0.975;
constexpr double k_up_to_ioc = 0.995;
constexpr std::size_t k_recent_orders = 64;  // half of the cancels hit one of these
constexpr double k_fair_move = 1.0 / 400;    // a message

std::int64_t distance_of(double kind, double u) {
    if (kind < 0.3) return 0;
    if (kind < 0.9) {
        std::int64_t distance = 1;
        for (double left = 7.0 / 8; distance < 64 && u < left; left *= 7.0 / 8) ++distance;
        return distance;
    }
    return 8 + static_cast<std::int64_t>(std::min(8 / u, 600.0));
}

std::int64_t quantity_of(double kind, double u) {
    if (kind < 0.6) return 100;
    if (kind < 0.85) return 1 + static_cast<std::int64_t>(u * 99);
    return 100 * (1 + static_cast<std::int64_t>(u * 10));
}

}  // namespace

std::vector<Parameter<NeutralFlow::Parameters>> NeutralFlow::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .number("messages_per_s", &P::messages_per_s, "per second", 1e-6, 1e6,
                "Rate of messages of each instrument, at exponential intervals")
        .whole("live_orders", &P::live_orders, "orders", 2, 5'000,
               "Number of open orders of an instrument that it returns to")
        .truth("takes", &P::takes,
               "It trades, with itself too; false: others have to, and its orders are post-only")
        .take();
}

NeutralFlow::NeutralFlow(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        flows_.push_back({.instrument = instrument});
}

void NeutralFlow::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < flows_.size(); ++i) {
        Flow& flow = flows_[i];
        const std::string name = std::to_string(flow.instrument.value);
        flow.arrivals = access.draws("arrival " + name);
        flow.terms = access.draws("terms " + name);
        flow.path = access.draws("path " + name);
        const std::int64_t tick = detail::tick_of(access, flow.instrument);
        const double value = access.fundamental(flow.instrument, Timestamp{0});
        flow.fair_ticks =
            detail::on_tick(value, access.definition(flow.instrument), Side::buy).value / tick;
        detail::wake_after(access, flow.arrivals.exponential(is_.messages_per_s), i);
    }
}

void NeutralFlow::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    for (Flow& flow : flows_)
        if (flow.instrument == report.order.instrument) flow.open.on_report(report);
}

NeutralFlow::Terms NeutralFlow::draw_terms(market_kernel::Draws& draws) {
    Terms terms;
    terms.side = draws.chance(0.5) ? Side::buy : Side::sell;
    terms.kind = draws.uniform();
    terms.add = draws.uniform();
    terms.place = draws.uniform();
    terms.is_recent = draws.chance(0.5);
    terms.is_near = draws.chance(0.5);
    const double distance = draws.uniform();
    terms.distance = 1 + distance_of(distance, draws.uniform());
    const double quantity = draws.uniform();
    terms.quantity = quantity_of(quantity, draws.uniform());
    terms.shift = static_cast<std::int64_t>(draws.below(3)) - 1;
    return terms;
}

void NeutralFlow::on_timer(MarketAccess& access, std::uint64_t key) {
    Flow& flow = flows_[key];
    detail::wake_after(access, flow.arrivals.exponential(is_.messages_per_s), key);
    const double move = flow.path.uniform();
    if (move < k_fair_move) flow.fair_ticks += move < k_fair_move / 2 ? 1 : -1;
    flow.fair_ticks = std::max<std::int64_t>(flow.fair_ticks, 1);
    const Terms terms = draw_terms(flow.terms);
    const bool would_take = terms.kind >= k_up_to_replace;
    if (terms.kind < k_passive_or_cancel || (would_take && !is_.takes) || flow.open.all().empty())
        add_or_cancel(access, flow, terms);
    else if (terms.kind < k_up_to_replace)
        replace(access, flow, terms);
    else
        take(access, flow, terms, terms.kind >= k_up_to_ioc);
}

// On a tick, and moved just as far as it takes not to trade.
Price NeutralFlow::passive(MarketAccess& access, const Flow& flow, Side side,
                           std::int64_t ticks) const {
    const std::int64_t tick = detail::tick_of(access, flow.instrument);
    const views::PublicChange& view = access.view(flow.instrument);
    std::int64_t price = std::max<std::int64_t>(ticks, 1) * tick;
    if (side == Side::buy && view.has_ask()) price = std::min(price, view.ask.value - tick);
    if (side == Side::sell && view.has_bid()) price = std::max(price, view.bid.value + tick);
    return {std::max(price, tick)};
}

market_kernel::OrderHandle NeutralFlow::pick(const Flow& flow, const Terms& terms) {
    const auto& open = flow.open.all();
    const std::size_t from =
        terms.is_recent && open.size() > k_recent_orders ? open.size() - k_recent_orders : 0;
    const auto count = static_cast<double>(open.size() - from);
    return open[from + static_cast<std::size_t>(terms.place * count)];
}

// The further the book is from its target, the more one of the two outweighs the other.
void NeutralFlow::add_or_cancel(MarketAccess& access, Flow& flow, const Terms& terms) {
    const auto live = static_cast<double>(flow.open.all().size());
    const auto target = static_cast<double>(is_.live_orders);
    const double add_share = std::clamp(0.5 - 2 * (live - target) / target, 0.05, 0.95);
    if (live > 0 && terms.add >= add_share) {
        access.cancel(pick(flow, terms));
        return;
    }
    const std::int64_t ticks =
        flow.fair_ticks + (terms.side == Side::buy ? -terms.distance : terms.distance);
    const Price price = passive(access, flow, terms.side, ticks);
    flow.open.add(access.enter({.instrument = flow.instrument,
                                .side = terms.side,
                                .self_trade_prevention = SelfTradePrevention::none,
                                .post_only = !is_.takes,
                                .price = price,
                                .quantity = {terms.quantity}}));
}

void NeutralFlow::replace(MarketAccess& access, Flow& flow, const Terms& terms) {
    const auto handle = pick(flow, terms);
    const auto* const order = access.order(handle);
    if (order == nullptr) return;
    const std::int64_t tick = detail::tick_of(access, flow.instrument);
    const std::int64_t away = order->side == Side::buy ? -terms.distance : terms.distance;
    const std::int64_t ticks =
        terms.is_near ? order->price.value / tick + terms.shift : flow.fair_ticks + away;
    access.replace(handle, passive(access, flow, order->side, ticks), Quantity{terms.quantity});
}

void NeutralFlow::take(MarketAccess& access, Flow& flow, const Terms& terms, bool rests) {
    const std::int64_t beyond = rests ? 2 + terms.shift : 0;  // one to three levels
    const Price price = detail::from_opposite(access, flow.instrument, terms.side, -beyond);
    const auto order = access.enter({.instrument = flow.instrument,
                                     .side = terms.side,
                                     .time_in_force = rests ? TimeInForce::day : TimeInForce::ioc,
                                     .self_trade_prevention = SelfTradePrevention::none,
                                     .price = price,
                                     .quantity = {terms.quantity * (rests ? 3 : 1)}});
    if (rests) flow.open.add(order);
}

}  // namespace damrak::participants
