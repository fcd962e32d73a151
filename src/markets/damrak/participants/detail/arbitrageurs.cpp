#include <damrak/participants/detail/arbitrageurs.hpp>

#include <algorithm>
#include <cstddef>

#include <damrak/market_kernel/numeric.hpp>
#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/taking.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;
using market_kernel::MarketNews;

namespace {

constexpr std::int64_t k_most_memory_ns = 86'400 * market_kernel::k_second_ns;

/// Share of the new in a mean with this memory, after this time.
double new_share(std::int64_t passed_ns, std::int64_t memory_ns) {
    return 1 - market_kernel::exponential_of(-static_cast<double>(passed_ns) /
                                             static_cast<double>(memory_ns));
}

std::string two_instruments(const Assignment& assignment) {
    return assignment.instruments.size() == 2
               ? ""
               : "it trades two instruments: instruments = [\"FIRST\", \"SECOND\"]";
}

template <class P>
void add_size_rows(ParameterRows<P>& rows) {
    rows.whole("quantity", &P::quantity, "shares", 1, 1'000'000,
               "Largest quantity of an order of the instrument that it trades first");
    rows.whole("most_position", &P::most_position, "shares", 1, 1'000'000'000,
               "Largest position in it, long or short");
}

}  // namespace

std::vector<Parameter<LatencyArbitrageur::Parameters>> LatencyArbitrageur::parameters() {
    using P = Parameters;
    ParameterRows<P> rows;
    rows.number("edge_ticks", &P::edge_ticks, "ticks", 0, 1e6,
                "It takes a quote that is worth more than this");
    rows.duration("memory", &P::memory_ns, 1'000, k_most_memory_ns,
                  "Time constant with which it learns the ratio of the two prices");
    add_size_rows(rows);
    return rows.take();
}

std::string LatencyArbitrageur::fits(const Parameters& /*parameters*/,
                                     const Assignment& assignment) {
    return two_instruments(assignment);
}

void LatencyArbitrageur::on_start(MarketAccess& access) {
    if (instruments_.size() != 2) return;
    for (const InstrumentId instrument : instruments_)
        access.subscribe(instrument, MarketNews::top_of_book);
}

void LatencyArbitrageur::on_market(MarketAccess& access, InstrumentId /*instrument*/) {
    const InstrumentId follower = instruments_[1];
    const views::PublicChange& lead = access.view(instruments_[0]);
    const views::PublicChange& view = access.view(follower);
    if (!lead.has_both() || !view.has_both()) return;
    const double seen = view.mid() / lead.mid();
    const Timestamp now = access.now();
    if (ratio_ == 0)
        ratio_ = seen;
    else
        ratio_ += new_share((now - updated_).value, is_.memory_ns) * (seen - ratio_);
    updated_ = now;
    if (access.order(taking_) != nullptr) return;
    const double worth = ratio_ * lead.mid();
    const double edge = is_.edge_ticks * static_cast<double>(detail::tick_of(access, follower));
    const bool buys = static_cast<double>(view.ask.value) < worth - edge;
    if (!buys && static_cast<double>(view.bid.value) <= worth + edge) return;
    const Side side = buys ? Side::buy : Side::sell;
    const std::int64_t quantity =
        std::min({is_.quantity, (buys ? view.ask_quantity : view.bid_quantity).value,
                  detail::room(access, follower, side, is_.most_position)});
    if (quantity == 0) return;
    taking_ = access.enter({.instrument = follower,
                            .side = side,
                            .time_in_force = TimeInForce::ioc,
                            .price = buys ? view.ask : view.bid,
                            .quantity = {quantity}});
}

void LatencyArbitrageur::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    if (report.order.state == market_kernel::OwnOrder::State::done) taking_ = {};
}

