#include <damrak/participants/detail/zic_trader.hpp>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

std::vector<Parameter<ZicTrader::Parameters>> ZicTrader::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .word("side", &P::side, {"buy", "sell"}, "The side of the group")
        .price("first", &P::first, "Value or cost of the best unit of the group")
        .price("last", &P::last, "Value or cost of its worst unit")
        .price("highest", &P::highest, "Highest price of an ask")
        .whole("units", &P::units, "shares", 1, 10'000, "Units of each trader")
        .number("quotes_per_s", &P::quotes_per_s, "per second", 1e-6, 1e6,
                "Rate at which it thinks of a quote")
        .take();
}

std::string ZicTrader::check(const Parameters& is) {
    if (is.side == "buy" && is.first < is.last) return "a buyer's first value is its highest one";
    if (is.side == "sell" && is.first > is.last) return "a seller's first cost is its lowest one";
    if (is.side == "sell" && is.highest < is.last) return "highest must be at least last";
    return {};
}

void ZicTrader::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    prices_ = access.draws("price");
    const std::int64_t all = is_.units * access.members();
    const double step = all > 1 ? (is_.last - is_.first) / static_cast<double>(all - 1) : 0;
    for (std::int64_t unit = access.member(); unit < all; unit += access.members())
        units_.push_back(is_.first + static_cast<double>(unit) * step);
    access.subscribe(instrument_, market_kernel::MarketNews::trade);
    detail::wake_after(access, arrivals_.exponential(is_.quotes_per_s));
}

void ZicTrader::on_market(MarketAccess& access, InstrumentId instrument) {
    const std::uint64_t trades = access.view(instrument).trades;
    if (trades == trades_seen_) return;
    trades_seen_ = trades;
    access.cancel(order_);
}

void ZicTrader::on_report(MarketAccess& /*access*/, const market_kernel::Report& report) {
    if (report.kind == market_kernel::Report::Kind::filled) ++traded_;
}

void ZicTrader::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    detail::wake_after(access, arrivals_.exponential(is_.quotes_per_s));
    const double u = prices_.uniform();
    if (traded_ >= units_.size()) return;
    const double worth = units_[traded_];
    const bool buys = side_ == Side::buy;
    const Price price = detail::on_tick(buys ? worth * u : worth + (is_.highest - worth) * u,
                                        access.definition(instrument_), side_);
    if (buys && static_cast<double>(price.value) > worth) return;  // worth less than a tick
    const views::PublicChange& view = access.view(instrument_);
    if (buys ? view.has_bid() && price <= view.bid : view.has_ask() && price >= view.ask) return;
    if (access.order(order_) != nullptr)
        access.replace(order_, price, Quantity{1});
    else
        order_ = access.enter(
            {.instrument = instrument_, .side = side_, .price = price, .quantity = {1}});
}

}  // namespace damrak::participants
