#include <damrak/participants/detail/maker.hpp>

#include <algorithm>

#include <damrak/participants/detail/prices.hpp>
#include <damrak/participants/detail/timers.hpp>

namespace damrak::participants::detail {

using market_kernel::MarketAccess;

std::string check_maker(const MakerParameters& parameters) {
    if (parameters.most_position < parameters.quantity)
        return "most_position must be at least quantity, or nothing is quoted";
    if (parameters.quantity < parameters.least_quantity)
        return "quantity must be at least least_quantity, or the obligation is never met";
    return {};
}

Maker::Maker(const MakerParameters& parameters, const Assignment& assignment) : maker_(parameters) {
    for (const InstrumentId instrument : assignment.instruments)
        books_.push_back({instrument, Quotes{instrument, static_cast<std::size_t>(maker_.levels)}});
}

void Maker::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < books_.size(); ++i) {
        if (maker_.anchor == "mid") static_cast<void>(access.depth(books_[i].instrument));
        access.wake_at(access.now(), i);
    }
}

void Maker::on_timer(MarketAccess& access, std::uint64_t key) {
    quote(access, books_[key]);
    access.wake_at({access.now().value + maker_.interval_ns}, key);
}

void Maker::on_report(MarketAccess& access, const market_kernel::Report& report) {
    for (Book& book : books_) {
        if (book.instrument != report.order.instrument) continue;
        book.quotes.on_report(access, report);
        if (report.kind == market_kernel::Report::Kind::filled) quote(access, book);
    }
}

Maker::Others Maker::others(MarketAccess& access, const Book& book) const {
    Others found;
    if (maker_.anchor != "mid") return found;
    const views::VisibleDepth& depth = access.depth(book.instrument);
    for (const Side side : {Side::buy, Side::sell})
        depth.for_each_level(side, [&](Price price, const views::VisibleLevel& level) {
            if (level.quantity.value <= book.quotes.resting_at(access, side, price)) return true;
            (side == Side::buy ? found.bid : found.ask) = price;
            return false;
        });
    return found;
}

double Maker::anchor(MarketAccess& access, const Book& book, const Others& others) const {
    if (maker_.anchor == "fundamental") return access.fundamental(book.instrument, access.now());
    if (others.bid && others.ask)
        return static_cast<double>(others.bid->value + others.ask->value) / 2;
    const views::PublicChange& view = access.view(book.instrument);
    if (view.trades > 0) return static_cast<double>(view.last_price.value);
    return access.fundamental(book.instrument, Timestamp{0});
}

void Maker::quote(MarketAccess& access, Book& book) {
    const Others others = this->others(access, book);
    const InstrumentDefinition& definition = access.definition(book.instrument);
    const Price tick = definition.common_tick();
    const auto width = static_cast<double>(tick.value);
    const double middle = anchor(access, book, others);
    const std::int64_t position = access.position(book.instrument).value;
    models::Distances at =
        distances(access, static_cast<double>(position) / static_cast<double>(maker_.quantity));
    if (const auto most = static_cast<double>(maker_.most_spread_ticks);
        most > 0 && at.bid + at.ask > most) {
        // Rounding away from the middle may add a tick on each side.
        const double excess = at.bid + at.ask - std::max(most - 2, 1.0);
        at.bid -= excess / 2;
        at.ask -= excess / 2;
    }
    Price bid = on_tick(middle - at.bid * width, definition, Side::buy);
    Price ask = on_tick(middle + at.ask * width, definition, Side::sell);
    ask = std::max(ask, bid + tick);
    if (others.ask) bid = std::min(bid, *others.ask - tick);
    if (others.bid) ask = std::max(ask, *others.bid + tick);
    const std::int64_t step = maker_.level_step_ticks * tick.value;
    for (std::size_t level = 0; level < book.quotes.levels(); ++level) {
        const auto n = static_cast<std::int64_t>(level);
        const std::int64_t exposed = (n + 1) * maker_.quantity;
        const Price behind{n * step};
        const bool buys =
            position + exposed <= maker_.most_position && bid - behind > definition.floor();
        const bool sells = exposed - position <= maker_.most_position;
        const Quantity none{0};
        book.quotes.want(Side::buy, level, {bid - behind, buys ? Quantity{maker_.quantity} : none});
        book.quotes.want(Side::sell, level,
                         {ask + behind, sells ? Quantity{maker_.quantity} : none});
    }
    book.quotes.pursue(access);
}

}  // namespace damrak::participants::detail
