#include <damrak/live_participants/detail/live_view.hpp>

#include <algorithm>
#include <limits>
#include <utility>

namespace damrak::live_participants {
namespace {

using market_kernel::MarketNews;
using views::PublicChange;

void add(std::uint8_t& news, MarketNews bit, bool happened) {
    if (happened) news |= std::to_underlying(bit);
}

bool same_top(const views::PublicChange& a, const views::PublicChange& b) {
    return a.bid_quantity == b.bid_quantity && a.ask_quantity == b.ask_quantity &&
           (!a.has_bid() || a.bid == b.bid) && (!a.has_ask() || a.ask == b.ask);
}

}  // namespace

LiveView::LiveView(const client::FeedBooks& books,
                   const std::vector<InstrumentDefinition>& instruments)
    : books_(&books) {
    for (const InstrumentDefinition& instrument : instruments)
        rows_.push_back(
            {.symbol = std::string{instrument.symbol.view()}, .latest = {}, .depth = {}});
}

bool LiveView::is_complete() const {
    return std::ranges::all_of(rows_, [](const Row& row) { return row.locate != 0; });
}

std::vector<std::string> LiveView::missing() const {
    std::vector<std::string> symbols;
    for (const Row& row : rows_)
        if (row.locate == 0) symbols.push_back(row.symbol);
    return symbols;
}

// The directory is at the beginning of a session: instruments that it adds later are rare.
void LiveView::find_locates() {
    const std::size_t named = books_->instruments().size();
    if (named == named_) return;
    named_ = named;
    constexpr std::uint32_t k_most = std::numeric_limits<std::uint16_t>::max();
    for (std::uint32_t code = 1; code <= k_most && !is_complete(); ++code) {
        const auto locate = static_cast<std::uint16_t>(code);
        const client::FeedInstrument* const stock = books_->find(locate);
        if (stock == nullptr) continue;
        for (Row& row : rows_)
            if (row.symbol == stock->symbol) row.locate = locate;
    }
}

void LiveView::refresh(Timestamp now) {
    find_locates();
    for (Row& row : rows_) {
        row.news = 0;
        if (row.locate == 0) continue;
        const client::FeedInstrument* const stock = books_->find(row.locate);
        if (stock != nullptr && stock->changes != row.changes) look(row, *stock, now);
    }
}

void LiveView::look(Row& row, const client::FeedInstrument& stock, Timestamp now) {
    views::PublicChange fresh{.kind = views::PublicChange::Kind::level, .time = now};
    if (const auto bid = books_->best(stock, Side::buy)) {
        fresh.bid = bid->price;
        fresh.bid_quantity = bid->quantity;
    }
    if (const auto ask = books_->best(stock, Side::sell)) {
        fresh.ask = ask->price;
        fresh.ask_quantity = ask->quantity;
    }
    if (stock.last_trade) {
        fresh.last_price = stock.last_trade->price;
        fresh.last_side = stock.last_trade->aggressor.value_or(Side::buy);
    }
    fresh.trades = stock.trades;
    fresh.volume = static_cast<std::uint64_t>(stock.traded);
    fresh.trading_state = stock.halted ? TradingState::halted : TradingState::trading;
    const bool traded = fresh.trades != row.latest.trades;
    const bool turned = fresh.trading_state != row.latest.trading_state;
    if (traded) {
        fresh.kind = views::PublicChange::Kind::trade;
        fresh.side = fresh.last_side;
        fresh.price = fresh.last_price;
        fresh.quantity = stock.last_trade ? stock.last_trade->quantity : Quantity{0};
    } else if (turned) {
        fresh.kind = views::PublicChange::Kind::state;
    }
    add(row.news, MarketNews::trade, traded);
    add(row.news, MarketNews::trading_state, turned);
    add(row.news, MarketNews::top_of_book, !same_top(fresh, row.latest));
    add(row.news, MarketNews::any_level, true);
    row.latest = fresh;
    row.changes = stock.changes;
}

const views::VisibleDepth& LiveView::depth(InstrumentId instrument) {
    Row& row = rows_[instrument.value - 1];
    const client::FeedInstrument* const stock =
        row.locate == 0 ? nullptr : books_->find(row.locate);
    if (stock == nullptr || stock->changes == row.depth_changes) return row.depth;
    row.depth = {};
    for (const Side side : {Side::buy, Side::sell})
        for (const client::BookLevel& level : books_->levels(*stock, side))
            row.depth.apply({.kind = views::PublicChange::Kind::level,
                             .side = side,
                             .orders = level.orders,
                             .price = level.price,
                             .quantity = level.quantity});
    row.depth_changes = stock->changes;
    return row.depth;
}

}  // namespace damrak::live_participants
