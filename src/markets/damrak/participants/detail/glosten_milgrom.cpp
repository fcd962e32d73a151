#include <damrak/participants/detail/glosten_milgrom.hpp>

#include <algorithm>

#include <damrak/participants/detail/flow.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

constexpr std::int64_t k_requote_ns =
    market_kernel::k_second_ns;  // after a halt, or without connection

}  // namespace

std::vector<Parameter<GlostenMilgromMaker::Parameters>> GlostenMilgromMaker::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .price("low", &P::low, "The lower of the two values")
        .price("high", &P::high, "The higher of the two values")
        .number("probability", &P::probability, "probability", 0, 1, "That the value is high")
        .number("informed_share", &P::informed_share, "share", 0, 1,
                "What it takes the share of informed traders to be (mu)")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of a quote")
        .take();
}

std::string GlostenMilgromMaker::check(const Parameters& parameters) {
    if (parameters.low >= parameters.high) return "low must be below high";
    return {};
}

GlostenMilgromMaker::GlostenMilgromMaker(const Parameters& parameters, const Assignment& assignment)
    : is_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        books_.push_back(
            {instrument, {is_.probability, is_.informed_share}, detail::Quotes{instrument, 1}});
}

void GlostenMilgromMaker::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < books_.size(); ++i) access.wake_at(access.now(), i);
}

void GlostenMilgromMaker::on_timer(MarketAccess& access, std::uint64_t key) {
    quote(access, books_[key]);
    access.wake_at({access.now().value + k_requote_ns}, key);
}

void GlostenMilgromMaker::on_report(MarketAccess& access, const market_kernel::Report& report) {
    for (Book& book : books_) {
        if (book.instrument != report.order.instrument) continue;
        book.quotes.on_report(access, report);
        if (report.kind != market_kernel::Report::Kind::filled) continue;
        // A fill of its sell order is a customer who buys.
        book.belief.probability =
            report.order.side == Side::sell ? book.belief.ask() : book.belief.bid();
        quote(access, book);
    }
}

void GlostenMilgromMaker::quote(MarketAccess& access, Book& book) {
    const InstrumentDefinition& definition = access.definition(book.instrument);
    const double range = is_.high - is_.low;
    const Price bid = detail::on_tick(is_.low + range * book.belief.bid(), definition, Side::buy);
    Price ask = detail::on_tick(is_.low + range * book.belief.ask(), definition, Side::sell);
    ask = std::max(ask, bid + definition.common_tick());
    book.quotes.want(Side::buy, 0, {bid, {is_.quantity}});
    book.quotes.want(Side::sell, 0, {ask, {is_.quantity}});
    book.quotes.pursue(access);
}

std::vector<Parameter<GlostenMilgromTraders::Parameters>> GlostenMilgromTraders::parameters() {
    using P = Parameters;
    return ParameterRows<P>{}
        .number("probability", &P::probability, "probability", 0, 1, "That the value is high")
        .number("informed_share", &P::informed_share, "share", 0, 1,
                "Share of its orders by traders who know the value (mu)")
        .number("orders_per_s", &P::orders_per_s, "per second", 1e-6, 1e6,
                "Rate of its orders, at exponential intervals")
        .whole("quantity", &P::quantity, "shares", 1, 1'000'000, "Quantity of an order")
        .take();
}

void GlostenMilgromTraders::on_start(MarketAccess& access) {
    arrivals_ = access.draws("arrival");
    terms_ = access.draws("terms");
    market_kernel::Draws values = access.draws("value");
    for (std::size_t i = 0; i < instruments_.size(); ++i)
        is_high_.push_back(values.chance(is_.probability));
    detail::wake_after(access, arrivals_.exponential(is_.orders_per_s));
}

void GlostenMilgromTraders::on_timer(MarketAccess& access, std::uint64_t /*key*/) {
    const auto place = static_cast<std::size_t>(terms_.below(instruments_.size()));
    const bool is_informed = terms_.chance(is_.informed_share);
    const bool by_chance = terms_.chance(0.5);
    const bool buys = is_informed ? is_high_[place] : by_chance;
    detail::flow_market(access, instruments_[place], buys ? Side::buy : Side::sell, is_.quantity);
    detail::wake_after(access, arrivals_.exponential(is_.orders_per_s));
}

}  // namespace damrak::participants
