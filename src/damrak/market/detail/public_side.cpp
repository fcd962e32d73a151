#include <damrak/market/detail/public_side.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace damrak::market::detail {
namespace {

PublicChange nothing_yet() {
    PublicChange change{};
    change.time = Timestamp{std::numeric_limits<std::int64_t>::min()};
    return change;
}

struct Crossing {
    Tick tick = 0;
    std::int64_t quantity = 0;
};

// The levels of a side that the other side's best price reaches.
std::vector<Crossing> crossed_levels(const Engine& engine, const InstrumentState& in, Side side) {
    const PriceKey reach = price_key(side, in.book.best(engine.store(), opposite(side)).tick);
    std::vector<Crossing> levels;
    in.book.for_each_level(engine.store(), side, [&](const DepthLevel& level) {
        if (price_key(side, level.tick) > reach) return false;
        levels.push_back({level.tick, level.quantity.value});
        return true;
    });
    return levels;
}

// The price at which most of a crossed book would trade, and how much. What is left at that price
// is on the side that gives the price; if nothing is, it is the middle.
Crossing indicative(std::vector<Crossing> bids, std::vector<Crossing> asks) {
    std::int64_t matched = 0;
    auto bid = bids.begin();
    auto ask = asks.begin();
    Tick price = 0;
    while (bid != bids.end() && ask != asks.end() && bid->tick >= ask->tick) {
        const std::int64_t quantity = std::min(bid->quantity, ask->quantity);
        matched += quantity;
        bid->quantity -= quantity;
        ask->quantity -= quantity;
        price = bid->quantity > 0   ? bid->tick
                : ask->quantity > 0 ? ask->tick
                                    : (bid->tick + ask->tick) / 2;
        if (bid->quantity == 0) ++bid;
        if (ask->quantity == 0) ++ask;
    }
    return {price, matched};
}

}  // namespace

PublicSide::PublicSide(std::uint32_t instruments) {
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
    const Noted noted{instrument, PublicChange::Kind::level, side, {}, price, {}};
    if (std::ranges::find(noted_, noted) == noted_.end()) noted_.push_back(noted);
}

void PublicSide::note_trade(const Event& event, Side taker) {
    noted_.push_back(
        {event.instrument, PublicChange::Kind::trade, taker, {}, event.price, event.quantity});
}

void PublicSide::note_trading_state(const Event& event) {
    noted_.push_back({event.instrument,
                      PublicChange::Kind::state,
                      {},
                      static_cast<TradingState>(event.quantity.value),
                      {},
                      {}});
}

PublicChange PublicSide::change_of(const Noted& noted, const PublicChange& before,
                                   const PublicChange& top) const {
    PublicChange change = top;
    change.kind = noted.kind;
    change.side = noted.side;
    change.price = noted.price;
    change.quantity = noted.quantity;
    change.trading_state = before.trading_state;
    change.last_price = before.last_price;
    change.last_side = before.last_side;
    change.trades = before.trades;
    change.volume = before.volume;
    if (noted.kind == PublicChange::Kind::trade) {
        change.last_price = noted.price;
        change.last_side = noted.side;
        ++change.trades;
        change.volume += static_cast<std::uint64_t>(noted.quantity.value);
    } else if (noted.kind == PublicChange::Kind::state) {
        change.trading_state = noted.state;
    }
    return change;
}

PublicChange PublicSide::top_of(const Engine& engine, InstrumentId id) {
    const InstrumentState& in = *engine.instrument(id);
    const DepthLevel bid = in.book.best(engine.store(), Side::buy);
    const DepthLevel ask = in.book.best(engine.store(), Side::sell);
    PublicChange top{};
    top.bid = in.price_of(bid.tick);
    top.ask = in.price_of(ask.tick);
    top.bid_quantity = bid.quantity;
    top.ask_quantity = ask.quantity;
    if (top.has_both() && bid.tick >= ask.tick) {
        const Crossing would_trade = indicative(crossed_levels(engine, in, Side::buy),
                                                crossed_levels(engine, in, Side::sell));
        top.bid = top.ask = in.price_of(would_trade.tick);
        top.bid_quantity = top.ask_quantity = Quantity{would_trade.quantity};
    }
    return top;
}

void PublicSide::fill_level(const Engine& engine, const Noted& noted, PublicChange& change) {
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

}  // namespace damrak::market::detail