std::vector<Parameter<PairArbitrageur::Parameters>> PairArbitrageur::parameters() {
    using P = Parameters;
    ParameterRows<P> rows;
    rows.number("ratio", &P::ratio, "", 1e-6, 1e6,
                "The spread is the first mid price less this times the second");
    rows.number("entry_ticks", &P::entry_ticks, "ticks", 0, 1e6,
                "It trades when the spread is further than this from its mean");
    rows.number("exit_ticks", &P::exit_ticks, "ticks", 0, 1e6,
                "It closes its position when the spread is as near as this");
    rows.duration("memory", &P::memory_ns, 1'000, k_most_memory_ns, "Time constant of the mean");
    rows.duration("interval", &P::interval_ns, 1'000, k_most_memory_ns, "Time between two looks");
    add_size_rows(rows);
    return rows.take();
}

std::string PairArbitrageur::check(const Parameters& parameters) {
    return parameters.exit_ticks < parameters.entry_ticks ? ""
                                                          : "exit_ticks must be below entry_ticks";
}

std::string PairArbitrageur::fits(const Parameters& /*parameters*/, const Assignment& assignment) {
    return two_instruments(assignment);
}

void PairArbitrageur::on_start(MarketAccess& access) {
    if (legs_.is_sound()) access.wake_at({access.now().value + is_.interval_ns});
}

void PairArbitrageur::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    access.wake_at({access.now().value + is_.interval_ns});
    legs_.balance(access);
    if (legs_.has_prices(access)) look(access);
}

void PairArbitrageur::look(MarketAccess& access) {
    const InstrumentId first = instruments_[0];
    const double spread = access.view(first).mid() - legs_.mid(access);
    if (!has_mean_) mean_ = spread;
    has_mean_ = true;
    const double away = spread - mean_;
    mean_ += new_share(is_.interval_ns, is_.memory_ns) * away;
    const auto tick = static_cast<double>(detail::tick_of(access, first));
    const double far = is_.entry_ticks * tick;
    if (away > far) return legs_.trade(access, Side::sell, is_.quantity, is_.most_position);
    if (away < -far) return legs_.trade(access, Side::buy, is_.quantity, is_.most_position);
    const std::int64_t held = access.position(first).value;
    const double near = is_.exit_ticks * tick;
    if (held > 0 && away >= -near)
        legs_.trade(access, Side::sell, std::min(held, is_.quantity), is_.most_position);
    if (held < 0 && away <= near)
        legs_.trade(access, Side::buy, std::min(-held, is_.quantity), is_.most_position);
}

void PairArbitrageur::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    legs_.on_report(report);
}

std::vector<Parameter<EtfArbitrageur::Parameters>> EtfArbitrageur::parameters() {
    using P = Parameters;
    ParameterRows<P> rows;
    rows.numbers("weights", &P::weights, "shares", 1e-9, 1e6,
                 "Shares of each other instrument in a share of the ETF; none: equal parts of one");
    rows.number("edge_ticks", &P::edge_ticks, "ticks", 0, 1e6,
                "It trades when a share of the ETF brings more than this");
    rows.duration("interval", &P::interval_ns, 1'000, k_most_memory_ns,
                  "After this time it takes what a leg lacks");
    add_size_rows(rows);
    return rows.take();
}

namespace {

std::vector<double> basket_weights(const EtfArbitrageur::Parameters& parameters,
                                   std::size_t instruments) {
    if (!parameters.weights.empty() || instruments < 2) return parameters.weights;
    return std::vector<double>(instruments - 1, 1 / static_cast<double>(instruments - 1));
}

}  // namespace

std::string EtfArbitrageur::fits(const Parameters& parameters, const Assignment& assignment) {
    const std::size_t count = assignment.instruments.size();
    if (count < 2) return "it trades an ETF and its basket: instruments = [\"ETF\", \"PART\", …]";
    return basket_weights(parameters, count).size() == count - 1
               ? ""
               : "weights must have a number for each instrument but the first";
}

EtfArbitrageur::EtfArbitrageur(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters),
      instruments_(assignment.instruments),
      legs_(assignment.instruments, basket_weights(parameters, assignment.instruments.size())) {}

void EtfArbitrageur::on_start(MarketAccess& access) {
    if (!legs_.is_sound()) return;
    for (const InstrumentId instrument : instruments_)
        access.subscribe(instrument, MarketNews::top_of_book);
    access.wake_at({access.now().value + is_.interval_ns});
}

void EtfArbitrageur::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    access.wake_at({access.now().value + is_.interval_ns});
    legs_.balance(access);
}

void EtfArbitrageur::on_market(MarketAccess& access, InstrumentId /*instrument*/) {
    if (!legs_.has_prices(access)) return;
    const views::PublicChange& etf = access.view(instruments_[0]);
    const double edge =
        is_.edge_ticks * static_cast<double>(detail::tick_of(access, instruments_[0]));
    if (static_cast<double>(etf.bid.value) > legs_.ask(access) + edge)
        legs_.trade(access, Side::sell, is_.quantity, is_.most_position);
    else if (static_cast<double>(etf.ask.value) < legs_.bid(access) - edge)
        legs_.trade(access, Side::buy, is_.quantity, is_.most_position);
}

void EtfArbitrageur::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    legs_.on_report(report);
}

}  // namespace damrak::participants
