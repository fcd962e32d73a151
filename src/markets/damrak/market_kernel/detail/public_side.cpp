#include <damrak/market_kernel/detail/public_side.hpp>

#include <algorithm>
#include <limits>

namespace damrak::market_kernel::detail {
namespace {

views::PublicChange nothing_yet() {
    views::PublicChange change{};
    change.time = Timestamp{std::numeric_limits<std::int64_t>::min()};
    return change;
}

}  // namespace

PublicSide::PublicSide(std::uint32_t instruments, std::size_t most_prices)
    : call_levels_(most_prices) {
    logs_.reserve(instruments);
    for (std::uint32_t i = 0; i < instruments; ++i) logs_.emplace_back(nothing_yet());
}

void PublicSide::note(const Event& event, OrderSlot& slot) {
    // A trade's price is not a new price of the order.
    const Price price = event.kind == EventKind::executed ? slot.book_price : event.price;
    const bool moved = price != slot.book_price;
    if (!moved && event.displayed == slot.displayed) return;
    if (slot.displayed.value > 0) note_level(event.instrument, event.side, slot.book_price);
    if (event.displayed.value > 0 && (moved || slot.displayed.value == 0))
        note_level(event.instrument, event.side, price);
    slot.book_price = price;
    slot.displayed = event.displayed;
}

void PublicSide::note_level(InstrumentId instrument, Side side, Price price) {
    const Noted noted{instrument, views::PublicChange::Kind::level, side, {}, price, {}};
    if (std::ranges::find(noted_, noted) == noted_.end()) noted_.push_back(noted);
}

void PublicSide::note_trade(const Event& event, Side taker) {
    noted_.push_back({event.instrument,
                      views::PublicChange::Kind::trade,
                      taker,
                      {},
                      event.price,
                      event.quantity});
}

void PublicSide::note_trading_state(const Event& event) {
    noted_.push_back({event.instrument,
                      views::PublicChange::Kind::state,
                      {},
                      static_cast<TradingState>(event.quantity.value),
                      {},
                      {}});
}

views::PublicChange PublicSide::change_of(const Noted& noted, const views::PublicChange& before,
                                          const views::PublicChange& top) const {
    views::PublicChange change = top;
    change.kind = noted.kind;
    change.side = noted.side;
    change.price = noted.price;
    change.quantity = noted.quantity;
    change.trading_state = before.trading_state;
    change.last_price = before.last_price;
    change.last_side = before.last_side;
    change.trades = before.trades;
    change.volume = before.volume;
    if (noted.kind == views::PublicChange::Kind::trade) {
        change.last_price = noted.price;
        change.last_side = noted.side;
        ++change.trades;
        change.volume += static_cast<std::uint64_t>(noted.quantity.value);
    } else if (noted.kind == views::PublicChange::Kind::state) {
        change.trading_state = noted.state;
    }
    return change;
}

views::PublicChange PublicSide::top_of(const Engine& engine, InstrumentId id) {
    const InstrumentState& in = *engine.instrument(id);
    const DepthLevel bid = in.book.best(engine.store(), Side::buy);
    const DepthLevel ask = in.book.best(engine.store(), Side::sell);
    views::PublicChange top{};
    top.bid = in.price_of(bid.tick);
    top.ask = in.price_of(ask.tick);
    top.bid_quantity = bid.quantity;
    top.ask_quantity = ask.quantity;
    // The values of a sealed call would tell what its orders are.
    if (!in.collects() || in.sealed) return top;
    const auction::Equilibrium now = engine.auction_if_now(id, call_levels_.data());
    const bool is_crossed = top.has_both() && bid.tick >= ask.tick;
    if (now.price || is_crossed) {
        top.bid = top.ask = now.price.value_or(Price{0});
        top.bid_quantity = top.ask_quantity = now.executable;
    }
    return top;
}

void PublicSide::fill_level(const Engine& engine, const Noted& noted, views::PublicChange& change) {
    const InstrumentState& in = *engine.instrument(noted.instrument);
    const LevelIndex index =
        in.book.side(noted.side)
            .find(engine.store().nodes, price_key(noted.side, in.tick_of(noted.price)));
    if (index == 0) return;
    const Level& level = engine.store().level(index);
    if (level.count == 0) return;  // hidden orders only
    change.quantity = level.total;
    change.orders = level.count;
}

}  // namespace damrak::market_kernel::detail
